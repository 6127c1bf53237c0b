package tile

import (
	"math"
	"sync"

	"example.org/mercer/internal/simd"
)

// gaussian is exp(−rate·‖x−y‖²) of squared distances that come from norms, as
//
//	2^−s,  s = ½‖x′‖² + ½‖y′‖² − ⟨x′, y′⟩,  x′ = √(2·rate·log₂e)·x,
//
// of points that were centred and weighted before, in one loop and without a look at memory
// between the inner product and the power. The digits of s are those of a distance, see
// [keptShare], with the same guard; one more rounding of the points moves s by at most 4u of itself
// at that share, and the power adds an error of 2u. Pairs in doubt are exp of a distance
// from differences, in float64.
//
// Where there are loops for paired coordinates, and the column points have few zeros that could be
// left out, ⟨x′, y′⟩ is summed in pairs, with the same bound ([simd.PairedGaussians32]). Rows do
// not decide: a pair has the same bits whatever rows are bound beside it.
type gaussian struct {
	of         *field
	rate       float64
	rows, cols *scaled
}

// scaled are the points x′.
type scaled struct {
	panels []float32
	norms  []float32        // ½‖x′‖²
	paired simd.PairedNorms // nil: coordinates are not paired
	sparse simd.Sparse[float32]
	zeros  int  // coordinates that are 0
	fits   bool // no sum of norms leaves the range in which sums are right
}

// pairedZeros is the largest share of zeros in column points whose coordinates are paired. With
// more of them lists of what is not 0 may pay, see [listedShare].
const pairedZeros = 0.125

// scaledColumns keeps the column points of the last rate, for all rows that are bound.
type scaledColumns struct {
	mutex  sync.Mutex
	rate   float64
	points *scaled
}

// at returns the column points of a field at a rate.
func (c *scaledColumns) at(f *field, rate float64) *scaled {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.points == nil || c.rate != rate {
		c.rate, c.points = rate, scale(f.cols, rate)
		if d := f.cols.d; simd.HasPairs(d) && float64(c.points.zeros) <= pairedZeros*float64(f.cols.n*d) {
			c.points.pair(f.cols.n, d)
		}
	}
	return c.points
}

// gaussianOf returns a plan whose only statistic is s as one loop, or nil where it is none, and
// where the statistic may be kept for other plans. What
// is decided here depends on the plan, and on points only where their squares overflow.
func gaussianOf(plan *Plan, s source[float64]) whole[float32] {
	f, rate, ok := decayOfNorms(plan, s)
	if !ok || f.cols.d >= cachedWidth {
		return nil
	}
	g := &gaussian{of: f, rate: rate}
	if !(g.rate >= 1/singleRange && g.rate <= singleRange) {
		return nil
	}
	g.cols = f.scaled.at(f, g.rate)
	if g.rows = g.cols; f.rows != f.cols {
		g.rows = scale(f.rows, g.rate)
		if g.cols.paired != nil {
			g.rows.pair(f.rows.n, f.rows.d)
		}
	}
	if !g.rows.fits || !g.cols.fits {
		return nil
	}
	return g
}

// scale multiplies packed points by √(2·rate·log₂e), rounds them to float32, and measures them as
// rounded.
func scale(p *points, rate float64) *scaled {
	const width = simd.PanelWidth32
	factor := math.Sqrt(2 * rate * math.Log2E)
	count := (p.n + width - 1) / width
	out := &scaled{panels: make([]float32, count*p.d*width), norms: make([]float32, count*width), fits: true}
	x := make([]float64, p.d)
	for i := range p.n {
		p.unpack(x, i)
		lane, norm := out.lane(i, p.d), 0.0
		for j, v := range x {
			rounded := float32(factor * v)
			lane[j*width] = rounded
			norm += float64(rounded) * float64(rounded)
			if rounded == 0 {
				out.zeros++
			}
		}
		out.norms[i] = float32(norm / 2)
		out.fits = out.fits && norm <= singleRange
	}
	out.compress(p)
	return out
}

// pair measures the points as paired ones.
func (s *scaled) pair(n, d int) {
	s.paired = simd.MakePairedNorms((n + simd.PanelWidth32 - 1) / simd.PanelWidth32)
	for i := range n {
		s.paired.Set(i, s.lane(i, d), d)
	}
}

// lane returns the panels of d coordinates from that of point i on, cut so that the point is in
// lane 0.
func (s *scaled) lane(i, d int) []float32 {
	return s.panels[i/simd.PanelWidth32*d*simd.PanelWidth32+i%simd.PanelWidth32:]
}

// compress stores the coordinates that are not 0 once more where p does.
func (s *scaled) compress(p *points) {
	if p.sparse.Len() == 0 {
		return
	}
	s.sparse = simd.Sparse[float32]{}
	s.sparse.Reset(p.d, p.sparse.Stored())
	x := make([]float32, p.d)
	for i := range p.n {
		lane := s.lane(i, p.d)
		for j := range x {
			x[j] = lane[j*simd.PanelWidth32]
		}
		s.sparse.Append(x)
	}
}

func (g *gaussian) fillWhole(dst []float32, stride int, inner []float32, apart, low, high, from, to int) {
	if g.cols.paired != nil {
		if !g.fillPaired(dst, stride, low, high, from, to) {
			g.fillPairedByRow(dst, stride, inner, low, high, from, to)
		}
		return
	}
	if !g.packed(low) || !simd.Gaussians32(dst, stride, g.rows.lane(low, g.of.cols.d), g.panels(from, to), g.rows.norms[low:high], g.colNorms(from, to), g.of.cols.d, to-from) {
		g.fillByRow(dst, stride, inner, apart, low, high, from, to)
	}
}

// fillByRow is fillWhole by inner products in memory: a row at a time, so that few pairs are looked
// at where one is in doubt.
func (g *gaussian) fillByRow(dst []float32, stride int, inner []float32, apart, low, high, from, to int) {
	g.sums(inner, apart, low, high, from, to)
	near, cols := renewal[float32]{of: g.of, rate: g.rate}, g.colNorms(from, to)
	for i := low; i < high; i++ {
		s, values := inner[(i-low)*apart:][:len(cols)], dst[(i-low)*stride:]
		if !simd.GaussianFromInner32(values, s, cols, g.rows.norms[i]) {
			g.renew(&near, values, s, cols, i, from*simd.PanelWidth32)
		}
	}
	near.flush()
}

// fillPaired is fillWhole of paired points but for pairs in doubt; it returns whether there are
// none.
func (g *gaussian) fillPaired(dst []float32, stride, low, high, from, to int) bool {
	d := g.of.cols.d
	return simd.PairedGaussians32(dst, stride, g.rows.lane(low, d), g.panels(from, to), g.rows.paired.Of(low), g.pairedNorms(from, to), high-low, d, to-from)
}

// fillPairedByRow is fillWhole of paired points where some are in doubt.
func (g *gaussian) fillPairedByRow(dst []float32, stride int, squares []float32, low, high, from, to int) {
	near, first, d, cols := renewal[float32]{of: g.of, rate: g.rate}, from*simd.PanelWidth32, g.of.cols.d, g.pairedNorms(from, to)
	for i := low; i < high; i++ {
		values, row := dst[(i-low)*stride:], g.rows.paired.Of(i)
		if g.fillPaired(values, 0, i, i+1, from, to) {
			continue
		}
		simd.PairedHalfSquares32(squares, g.rows.lane(i, d), g.panels(from, to), row, cols, d, to-from)
		for j := range min((to-from)*simd.PanelWidth32, g.of.cols.n-first) {
			if row.Doubtful(cols, j, squares[j]) {
				near.pair(i, first+j, &values[j])
			}
		}
	}
	near.flush()
}

// pairedNorms returns those of the column panels from ≤ q < to.
func (g *gaussian) pairedNorms(from, to int) simd.PairedNorms {
	return g.cols.paired.Of(from * simd.PanelWidth32)[:2*(to-from)*simd.PanelWidth32]
}

// packed reports whether the rows of the group of row low are multiplied as they lie in panels.
func (g *gaussian) packed(low int) bool {
	_, listed := g.of.rows.listOf(low)
	return !listed && g.rows.sparse.Len() == 0
}

// colNorms returns those of the column panels from ≤ q < to.
func (g *gaussian) colNorms(from, to int) []float32 {
	return g.cols.norms[from*simd.PanelWidth32 : to*simd.PanelWidth32]
}

// panels returns the column panels from ≤ q < to.
func (g *gaussian) panels(from, to int) []float32 {
	size := g.of.cols.d * simd.PanelWidth32
	return g.cols.panels[from*size : to*size]
}

// sums stores inner products.
func (g *gaussian) sums(dst []float32, stride, low, high, from, to int) {
	b, d := g.panels(from, to), g.of.cols.d
	if g.rows.sparse.Len() > 0 {
		g.rows.sparse.Inner(dst, stride, low, high, b, to-from)
	} else if index, ok := g.of.rows.listOf(low); ok {
		simd.InnerListed(dst, stride, high-low, g.rows.lane(low, d), b, index, d, to-from)
	} else {
		simd.Panels32(simd.Inner, dst, stride, high-low, g.rows.lane(low, d), b, d, to-from)
	}
}

// renew replaces the values of the pairs in doubt of row i, whose inner products with the columns
// from first on are s, at the latest when near is flushed.
func (g *gaussian) renew(near *renewal[float32], values, s, cols []float32, i, first int) {
	row := g.rows.norms[i]
	for j, c := range cols[:min(len(cols), g.of.cols.n-first)] {
		if norms := row + c; !(norms-s[j] >= keptShare*norms) {
			near.pair(i, first+j, &values[j])
		}
	}
}
