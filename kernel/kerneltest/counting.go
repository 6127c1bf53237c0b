package kerneltest

import (
	"sync/atomic"

	"example.org/mercer/kernel"
)

// Counting returns p with all that it can do, and adds the elements that are asked for in tiles, of
// either precision, to a count.
func Counting(p kernel.Pairs, elements *atomic.Int64) kernel.Pairs {
	c := counting{p, elements}
	var tile32 func(dst kernel.Tile32, row, col int)
	if single, ok := p.(kernel.Single); ok {
		tile32 = func(dst kernel.Tile32, row, col int) {
			elements.Add(int64(dst.Rows * dst.Cols))
			single.Tile32(dst, row, col)
		}
	}
	var norms func(rows, cols []float64)
	if normed, ok := p.(kernel.Normed); ok {
		norms = normed.Norms
	}
	return kernel.Wrap(c, tile32, norms)
}

type counting struct {
	kernel.Pairs
	elements *atomic.Int64
}

func (c counting) Tile(dst kernel.Tile, row, col int) {
	c.elements.Add(int64(dst.Rows * dst.Cols))
	c.Pairs.Tile(dst, row, col)
}

func (c counting) Diag(dst []float64) { kernel.Diag(c.Pairs, dst) }

// CacheParts counts what is asked for, whether it was kept or not.
func (c counting) CacheParts(k kernel.TileCache) kernel.Pairs {
	return Counting(kernel.Cached(c.Pairs, k), c.elements)
}

func (c counting) Cost() float64 { return kernel.Cost(c.Pairs) }
