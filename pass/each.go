package pass

import (
	"context"

	"example.org/mercer/data"
	"example.org/mercer/internal/parallel"
)

// InMemory reports whether the rows are in memory, so that another pass reads no file.
func InMemory(xs data.Rows) bool {
	_, ok := xs.(data.Vectors)
	return ok
}

// BlockRows is the number of rows of a block. A constant, because bits depend on it.
const BlockRows = 256

// Blocks returns the number of blocks of n rows.
func Blocks(n int) int { return (n + BlockRows - 1) / BlockRows }

// BlockRange returns the rows [from, to) of block b of n rows.
func BlockRange(n, b int) (from, to int) { return b * BlockRows, min(n, (b+1)*BlockRows) }

// SlabBlocks returns the blocks [from, to) of slab s of so many: runs of nearly equal length.
func SlabBlocks(n, s, slabs int) (from, to int) {
	return s * Blocks(n) / slabs, (s + 1) * Blocks(n) / slabs
}

const (
	// maxSlabs is the largest number of slabs of not very many rows with sums of their own,
	// slabBytes bounds the memory of these.
	maxSlabs, slabBytes = 8, 64 << 20
)

// SlabsFor returns the number of slabs of n rows for sums of so many numbers in each: a constant of
// the size of the problem, because bits depend on it. Of very many rows there are many slabs, for
// many machines.
func SlabsFor(n, numbers int) int {
	return max(1, Many(n), min(maxSlabs, Blocks(n), slabBytes/(8*max(1, numbers))))
}

// Visit receives the rows of block b, which are not kept. It is called from one goroutine for each
// worker, and within a slab in the order of the blocks. Sums that are kept by slab, and added up
// in the order of the slabs, therefore have the same bits for any number of workers.
type Visit func(worker, slab, b int, rows data.Vectors)

// Each makes a pass: it calls use with every block of the rows, those of different slabs
// concurrently. It returns the error of ctx.
func Each(ctx context.Context, xs data.Rows, slabs, workers int, use Visit) error {
	if c, ok := xs.(*sharedRows); ok {
		return c.pass(&request{ctx: ctx, slabs: slabs, workers: workers, use: use})
	}
	n := xs.Len()
	return parallel.Each(ctx, workers, slabs, func(worker, s int) {
		for b, end := SlabBlocks(n, s, slabs); b < end && ctx.Err() == nil; b++ {
			from, to := BlockRange(n, b)
			use(worker, s, b, run(xs, from, to))
		}
	})
}

// run returns the rows from ≤ i < to.
func run(xs data.Rows, from, to int) data.Vectors {
	if c, ok := xs.(*sharedRows); ok {
		xs = c.Rows
	}
	some := data.Run(xs, from, to)
	if v, ok := some.(data.Vectors); ok {
		return v
	}
	out := data.MakeVectors(to-from, xs.Dim())
	for i := range to - from {
		copy(out.At(i), some.At(i))
	}
	return out
}
