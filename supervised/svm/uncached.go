package svm

import (
	"context"

	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

// anewPrice is the price of a kernel value, see [kernel.Cost], up to which rows are computed
// whenever they are asked for: what takes about as long as reading a number from memory that is in
// no cache, and several times less than writing it there for the first time.
const anewPrice = 8

// cheap reports whether rows of p are better computed anew than stored.
func cheap(p kernel.Pairs) bool { return kernel.Cost(p) <= anewPrice }

// StoresMatrix reports whether a search on n rows keeps a kernel matrix of them in memory, of which
// k is the values or some of them: for few rows, and where it takes longer to compute a value than
// to read it.
func StoresMatrix(n int, k kernel.Pairs) bool { return n <= doubleRows || !cheap(k) }

// stores decides by the first rows of the job.
func (j *job) stores() bool {
	if isBound(j.src) {
		return true // elements here and there cost more than those of tiles
	}
	few := j.order[:min(len(j.order), tileSide)]
	return StoresMatrix(len(j.order), j.src.Bind(few, few))
}

// uncachedRows is the kernel matrix of a working set of which nothing is stored. A search asks for
// two rows in a step and returns to one after thousands of others, so that only all of the matrix
// would save anything. Its first touch costs more than that where values are cheap, as those of
// rows of 0 and 1 are.
type uncachedRows[F float32 | float64] struct{ p kernel.Pairs }

// size returns the number of rows.
func (a *uncachedRows[F]) size() int {
	if a.p == nil {
		return 0
	}
	n, _ := a.p.Dims()
	return n
}

// extendBy binds all rows again: that takes n·d operations, and values only when they are asked
// for.
func (a *uncachedRows[F]) extendBy(ctx context.Context, src gram.Source, rows []int, _, _ int, _ *arena[F]) error {
	a.p = src.Bind(rows, rows)
	return ctx.Err()
}

// reader returns rows at the columns of the spans; the others are arbitrary.
func (a *uncachedRows[F]) reader(of []span) rows[F] {
	n := a.size()
	return &rowBuffer[F]{p: a.p, of: of, held: [2]int{-1, -1}, rows: [2][]F{make([]F, n), make([]F, n)}}
}

// rowBuffer computes rows and holds the two that were asked for last.
type rowBuffer[F float32 | float64] struct {
	p    kernel.Pairs
	of   []span // the columns that are wanted
	held [2]int // which rows, −1 for none
	rows [2][]F
	last int
}

// blockOf says that all columns are in one block.
func (r *rowBuffer[F]) blockOf(int) (at, first int) { return 0, 0 }

// row returns row i, in the place of the one that was asked for before the last.
func (r *rowBuffer[F]) row(_ context.Context, i, _ int) ([]F, error) {
	if r.held[r.last] != i {
		r.last = 1 - r.last
	}
	row := r.rows[r.last]
	if r.held[r.last] != i {
		for _, s := range r.of {
			computeTile(r.p, row[s.from:], len(row), i, s.from, 1, s.rows())
		}
		r.held[r.last] = i
	}
	return row, nil
}
