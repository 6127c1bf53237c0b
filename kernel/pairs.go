package kernel

// Tile is a writable Rows×Cols block of a larger matrix, row-major with the given
// Stride: element (i, j) is Data[i*Stride+j].
type Tile struct {
	Rows, Cols, Stride int
	Data               []float64
}

// NewTile returns a zero tile with Stride = cols.
func NewTile(rows, cols int) Tile {
	return Tile{Rows: rows, Cols: cols, Stride: cols, Data: make([]float64, rows*cols)}
}

// Row returns row i of the tile, Cols numbers.
func (t Tile) Row(i int) []float64 { return t.Data[i*t.Stride : i*t.Stride+t.Cols] }

// Pairs is a kernel bound to its row points and its column points: the matrix
// k(xᵢ, yⱼ), computed block by block on demand and never stored. Below this seam
// nobody knows what a point is.
//
// Tile stores k(x[row+i], y[col+j]) in element (i, j) of dst for every i < dst.Rows
// and j < dst.Cols. It is safe for concurrent use, and an element has the same bits
// whatever tile it is computed in.
type Pairs interface {
	Dims() (rows, cols int)
	Tile(dst Tile, row, col int)
}

// Diagonal is implemented by Pairs that can give k(xᵢ, yᵢ), i < min(rows, cols), in
// one pass; see [Diag].
type Diagonal interface {
	Diag(dst []float64)
}

// Diag stores the diagonal k(xᵢ, yᵢ) of a bound kernel in dst, whose length says
// how many elements are wanted. The bits are those of the tiles.
func Diag(p Pairs, dst []float64) {
	if d, ok := p.(Diagonal); ok {
		d.Diag(dst)
		return
	}
	one := NewTile(1, 1)
	for i := range dst {
		p.Tile(one, i, i)
		dst[i] = one.Data[0]
	}
}

// Normed is implemented by Pairs that know k(x, x) of their row points and of their column
// points, so that a normalised kernel need not bind them again. The bits are those of the
// diagonals of the points bound to themselves.
type Normed interface {
	Norms(rows, cols []float64)
}
