package gram

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
)

// PackedOf returns the lower triangle of the Gram matrix of a kernel bound to one set,
// about 4n² bytes, in the tiles that [linalg.FactorPacked] wants. It refuses, with a
// [*compute.TooLarge] error, what would exceed o.MaxMemory.
func PackedOf(ctx context.Context, p kernel.Pairs, o compute.Options) (*linalg.Packed, error) {
	n, err := packable(p, compute.Double, o)
	if err != nil {
		return nil, err
	}
	packed := linalg.NewPacked(n)
	if err := FillPacked(ctx, packed, p, o); err != nil {
		return nil, err
	}
	return packed, nil
}

// FillPacked is [PackedOf] in storage that there is, whose numbers are overwritten.
func FillPacked(ctx context.Context, packed *linalg.Packed, p kernel.Pairs, o compute.Options) error {
	p = kernel.Cached(p, o.Store)
	return fillPacked(ctx, packed, o, func(rows, cols, stride int, data []float64, row, col int) {
		p.Tile(kernel.Tile{Rows: rows, Cols: cols, Stride: stride, Data: data}, row, col)
	})
}

// PackedSingleOf is [PackedOf] in single precision, about 2n² bytes, for
// [linalg.FactorPackedSingle]: tiles are those of [kernel.Fill32]. It overwrites into, unless it is
// nil.
func PackedSingleOf(ctx context.Context, into *linalg.PackedSingle, p kernel.Pairs, o compute.Options) (*linalg.PackedSingle, error) {
	n, err := packable(p, compute.Single, o)
	if err != nil {
		return nil, err
	}
	if into == nil {
		into = linalg.NewPackedSingle(n)
	}
	p = kernel.Cached(p, o.Store)
	err = fillPacked(ctx, into, o, func(rows, cols, stride int, data []float32, row, col int) {
		kernel.Fill32(p, kernel.Tile32{Rows: rows, Cols: cols, Stride: stride, Data: data}, row, col)
	})
	if err != nil {
		return nil, err
	}
	return into, nil
}

// PackedBytes returns the memory that the triangle of n points takes at a precision.
func PackedBytes(n int, p compute.Precision) int64 {
	if p == compute.Single {
		return linalg.PackedSingleBytes(n)
	}
	return linalg.PackedBytes(n)
}

// packable returns the number of points if their triangle may be stored.
func packable(p kernel.Pairs, width compute.Precision, o compute.Options) (n int, err error) {
	if err := square(p); err != nil {
		return 0, err
	}
	n, _ = p.Dims()
	return n, allow("packed", n, PackedBytes(n, width), o)
}

// triangleTiles is the lower triangle that [linalg] stores, at either precision.
type triangleTiles[F float32 | float64] interface {
	TileCount() int
	TileSize() int
	Tile(i, j int) (rows, cols, stride int, data []F)
}

// fillPacked calls fill for every tile, whose first element is (row, col).
func fillPacked[F float32 | float64](ctx context.Context, packed triangleTiles[F], o compute.Options, fill func(rows, cols, stride int, data []F, row, col int)) error {
	tiles := triangle(packed.TileCount()).list()
	progress := o.Meter("gram", int64(len(tiles)))
	return parallel.Each(ctx, o.WorkerCount(), len(tiles), func(_, t int) {
		i, j := tiles[t][1], tiles[t][0]
		rows, cols, stride, data := packed.Tile(i, j)
		fill(rows, cols, stride, data, i*packed.TileSize(), j*packed.TileSize())
		progress.Add(1)
	})
}
