package count

import (
	"gonum.org/v1/gonum/blas"

	"example.org/mercer/kernel"
	"example.org/mercer/linalg/level3"
)

// Pairs is a kernel of counts bound to points.
type Pairs struct {
	rows    []Row
	cols    *Columns
	squares []float64
	dense   []float32 // of the rows; nil where single precision would not be exact
	largest float64   // no value exceeds it, by the inequality of Cauchy and Schwarz
}

// buffer is the room that a tile takes.
type buffer struct {
	long    []uint64
	short   []uint32
	product []float32
}

// Dims returns the numbers of points.
func (p *Pairs) Dims() (rows, cols int) { return len(p.rows), len(p.cols.points) }

// Diag compares the two points of each pair.
func (p *Pairs) Diag(dst []float64) {
	for i := range dst {
		dst[i] = float64(p.rows[i].Dot(p.cols.points[i]))
	}
}

// Norms stores k(x, x) of the row points and of the column points; see [kernel.Normed].
func (p *Pairs) Norms(rows, cols []float64) {
	copy(rows, p.squares)
	copy(cols, p.cols.squares)
}

// Tile stores a block of the Gram matrix.
func (p *Pairs) Tile(dst kernel.Tile, row, col int) {
	fill(p, dst.Rows, dst.Cols, row, col, dst.Row)
}

// Tile32 is Tile, rounded once.
func (p *Pairs) Tile32(dst kernel.Tile32, row, col int) {
	fill(p, dst.Rows, dst.Cols, row, col, dst.Row)
}

// fewColumns is the number of columns up to which two rows of counts are compared instead.
const fewColumns = 4

// fill computes a tile: the product of the dense columns, and the lists of the rest.
func fill[F float32 | float64](p *Pairs, rows, cols, row, col int, out func(i int) []F) {
	if rows == 0 || cols == 0 {
		return
	}
	if cols <= fewColumns || p.cols.width > 0 && p.dense == nil {
		for i := range rows {
			for j := range out(i) {
				out(i)[j] = F(p.rows[row+i].Dot(p.cols.points[col+j]))
			}
		}
		return
	}
	b := p.cols.buffers.Get().(*buffer)
	defer p.cols.buffers.Put(b)
	if p.largest >= exactSingle {
		b.long = zeros(b.long, cols)
		for i := range rows {
			clear(b.long)
			addLists(p, b.long, row+i, col)
			for j, v := range b.long {
				out(i)[j] = F(v)
			}
		}
		return
	}
	b.short = zeros(b.short, cols)
	w := p.cols.width
	if w > 0 {
		b.product = zeros(b.product, rows*cols)
		level3.Implementation{Workers: 1}.Sgemm(blas.NoTrans, blas.Trans, rows, cols, w, 1, p.dense[row*w:], w, p.cols.dense[col*w:], w, 0, b.product, cols)
	}
	for i := range rows {
		clear(b.short)
		addLists(p, b.short, row+i, col)
		dst := out(i)
		for j, v := range b.short {
			dst[j] = F(v)
		}
		if w > 0 {
			for j, v := range b.product[i*cols : (i+1)*cols] {
				dst[j] += F(v)
			}
		}
	}
}

// zeros returns n zeros, in the memory of s if that is enough.
func zeros[E any](s []E, n int) []E {
	if cap(s) < n {
		return make([]E, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// addLists adds to sum[j] the products of point row with column col + j by the lists.
func addLists[A uint64 | uint32](p *Pairs, sum []A, row, col int) {
	width := p.cols.lists.width
	for len(sum) > 0 {
		at := col / width
		from := col - at*width
		to := min(width, from+len(sum))
		add(&p.cols.lists.blocks[at], sum[:to-from], p.rows[row], from, to)
		sum, col = sum[to-from:], col+to-from
	}
}
