package svm

import (
	"context"

	"example.org/mercer/gram"
	"example.org/mercer/internal/pages"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
)

// batchRows is the number of rows that are computed together: binding and packing the
// columns is paid once for all of them.
const batchRows = 1024

// cache is rows of a kernel matrix that does not fit into memory as a whole, computed
// when they are first asked for, together with others that will be while there is room;
// then one by one in place of those used longest ago.
type cache[F float32 | float64] struct {
	src     gram.Source
	order   []int // the rows of the matrix
	workers int
	// wanted returns at most count rows that are not here and will probably be asked for
	// soon.
	wanted func(count int, here func(row int) bool) []int

	slots [][]F // storage of rows
	slab  []*slab[F]
	most  int   // how many there may be
	slot  []int // of each row, −1 if it is not here
	held  []int // the row in each slot
	used  []int64
	clock int64

	all      kernel.Pairs // the whole matrix, bound when it is first needed
	computed int64        // kernel values
}

// slab is the storage of slots that were allocated together, from slot first on.
type slab[F float32 | float64] struct {
	first int
	k     []F
}

// newCache returns an empty cache of at most the given number of rows, at least two
// batches.
func newCache[F float32 | float64](src gram.Source, order []int, most, workers int) *cache[F] {
	c := &cache[F]{src: src, order: order, workers: workers, most: max(most, 2*batchRows), slot: make([]int, len(order))}
	for i := range c.slot {
		c.slot[i] = -1
	}
	return c
}

// blockOf says that all columns are in one block.
func (c *cache[F]) blockOf(int) (at, first int) { return 0, 0 }

// row returns row i, computing it with others that are wanted where it is not here.
func (c *cache[F]) row(ctx context.Context, i, _ int) ([]F, error) {
	if c.slot[i] < 0 {
		if err := c.load(ctx, i); err != nil {
			return nil, err
		}
	}
	c.clock++
	c.used[c.slot[i]] = c.clock // the newest: not what makes room for the next
	return c.slots[c.slot[i]], nil
}

// load computes row i and those wanted that are not here.
func (c *cache[F]) load(ctx context.Context, i int) error {
	batch := []int{i}
	if len(c.slots) < c.most {
		batch = append(batch, c.wanted(min(batchRows, c.most-len(c.slots))-1, func(row int) bool { return row == i || c.slot[row] >= 0 })...)
	}
	pairs := c.bind(batch)
	to := c.freeSlots(len(batch))
	n := len(c.order)
	high, wide := blockCount(len(batch), tileSide), blockCount(n, tileSide)
	err := parallel.Each(ctx, c.workers, high*wide, func(_, t int) {
		c.tile(pairs, to, t%high, t/high)
	})
	if err != nil {
		return err
	}
	c.computed += int64(len(batch)) * int64(n)
	for a, row := range batch {
		c.slot[row], c.held[to[a]] = to[a], row
		c.clock++
		c.used[to[a]] = c.clock
	}
	return nil
}

// bind returns the pairs of the rows of a batch against all. Where a batch is one row,
// because no room is left for more, the columns are those packed for the first of them.
func (c *cache[F]) bind(batch []int) kernel.Pairs {
	if len(batch) > 1 {
		rows := make([]int, len(batch))
		for a, row := range batch {
			rows[a] = c.order[row]
		}
		return c.src.Bind(rows, c.order)
	}
	if c.all == nil {
		c.all = c.src.Bind(c.order, c.order)
	}
	return gram.RowsOf(c.all).Bind(batch, nil)
}

// tile computes a block of a batch row by row into the slots of its rows.
func (c *cache[F]) tile(p kernel.Pairs, to []int, a, b int) {
	row, rowEnd := blockBounds(a, tileSide, len(to))
	col, colEnd := blockBounds(b, tileSide, len(c.order))
	if first := to[row]; to[rowEnd-1]-first == rowEnd-1-row && c.slab[first] == c.slab[first+rowEnd-1-row] {
		// Fresh rows lie one after the other.
		at := c.slab[first]
		computeTile(p, at.k[(first-at.first)*len(c.order)+col:], len(c.order), row, col, rowEnd-row, colEnd-col)
		return
	}
	block := make([]F, (rowEnd-row)*(colEnd-col))
	computeTile(p, block, colEnd-col, row, col, rowEnd-row, colEnd-col)
	for i := row; i < rowEnd; i++ {
		copy(c.slots[to[i]][col:colEnd], block[(i-row)*(colEnd-col):])
	}
}

// freeSlots returns count slots that may be overwritten: fresh ones as long as there may be
// more, then those used longest ago.
func (c *cache[F]) freeSlots(count int) []int {
	var to []int
	if fresh := min(count, c.most-len(c.slots)); fresh > 0 {
		n := len(c.order)
		slab := &slab[F]{first: len(c.slots), k: pages.Make[F](fresh * n)}
		for a := range fresh {
			to = append(to, len(c.slots))
			c.slots, c.slab = append(c.slots, slab.k[a*n:(a+1)*n]), append(c.slab, slab)
			c.held, c.used = append(c.held, -1), append(c.used, -1) // taken
		}
	}
	for len(to) < count {
		oldest := -1
		for s, used := range c.used {
			if used >= 0 && (oldest < 0 || used < c.used[oldest]) {
				oldest = s
			}
		}
		if c.held[oldest] >= 0 {
			c.slot[c.held[oldest]] = -1
		}
		c.used[oldest] = -1 // taken
		to = append(to, oldest)
	}
	return to
}
