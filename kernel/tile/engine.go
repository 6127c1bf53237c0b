package tile

import (
	"sync"

	"example.org/mercer/internal/simd"
)

const (
	// chunk is the number of columns over which a program runs at once, a multiple of
	// the width of panels: its rows stay in the first-level cache between two operations.
	chunk = 256
	// group is the number of rows whose statistics are computed together, a divisor of
	// the width of panels: what the widest loops keep in registers.
	group = 8
)

// float is the width of the numbers in tiles.
type float interface{ float32 | float64 }

// panelWidth is the number of points in a panel of F.
func panelWidth[F float]() int {
	if _, ok := any(F(0)).(float32); ok {
		return simd.PanelWidth32
	}
	return simd.PanelWidth
}

// source gives one statistic of bound points, panel by panel.
type source[F float] interface {
	// fill stores the statistic of the rows low ≤ i < high, of one group, with the
	// columns in the column panels from ≤ q < to: that of row i with the first of them
	// is dst[(i-low)*stride]. What lies beyond the last point is arbitrary.
	fill(dst []F, stride, low, high, from, to int)
	// norms returns ⟨x, x⟩ of the row and column points of an inner product.
	norms() (rows, cols []F)
}

// whole is a plan that can be had without storing its statistics in between. Every tile is
// computed by it where there is one.
type whole[F float] interface {
	// fillWhole stores the values of the plan as a source stores its statistic, but for what
	// lies beyond the last point. inner is workspace for as many rows, which begin apart
	// numbers from another.
	fillWhole(dst []F, stride int, inner []F, apart, low, high, from, to int)
}

// engine runs a plan over tiles of one width of numbers.
type engine[F float] struct {
	plan    *Plan
	sources []source[F]
	flat    bool     // no operation needs to know of which row a value is
	whole   whole[F] // nil: there is none
	// pool is of *scratch[F]. It is no part of the engine: a pool lives for two more
	// collections, and would keep the packed points alive for as long.
	pool *sync.Pool
}

// scratch is the working memory of one tile.
type scratch[F float] struct {
	statistics [][]F // per statistic: group rows of chunk
	stack      [][]F // Depth times group rows of chunk; the first is the tile's own
	values     rowValues[F]
	panels     [][]F // as a statistic, for what a whole plan makes of the panels around a tile
}

func newEngine[F float](plan *Plan, sources []source[F]) *engine[F] {
	e := &engine[F]{plan: plan, sources: sources, flat: true}
	for _, op := range plan.Program {
		e.flat = e.flat && !op.Code.Normed()
	}
	n, depth := len(plan.Statistics), plan.Depth
	e.pool = &sync.Pool{New: func() any {
		s := &scratch[F]{statistics: split[F](n, group*chunk), stack: split[F](depth, group*chunk)}
		s.values = rowValues[F]{statistics: make([][]F, n), at: make([][]F, depth), spare: newSpare[F]()}
		return s
	}}
	return e
}

func split[F float](n, size int) [][]F {
	all, parts := make([]F, n*size), make([][]F, n)
	for i := range parts {
		parts[i] = all[i*size : (i+1)*size]
	}
	return parts
}

// tile computes the statistics of one group of rows by at most chunk columns, runs the
// program over them, and goes on: nothing larger is ever stored.
func (e *engine[F]) tile(dst []F, stride, rows, cols, row, col int) {
	s := e.pool.Get().(*scratch[F])
	s.values.sources = e.sources
	defer e.release(s)
	end := col + cols
	for from := col; from < end; {
		to := e.stripEnd(from, end)
		for i := row; i < row+rows; {
			next := min((i/group+1)*group, row+rows)
			e.strip(s, dst[(i-row)*stride+from-col:], stride, i, next, from, to)
			i = next
		}
		from = to
	}
}

// stripEnd returns where the strip of columns that begins at from ends: with its chunk. A table,
// which wants no workspace, is looked up for all whole panels at once: its calls for a chunk take
// as long as what they compute of a single row.
func (e *engine[F]) stripEnd(from, end int) int {
	width := panelWidth[F]()
	if _, table := e.whole.(*counted[F]); table && from%width == 0 && end-from >= width {
		return end / width * width
	}
	return min((from/chunk+1)*chunk, end)
}

// release gives s back to the pool, without what it knows of the tile and the points: a
// pool would keep alive the matrix that the tile is a part of.
func (e *engine[F]) release(s *scratch[F]) {
	s.values.sources = nil
	s.stack[0] = nil
	clear(s.values.at)
	e.pool.Put(s)
}

// strip computes the rows low ≤ i < high, of one group, for the columns from ≤ j < to
// of one chunk. Where rows follow one another without a gap and no operation asks which
// row it is in, they are one row to the program.
func (e *engine[F]) strip(s *scratch[F], dst []F, stride, low, high, from, to int) {
	width := panelWidth[F]()
	first := from / width
	rows, cols, offset, apart := high-low, to-from, from-first*width, chunk
	if offset == 0 && cols%width == 0 {
		apart = cols // nothing is computed beyond the columns of the tile
	}
	if e.whole != nil {
		last := (to + width - 1) / width
		if apart == cols {
			e.whole.fillWhole(dst, stride, s.statistics[0], apart, low, high, first, last)
			return
		}
		if s.panels == nil {
			s.panels = split[F](1, group*chunk)
		}
		around := s.panels[0]
		e.whole.fillWhole(around, chunk, s.statistics[0], chunk, low, high, first, last)
		for i := range rows {
			copy(dst[i*stride:i*stride+cols], around[i*chunk+offset:])
		}
		return
	}
	for k, source := range e.sources {
		source.fill(s.statistics[k], apart, low, high, first, (to+width-1)/width)
	}
	if e.flat && stride == cols && apart == cols {
		rows, cols = 1, rows*cols
	}
	for i := range rows {
		for k := range e.sources {
			s.values.statistics[k] = s.statistics[k][i*apart+offset : i*apart+offset+cols]
		}
		s.values.row, s.values.col = low+i, from
		run(e.plan, dst[i*stride:i*stride+cols], s.stack, &s.values)
	}
}
