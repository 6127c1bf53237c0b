package vec

import (
	"sync"

	"mercer/data"
	"mercer/internal/simd"
	"mercer/kernel"
)

const (
	// chunk is the number of columns over which a program runs at once, a multiple of
	// simd.PanelWidth: its rows stay in the first-level cache between two operations.
	chunk = 256
	// group is the number of rows whose statistics are computed together, a divisor of
	// simd.PanelWidth: what the widest loops keep in registers.
	group = 8
)

// family binds compiled expressions.
type family struct{}

// Bind compiles k and binds the plan, or returns nil where a part of k cannot be
// compiled.
func (family) Bind(k Kernel, rows, cols data.Set[[]float64]) kernel.Pairs {
	plan, err := Compile(k)
	if err != nil {
		return nil
	}
	same := sameSet(rows, cols)
	sources := make([]source, len(plan.Statistics))
	for i := range plan.Statistics {
		sources[i] = bindStatistic(&plan.Statistics[i], rows, cols, same)
	}
	return newPairs(plan, sources, rows.Len(), cols.Len())
}

// sameSet reports whether two sets hold the very same vectors in the same order.
func sameSet(rows, cols data.Set[[]float64]) bool {
	if rows.Len() != cols.Len() {
		return false
	}
	for i := range rows.Len() {
		x, y := rows.At(i), cols.At(i)
		if len(x) != len(y) || len(x) > 0 && &x[0] != &y[0] {
			return false
		}
	}
	return true
}

// pairs is a plan bound to points.
type pairs struct {
	plan       *Plan
	sources    []source
	rows, cols int
	pool       sync.Pool // of *scratch
}

// scratch is the working memory of one Tile call.
type scratch struct {
	statistics [][]float64 // per statistic: group rows of chunk
	stack      [][]float64 // Depth rows of chunk; the first is the tile's own
	values     rowValues
}

func newPairs(plan *Plan, sources []source, rows, cols int) *pairs {
	p := &pairs{plan: plan, sources: sources, rows: rows, cols: cols}
	p.pool.New = func() any {
		n := len(plan.Statistics)
		s := &scratch{statistics: split(n, group*chunk), stack: split(plan.Depth, chunk)}
		s.values = rowValues{statistics: make([][]float64, n), sources: sources, at: make([][]float64, plan.Depth)}
		return s
	}
	return p
}

func split(n, size int) [][]float64 {
	all, parts := make([]float64, n*size), make([][]float64, n)
	for i := range parts {
		parts[i] = all[i*size : (i+1)*size]
	}
	return parts
}

func (p *pairs) Dims() (rows, cols int) { return p.rows, p.cols }

// Tile computes the statistics of one group of rows by at most chunk columns, runs the
// program over each of the rows, and goes on: nothing larger is ever stored. It does
// not allocate.
func (p *pairs) Tile(dst kernel.Tile, row, col int) {
	s := p.pool.Get().(*scratch)
	defer p.pool.Put(s)
	end := col + dst.Cols
	for from := col; from < end; {
		to := min((from/chunk+1)*chunk, end)
		for i := row; i < row+dst.Rows; {
			next := min((i/group+1)*group, row+dst.Rows)
			p.strip(s, dst, row, col, i, next, from, to)
			i = next
		}
		from = to
	}
}

// strip computes the rows low ≤ i < high, of one group, for the columns from ≤ j < to
// of one chunk.
func (p *pairs) strip(s *scratch, dst kernel.Tile, row, col, low, high, from, to int) {
	first := from / simd.PanelWidth
	for k, source := range p.sources {
		source.fill(s.statistics[k], chunk, low, high, first, (to+simd.PanelWidth-1)/simd.PanelWidth)
	}
	offset := from - first*simd.PanelWidth
	for i := low; i < high; i++ {
		for k := range p.sources {
			at := (i-low)*chunk + offset
			s.values.statistics[k] = s.statistics[k][at : at+to-from]
		}
		s.values.row, s.values.col = i, from
		p.plan.run(dst.Row(i - row)[from-col:to-col], s.stack, &s.values)
	}
}
