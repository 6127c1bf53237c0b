package vec

import (
	"sync"

	"mercer/data"
	"mercer/kernel"
)

// chunk is the number of columns over which a program runs at once, a multiple of
// panelWidth: its rows stay in the first-level cache between two operations.
const chunk = 256

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
	statistics [][]float64 // per statistic: panelWidth rows of chunk
	stack      [][]float64 // Depth rows of chunk; the first is the tile's own
	values     rowValues
}

func newPairs(plan *Plan, sources []source, rows, cols int) *pairs {
	p := &pairs{plan: plan, sources: sources, rows: rows, cols: cols}
	p.pool.New = func() any {
		n := len(plan.Statistics)
		s := &scratch{statistics: split(n, panelWidth*chunk), stack: split(plan.Depth, chunk)}
		s.values = rowValues{statistics: make([][]float64, n), sources: sources}
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

// Tile computes the statistics of panelWidth rows by at most chunk columns, runs the
// program over each of the rows, and goes on: nothing larger is ever stored. It does
// not allocate.
func (p *pairs) Tile(dst kernel.Tile, row, col int) {
	s := p.pool.Get().(*scratch)
	defer p.pool.Put(s)
	end := col + dst.Cols
	for from := col; from < end; {
		to := min((from/chunk+1)*chunk, end)
		for r := row / panelWidth; r*panelWidth < row+dst.Rows; r++ {
			p.strip(s, dst, row, col, r, from, to)
		}
		from = to
	}
}

// strip computes the rows of row panel r, where they lie in the tile, for the columns
// from ≤ j < to.
func (p *pairs) strip(s *scratch, dst kernel.Tile, row, col, r, from, to int) {
	first := from / panelWidth
	for k, source := range p.sources {
		source.fill(s.statistics[k], chunk, r, first, (to+panelWidth-1)/panelWidth)
	}
	offset := from - first*panelWidth
	for i := max(row, r*panelWidth); i < min(row+dst.Rows, (r+1)*panelWidth); i++ {
		for k := range p.sources {
			at := (i-r*panelWidth)*chunk + offset
			s.values.statistics[k] = s.statistics[k][at : at+to-from]
		}
		s.values.row, s.values.col = i, from
		p.plan.run(dst.Row(i - row)[from-col:to-col], s.stack, &s.values)
	}
}
