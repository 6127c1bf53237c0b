package passes

import (
	"context"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
)

// InMemory reports whether another look at the rows costs nothing.
func InMemory(xs data.Rows) bool {
	_, ok := xs.(data.Vectors)
	return ok
}

// BlockRows is the number of rows of a block. A constant, because bits depend on it.
const BlockRows = 256

// Blocks returns the number of blocks of n rows.
func Blocks(n int) int { return (n + BlockRows - 1) / BlockRows }

// Cut returns the rows [from, to) of block b of n rows.
func Cut(n, b int) (from, to int) { return b * BlockRows, min(n, (b+1)*BlockRows) }

// Slab returns the blocks [from, to) of slab s of so many: runs of nearly equal length.
func Slab(n, s, slabs int) (from, to int) {
	return s * Blocks(n) / slabs, (s + 1) * Blocks(n) / slabs
}

const (
	// mostLanes is the largest number of slabs with sums of their own, laneBytes bounds the memory
	// of these.
	mostLanes, laneBytes = 8, 64 << 20
)

// Lanes returns the number of slabs of n rows for sums of so many numbers in each: a constant of
// the size of the problem, because bits depend on it.
func Lanes(n, numbers int) int {
	return max(1, min(mostLanes, Blocks(n), laneBytes/(8*max(1, numbers))))
}

// Use is given the rows of block b, which are not kept. It is called from one goroutine for
// each worker, and within a slab in the order of the blocks: sums that are kept by slab, and
// added up in the order of the slabs, have the same bits for any number of workers.
type Use func(worker, slab, b int, rows data.Vectors)

// Each passes the blocks of the rows on, those of different slabs side by side. It returns the
// error of ctx.
func Each(ctx context.Context, xs data.Rows, slabs, workers int, use Use) error {
	if c, ok := xs.(*convoy); ok {
		return c.ride(ctx, slabs, workers, use)
	}
	n := xs.Len()
	return parallel.Each(ctx, workers, slabs, func(worker, s int) {
		for b, end := Slab(n, s, slabs); b < end && ctx.Err() == nil; b++ {
			from, to := Cut(n, b)
			use(worker, s, b, run(xs, from, to))
		}
	})
}

// run returns the rows from ≤ i < to.
func run(xs data.Rows, from, to int) data.Vectors {
	if c, ok := xs.(*convoy); ok {
		xs = c.Rows
	}
	some := data.Run[[]float64](xs, from, to)
	if v, ok := some.(data.Vectors); ok {
		return v
	}
	out := data.MakeVectors(to-from, xs.Dim())
	for i := range to - from {
		copy(out.At(i), some.At(i))
	}
	return out
}
