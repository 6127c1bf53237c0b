package kmeans

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"mercer/internal/pages"
	"mercer/internal/parallel"
	"mercer/internal/simd"
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

// pack makes the panels of the rows, whose numbers are at most largest. The last panel is
// filled up with its last row.
func (p *problem) pack(ctx context.Context, largest float64) error {
	_, exponent := math.Frexp(largest)
	count := (p.n + lanes - 1) / lanes
	s := panels{d: p.d, scale: math.Ldexp(1, -max(-extreme, min(exponent, extreme))),
		x: pages.Make[float32](count * lanes * p.d), norms: make([]float64, count)}
	total, err := parallel.Sum(ctx, p.workers, blocks(p.n), func(worker, b int) (sum float64) {
		for from, to := cut(p.n, b); from < to; from += lanes {
			sum += p.packPanel(&s, p.buffers[worker], from/lanes)
		}
		return sum
	})
	p.panels, p.spread = s, total/float64(p.n)/float64(p.d)
	if err == nil && math.IsInf(p.spread, 0) {
		return fmt.Errorf("kmeans: the squares of numbers as large as %.3g are not finite: rescale the columns", largest)
	}
	return err
}

// packPanel makes a panel and returns the sum of the squares of its rows.
func (p *problem) packPanel(s *panels, buf *buffer, panel int) (sum float64) {
	for t := range lanes {
		i, row := min(panel*lanes+t, p.n-1), buf.x[t*p.d:(t+1)*p.d]
		floats.Scale(s.scale, p.centred(row, i))
		norm := floats.Dot(row, row)
		s.norms[panel] = max(s.norms[panel], norm)
		if i < panel*lanes+t {
			continue
		}
		norm /= s.scale * s.scale
		sum += norm
		if p.norms != nil {
			p.norms[i] = norm
		}
	}
	simd.Narrow(buf.single, buf.x)
	simd.Transpose(s.at(panel), lanes, buf.single, p.d, lanes, p.d, 1)
	return sum
}
