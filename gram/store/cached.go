package store

import "example.org/mercer/kernel"

const (
	// fewest is the number of rows and of columns below which nothing is kept.
	fewest = side / 2
	// mostTiles bounds the tiles of one matrix, each of which takes some memory to know
	// of. A matrix of 2²⁰ tiles has 137 GB.
	mostTiles = 1 << 20
)

// cached is a bound kernel whose tiles come from a store.
type cached struct {
	of     kernel.Pairs
	double *tiles[float64]
	self   kernel.Pairs // with all abilities of the kernel
}

// Cached returns p with its tiles in the store, or p itself where it is too small, too
// large, or has points without a content. The points are digested here.
func (s *Store) Cached(p kernel.Identified) kernel.Pairs {
	rows, cols := p.Dims()
	if min(rows, cols) < fewest || int64((rows+side-1)/side)*int64((cols+side-1)/side) > mostTiles || s.closed.Load() {
		return p
	}
	identity, ok := p.Identity()
	if !ok {
		return p
	}
	by := newBlocks(rows, identity.Rows)
	to := by
	if identity.Cols != nil {
		to = newBlocks(cols, identity.Cols)
	}
	k := &cached{of: p, double: newTiles(s, identity, by, to, func(dst []float64, stride, rows, cols, row, col int) {
		p.Tile(kernel.Tile{Rows: rows, Cols: cols, Stride: stride, Data: dst}, row, col)
	})}
	var norms func(rows, cols []float64)
	if normed, ok := p.(kernel.Normed); ok {
		norms = normed.Norms
	}
	k.self = kernel.Wrap(k, s.single(p, identity, by, to), norms)
	return k.self
}

// single returns the tiles in single precision: from the store where they have an identity, from
// the kernel where they have none, and nil where there are none.
func (s *Store) single(p kernel.Pairs, identity kernel.Identity, by, to blocks) func(dst kernel.Tile32, row, col int) {
	single, ok := p.(kernel.Single)
	switch {
	case !ok:
		return nil
	case !identity.Single:
		return single.Tile32
	}
	narrow := newTiles(s, identity, by, to, func(dst []float32, stride, rows, cols, row, col int) {
		single.Tile32(kernel.Tile32{Rows: rows, Cols: cols, Stride: stride, Data: dst}, row, col)
	})
	return func(dst kernel.Tile32, row, col int) {
		narrow.fill(dst.Data, dst.Stride, dst.Rows, dst.Cols, row, col)
	}
}

func (k *cached) Dims() (rows, cols int) { return k.of.Dims() }

// Diag is that of the kernel: a diagonal is cheap beside tiles.
func (k *cached) Diag(dst []float64) { kernel.Diag(k.of, dst) }

func (k *cached) Tile(dst kernel.Tile, row, col int) {
	k.double.fill(dst.Data, dst.Stride, dst.Rows, dst.Cols, row, col)
}

// CacheParts leaves the tiles where they are.
func (k *cached) CacheParts(kernel.TileCache) kernel.Pairs { return k.self }

// Cost is that of the kernel, so that the way to a result does not depend on the store.
func (k *cached) Cost() float64 { return kernel.Cost(k.of) }
