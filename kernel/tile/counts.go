package tile

import "example.org/mercer/internal/simd"

// counted is a plan of one squared distance of points of 0 and 1 of which few are 1: the
// distance is the number of bits that differ, below [simd.Counts], and the plan a table of
// what it makes of these numbers. Its elements have the bits of the plan.
type counted[F float] struct {
	of    *field
	table [simd.Counts]F
}

// newCounted returns the plan of an engine, whose only statistic s is in double precision,
// as a table, or nil where it cannot be one.
func newCounted[F float](e *engine[F], s source[float64]) whole[F] {
	f, ok := s.(*field)
	if !ok || !e.flat || f.stat.Kind != SquaredDistance || !f.counted() || f.rows.bits.most+f.cols.bits.most >= simd.Counts || !simd.HasCounts() {
		return nil
	}
	c, numbers := &counted[F]{of: f}, make([]F, simd.Counts)
	for i := range numbers {
		numbers[i] = F(i)
	}
	w := e.pool.Get().(*scratch[F])
	defer e.release(w)
	w.values.statistics[0], w.values.sources = numbers, e.sources
	run(e.plan, c.table[:], w.stack, &w.values)
	return c
}

// fillWhole looks the counts up. Panels of words are of 16 points for numbers of any width.
func (c *counted[F]) fillWhole(dst []F, stride int, _ []F, _, low, high, from, to int) {
	rows, cols := &c.of.rows.bits, &c.of.cols.bits
	times := panelWidth[F]() / simd.PanelWidth
	from, to = from*times, min(to*times, (c.of.cols.n+simd.PanelWidth-1)/simd.PanelWidth)
	size := cols.size * simd.PanelWidth
	simd.CountProfile(dst, stride, high-low, rows.lane(low), cols.words[from*size:to*size], cols.size, to-from, &c.table)
}
