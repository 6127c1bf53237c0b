package kmeans

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/pages"
	"example.org/mercer/internal/simd"
	"example.org/mercer/pass"
)

// lanes is the number of rows in a panel; a block holds whole panels.
const lanes = simd.PanelWidth32

// panels are the rows around their mean in single precision, a panel of them coordinate
// by coordinate. They and all distances to them are in units of 1/scale, a power of two
// with which squares of numbers are in the range of float32.
type panels struct {
	d     int
	scale float64
	x     []float32
	norms []float64 // the largest ‖x‖² of each panel
}

func (s *panels) at(p int) []float32 { return s.x[p*lanes*s.d : (p+1)*lanes*s.d] }

// extreme bounds the exponent of the scale, so that its square is finite and not 0.
const extreme = 500

// pack makes the panels of the rows, whose numbers are at most largest. Of a file they are made
// again in every pass.
func (p *problem) pack(ctx context.Context, largest float64) error {
	_, exponent := math.Frexp(largest)
	p.panels = panels{d: p.d, scale: math.Ldexp(1, -max(-extreme, min(exponent, extreme)))}
	total, err := p.packAll(ctx)
	p.meanVariance = total / float64(p.n) / float64(p.d)
	if err == nil && math.IsInf(p.meanVariance, 0) {
		return fmt.Errorf("kmeans: the squares of numbers as large as %.3g are not finite: rescale the columns", largest)
	}
	return err
}

// packAll makes the panels of rows in memory. It stores and adds up their squares.
func (p *problem) packAll(ctx context.Context) (float64, error) {
	parts := make([]float64, pass.Blocks(p.n))
	if p.streamed {
		_, err := p.reduce(ctx, squares{p.mean, p.panels.scale}, nil, func(made *mat.Dense, from int) {
			some := made.RawMatrix().Data
			if p.norms != nil {
				copy(p.norms[from:], some)
			}
			for part := &parts[from/pass.BlockRows]; len(some) > 0; some = some[min(lanes, len(some)):] {
				*part += inOrder(some[:min(lanes, len(some))]) // as panels are
			}
		})
		return inOrder(parts), err
	}
	count := (p.n + lanes - 1) / lanes
	p.panels.x, p.panels.norms = pages.Make[float32](count*lanes*p.d), make([]float64, count)
	err := p.each(ctx, 0, func(buf *buffer, _, b int) {
		for from, to := pass.BlockRange(p.n, b); from < to; from += lanes {
			panel := from / lanes
			parts[b] += p.packPanel(p.panels.at(panel), &p.panels.norms[panel], p.norms, buf, from)
		}
	})
	return inOrder(parts), err
}

// panel returns a panel of the current block and its largest ‖x‖². Of a file it is made, in the
// buffer.
func (p *problem) panel(buf *buffer, panel int) ([]float32, float64) {
	if !p.streamed {
		return p.panels.at(panel), p.panels.norms[panel]
	}
	if buf.panel == nil {
		buf.panel = make([]float32, lanes*p.d)
	}
	var norm float64
	p.packPanel(buf.panel, &norm, nil, buf, panel*lanes)
	return buf.panel, norm
}

// packPanel makes the panel of the rows from one on, filled up with the last row, and returns the
// sum of their squares. It stores the largest ‖x‖² in units of the panels, and, if norms is not
// nil, all in those of the rows.
func (p *problem) packPanel(x []float32, largest *float64, norms []float64, buf *buffer, from int) (sum float64) {
	scale := p.panels.scale
	*largest = 0
	for t := range lanes {
		i, row := min(from+t, p.n-1), buf.x[t*p.d:(t+1)*p.d]
		floats.Scale(scale, p.centred(row, buf.row(i)))
		norm := floats.Dot(row, row)
		*largest = max(*largest, norm)
		if i < from+t {
			continue
		}
		norm /= scale * scale
		sum += norm
		if norms != nil {
			norms[i] = norm
		}
	}
	simd.Narrow(buf.narrow, buf.x)
	simd.Transpose(x, lanes, buf.narrow, p.d, lanes, p.d, 1)
	return sum
}
