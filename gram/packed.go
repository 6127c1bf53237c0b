package gram

import (
	"context"

	"mercer/kernel"
	"mercer/linalg"
)

// PackedOf returns the lower triangle of the Gram matrix of a kernel bound to one set,
// about 4n² bytes, in the tiles that [linalg.FactorPacked] wants. It refuses, with a
// [*TooLarge] error, what would exceed o.MaxMemory.
func PackedOf(ctx context.Context, p kernel.Pairs, o Options) (*linalg.Packed, error) {
	if err := square(p); err != nil {
		return nil, err
	}
	n, _ := p.Dims()
	if err := allow("packed", n, linalg.PackedBytes(n), o); err != nil {
		return nil, err
	}
	packed := linalg.NewPacked(n)
	tiles := triangle(packed.TileCount()).list()
	progress := newMeter(o, "gram", int64(len(tiles)))
	err := forEach(ctx, o.WorkerCount(), len(tiles), func(_, t int) {
		i, j := tiles[t][1], tiles[t][0]
		rows, cols, stride, data := packed.Tile(i, j)
		p.Tile(kernel.Tile{Rows: rows, Cols: cols, Stride: stride, Data: data}, i*packed.TileSize(), j*packed.TileSize())
		progress.add(1)
	})
	if err != nil {
		return nil, err
	}
	return packed, nil
}
