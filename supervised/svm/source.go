package svm

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
)

// source is a kernel on n rows of which any can be bound to any.
type source interface {
	// bind returns the pairs of the given rows against the given columns.
	bind(rows, cols []int) kernel.Pairs
	// diagonal stores the kernel values of the rows of the order with themselves, and returns their
	// pairs where these were bound for it.
	diagonal(ctx context.Context, order []int, dst []float64, workers int) (kernel.Pairs, error)
	// columns binds all rows of the order as columns, which take at most so many bytes.
	columns(order []int, most int64) *columns
	multiplier
}

// multiplier multiplies with parts of a matrix.
type multiplier interface {
	// product returns the product of the matrix of the given rows and columns with x;
	// symmetric says that these are the same.
	product(ctx context.Context, rows, cols []int, symmetric bool, x *mat.Dense, o compute.Options) (*mat.Dense, error)
}

// productRows is the number of rows that are bound for a product at the same time.
const productRows = 8192

// bandRows is the number of rows that a worker takes at a time.
const bandRows = 1024

// points is a kernel with its points.
type points[T any] struct {
	k  kernel.Kernel[T]
	xs data.Set[T]
}

func (p points[T]) bind(rows, cols []int) kernel.Pairs {
	left := p.choose(rows)
	if len(rows) == len(cols) && (len(rows) == 0 || &rows[0] == &cols[0]) {
		return kernel.Bind(p.k, left, left)
	}
	return kernel.Bind(p.k, left, p.choose(cols))
}

func (p points[T]) product(ctx context.Context, rows, cols []int, symmetric bool, x *mat.Dense, o compute.Options) (*mat.Dense, error) {
	var out mat.Dense
	if symmetric {
		return &out, gram.Of(p.bind(rows, rows), o).Mul(ctx, &out, x)
	}
	_, outputs := x.Dims()
	out = *mat.NewDense(len(rows), outputs, nil)
	anchored, pairs := kernel.Anchor(p.k, p.choose(cols)), kernel.Pairs(nil)
	for from := 0; from < len(rows); from += productRows {
		to := min(from+productRows, len(rows))
		pairs = anchored.Bind(p.choose(rows[from:to]), pairs)
		if err := gram.Cross(pairs, o).Mul(ctx, out.Slice(from, to, 0, outputs).(*mat.Dense), x); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// diagonal of vectors is evaluated one by one: binding all of them, of which a search by parts
// has no use, takes much longer.
func (p points[T]) diagonal(ctx context.Context, order []int, dst []float64, workers int) (kernel.Pairs, error) {
	if _, dense := any(p.xs).(data.Vectors); !dense {
		all := p.bind(order, order)
		kernel.Diag(all, dst)
		return all, nil
	}
	return nil, parallel.Each(ctx, workers, parts(len(order), bandRows), func(_, i int) {
		from, to := cut(i, bandRows, len(order))
		for at, row := range order[from:to] {
			x := p.xs.At(row)
			dst[from+at] = p.k.Eval(x, x)
		}
	})
}

// dimensions is the number of features of the kernel's explicit map; 0: it has none.
func (p points[T]) dimensions() int {
	design, _ := p.design()
	return design.Dim
}

// features computes those of the given rows.
func (p points[T]) features(ctx context.Context, rows []int, o compute.Options) (*gram.Features, error) {
	chosen, _ := points[T]{p.k, p.choose(rows)}.design()
	return gram.OfFeatures(ctx, len(rows), chosen.Dim, chosen.Fill, o)
}

// design is the features of all points, where the kernel has an explicit map.
func (p points[T]) design() (d gram.Design, ok bool) { return gram.DesignOf(p.k, p.xs) }

// choose returns the chosen points, the whole set itself where these are all of them.
func (p points[T]) choose(rows []int) data.Set[T] {
	if consecutive(rows, 0) && len(rows) == p.xs.Len() {
		return p.xs
	}
	return data.Subset(p.xs, rows)
}

// consecutive reports whether rows are first, first+1, ….
func consecutive(rows []int, first int) bool {
	for i, row := range rows {
		if row != first+i {
			return false
		}
	}
	return true
}

// matrix is a kernel that is bound already: an operator of which no more is known.
type matrix struct{ p kernel.Pairs }

// newMatrix sees an operator as pairs: those of a stream or a matrix in memory are at
// hand, any other operator is multiplied out.
func newMatrix(ctx context.Context, k gram.Operator, o compute.Options) (matrix, error) {
	if bound, ok := k.(interface{ Pairs() kernel.Pairs }); ok {
		return matrix{bound.Pairs()}, nil
	}
	dense, err := gram.Materialize(ctx, k, o)
	if err != nil {
		return matrix{}, err
	}
	return matrix{gram.FromMatrix(dense).Pairs()}, nil
}

func (m matrix) bind(rows, cols []int) kernel.Pairs {
	if height, width := m.p.Dims(); len(rows) == height && len(cols) == width && consecutive(rows, 0) && consecutive(cols, 0) {
		return m.p
	}
	return chosen{p: m.p, rows: rows, cols: cols}
}

func (m matrix) diagonal(_ context.Context, order []int, dst []float64, _ int) (kernel.Pairs, error) {
	all := m.bind(order, order)
	kernel.Diag(all, dst)
	return all, nil
}

// product multiplies the whole matrix, whose tiles come faster than elements here and
// there, with x at the columns and 0 elsewhere.
func (m matrix) product(ctx context.Context, rows, cols []int, _ bool, x *mat.Dense, o compute.Options) (*mat.Dense, error) {
	n, _ := m.p.Dims()
	_, targets := x.Dims()
	wide, out := mat.NewDense(n, targets, nil), mat.NewDense(len(rows), targets, nil)
	for i, col := range cols {
		copy(wide.RawRowView(col), x.RawRowView(i))
	}
	var all mat.Dense
	if err := gram.Of(m.p, o).Mul(ctx, &all, wide); err != nil {
		return nil, err
	}
	for i, row := range rows {
		copy(out.RawRowView(i), all.RawRowView(row))
	}
	return out, nil
}

// chosen is pairs of chosen rows and columns: a tile is put together from the runs of
// consecutive columns in each of its rows.
type chosen struct {
	p          kernel.Pairs
	rows, cols []int
}

func (c chosen) Dims() (rows, cols int) { return len(c.rows), len(c.cols) }

func (c chosen) Tile(dst kernel.Tile, row, col int) {
	for from := 0; from < dst.Cols; {
		to := from + 1
		for to < dst.Cols && c.cols[col+to] == c.cols[col+to-1]+1 {
			to++
		}
		for i := 0; i < dst.Rows; {
			end := i + 1
			for end < dst.Rows && c.rows[row+end] == c.rows[row+end-1]+1 {
				end++
			}
			part := kernel.Tile{Rows: end - i, Cols: to - from, Stride: dst.Stride, Data: dst.Data[i*dst.Stride+from:]}
			c.p.Tile(part, c.rows[row+i], c.cols[col+from])
			i = end
		}
		from = to
	}
}
