package kmeans

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/data"
	"example.org/mercer/internal/simd"
	"example.org/mercer/pass"
)

// buffer is what a worker computes in.
type buffer struct {
	rows   data.Vectors // of the current block
	block  int          // its number
	panel  []float32    // of a file
	x      []float64    // rows of a panel
	single []float32    // a panel in single precision
	narrow []float32    // its rows
	double []float64    // one in double precision, of half as many rows
	found  simd.Near[float32, int32]
	exact  simd.Near[float64, int64]
	// Numbers of rows: all of a panel, those that must be compared, those copied to
	// single, those that single precision leaves open.
	all, due, copied, open []int
	norm                   float64 // the largest ‖x‖² of those copied
}

// row returns row i of all, which is one of the current block.
func (b *buffer) row(i int) []float64 { return b.rows.At(i - b.block*pass.BlockRows) }

func newBuffer(d int) *buffer {
	return &buffer{block: -1, x: make([]float64, lanes*d), single: make([]float32, lanes*d), narrow: make([]float32, lanes*d), double: make([]float64, simd.PanelWidth*d)}
}

// exact finds nearest centres in double precision.
type exact struct {
	mean    []float64                    // is taken off the rows,
	centres simd.Centres[float64, int64] // and has been off these
}

// nearest finds the nearest two centres of at most simd.PanelWidth rows of the current block.
func (e *exact) nearest(buf *buffer, rows []int) *simd.Near[float64, int64] {
	d := len(e.mean)
	for t, i := range rows {
		floats.SubTo(buf.x[t*d:(t+1)*d], buf.row(i), e.mean)
	}
	simd.Transpose(buf.double, simd.PanelWidth, buf.x, d, len(rows), d, 1)
	e.centres.Nearest(&buf.exact, buf.double)
	return &buf.exact
}

const (
	// Half of the distance between neighbours of both precisions, relative to them.
	unit32, unit64 = 0x1p-24, 0x1p-53
	// What an operation of single precision loses at most next to 0, and the square from
	// which on sums might not be finite.
	least32, limit32 = 0x1p-145, 0x1p100
)

// rounding bounds the error of s = ‖c‖²/2 − ⟨x, c⟩ as [simd.Centres] computes it for points of d
// coordinates with ‖x‖² ≤ norm and ‖c‖² ≤ largest. With γ_m = m·unit/(1 − m·unit), where x
// and c are rounded too, it is at most
//
//	γ_{2d+3}‖c‖²/2 + γ_{d+3} Σ|x_p c_p| ≤ γ_{2d+3}(‖c‖² + ‖x‖²/2)
//
// (Higham, Accuracy and Stability of Numerical Algorithms, 2002, lemma 3.1). Three more
// units are for the norms and for the other precision, whose own sums are what counts.
func rounding(d int, unit, norm, largest float64) float64 {
	m := float64(2*d+6) * unit
	if m >= 1 {
		return math.Inf(1)
	}
	return m/(1-m)*(largest+norm/2) + float64(2*d+6)*least32
}
