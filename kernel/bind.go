package kernel

import (
	"sync"

	"example.org/mercer/data"
)

// Family is the fast path of a group of kernels that share their statistics: it
// binds a whole expression at once, or returns nil where a part is not its own.
type Family[T any] interface {
	Bind(k Kernel[T], rows, cols data.Set[T]) Pairs
}

// Member is implemented by kernels that belong to a family.
type Member[T any] interface {
	Kernel[T]
	Family() Family[T]
}

// Binder is implemented by kernels that need to see both sets before any pair is
// compared (k-mer counts, relabelled graphs, norms for a normalised kernel).
type Binder[T any] interface {
	Kernel[T]
	Bind(rows, cols data.Set[T]) Pairs
}

// Compound is a kernel that is an elementwise function of other kernels on the same
// points. Combine stores f(parts[0][i], parts[1][i], …) in dst[i]; dst may be
// parts[0]. It is the algebra, written once for every T.
type Compound[T any] interface {
	Kernel[T]
	Parts() []Kernel[T]
	Combine(dst []float64, parts [][]float64)
}

// Bind joins a kernel to its row points and its column points. It asks, in this
// order: the family of the expression's first member for a fast path over the
// whole expression; the kernel itself if it is a [Binder]; a [Compound] for its
// parts, combined tile by tile; and falls back to Eval pair by pair.
func Bind[T any](k Kernel[T], rows, cols data.Set[T]) Pairs {
	if f := familyOf(k); f != nil {
		if p := f.Bind(k, rows, cols); p != nil {
			return p
		}
	}
	switch k := k.(type) {
	case Binder[T]:
		return k.Bind(rows, cols)
	case Compound[T]:
		parts := k.Parts()
		bound := make([]Pairs, len(parts))
		for i, part := range parts {
			bound[i] = Bind(part, rows, cols)
		}
		return &combined[T]{of: k, parts: bound, rows: rows.Len(), cols: cols.Len(), scratch: new(sync.Pool)}
	}
	return pointwise[T]{k: k, rows: rows, cols: cols}
}

// familyOf returns the family of the first member in the expression, or nil.
func familyOf[T any](k Kernel[T]) Family[T] {
	if m, ok := k.(Member[T]); ok {
		return m.Family()
	}
	if c, ok := k.(Compound[T]); ok {
		for _, part := range c.Parts() {
			if f := familyOf(part); f != nil {
				return f
			}
		}
	}
	return nil
}

// BindPointwise binds k by Eval alone: the slow obvious path that every other way of
// binding is tested against.
func BindPointwise[T any](k Kernel[T], rows, cols data.Set[T]) Pairs {
	return pointwise[T]{k: k, rows: rows, cols: cols}
}

type pointwise[T any] struct {
	k          Kernel[T]
	rows, cols data.Set[T]
}

func (p pointwise[T]) Dims() (int, int) { return p.rows.Len(), p.cols.Len() }

func (p pointwise[T]) Tile(dst Tile, row, col int) {
	for i := range dst.Rows {
		x, out := p.rows.At(row+i), dst.Row(i)
		for j := range out {
			out[j] = p.k.Eval(x, p.cols.At(col+j))
		}
	}
}

// combined evaluates each part on its own tile and folds them row by row.
type combined[T any] struct {
	of         Compound[T]
	parts      []Pairs
	rows, cols int
	scratch    *sync.Pool // apart, because it outlives two collections
}

func (c *combined[T]) Dims() (int, int) { return c.rows, c.cols }

// Diag combines the diagonals of the parts.
func (c *combined[T]) Diag(dst []float64) {
	parts := make([][]float64, len(c.parts))
	for p := range parts {
		parts[p] = make([]float64, len(dst))
		Diag(c.parts[p], parts[p])
	}
	c.of.Combine(dst, parts)
}

func (c *combined[T]) Tile(dst Tile, row, col int) {
	size := dst.Rows * dst.Cols
	buf, _ := c.scratch.Get().(*[]float64)
	if buf == nil || cap(*buf) < size*len(c.parts) {
		fresh := make([]float64, size*len(c.parts))
		buf = &fresh
	}
	defer c.scratch.Put(buf)
	tiles := make([]Tile, len(c.parts))
	rows := make([][]float64, len(c.parts))
	for p := range c.parts {
		tiles[p] = Tile{Rows: dst.Rows, Cols: dst.Cols, Stride: dst.Cols, Data: (*buf)[p*size : (p+1)*size]}
		c.parts[p].Tile(tiles[p], row, col)
	}
	for i := range dst.Rows {
		for p := range tiles {
			rows[p] = tiles[p].Row(i)
		}
		c.of.Combine(dst.Row(i), rows)
	}
}
