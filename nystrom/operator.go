package nystrom

import (
	"context"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/linalg/level3"
)

// featureRows is the number of points whose features are computed together. A constant,
// because bits depend on it.
const featureRows = 128

// Operator is K̃ = ΦΦᵀ of n points, held as the n×m matrix Φ of their features.
type Operator struct {
	phi     *mat.Dense
	product level3.Implementation
}

var _ gram.Symmetric = (*Operator)(nil)

// Operator computes the features of points: nm kernel values, nm² multiplications, 8nm
// bytes, which are refused with a [*gram.TooLarge] error beyond o.MaxMemory.
func (n *Kernel[T]) Operator(ctx context.Context, xs data.Set[T], o gram.Options) (*Operator, error) {
	points, m := xs.Len(), n.Rank()
	if need := columnBytes(points, m); o.MaxMemory > 0 && need > o.MaxMemory {
		return nil, &gram.TooLarge{What: fmt.Sprintf("the %d features of %d points", m, points), Need: need, Limit: o.MaxMemory}
	}
	op := &Operator{phi: new(mat.Dense), product: level3.Implementation{Workers: o.Workers}}
	if points == 0 {
		return op, nil
	}
	op.phi = mat.NewDense(points, m, nil)
	const piece = 8 * featureRows // between two looks at ctx
	for from := 0; from < points; from += piece {
		to := min(from+piece, points)
		part := op.phi.Slice(from, to, 0, m).(*mat.Dense)
		if err := n.features(ctx, part, data.Subset(xs, span(points)[from:to]), o.Workers); err != nil {
			return nil, err
		}
		if o.Progress != nil {
			o.Progress("features", int64(to), int64(points))
		}
	}
	return op, nil
}

// Dims returns the number of points twice.
func (op *Operator) Dims() (rows, cols int) {
	n, _ := op.phi.Dims()
	return n, n
}

// Features returns Φ. It must not be written.
func (op *Operator) Features() *mat.Dense { return op.phi }

// Mul stores K̃x = Φ(Φᵀx) in dst: 4nm flops for each column of x.
func (op *Operator) Mul(ctx context.Context, dst, x *mat.Dense) error {
	n, _ := op.phi.Dims()
	rows, cols := x.Dims()
	if rows != n {
		return fmt.Errorf("nystrom: a %d×%d matrix cannot multiply %d rows", n, n, rows)
	}
	if dst.IsEmpty() {
		dst.ReuseAs(n, cols)
	}
	op.product.Gemm(blas.NoTrans, blas.NoTrans, 1, op.phi.RawMatrix(), op.Weights(x).RawMatrix(), 0, dst.RawMatrix())
	return ctx.Err()
}

// Weights returns Φᵀα, what coefficients of the points are as weights of the features.
func (op *Operator) Weights(alpha *mat.Dense) *mat.Dense {
	_, m := op.phi.Dims()
	_, outputs := alpha.Dims()
	w := mat.NewDense(m, outputs, nil)
	op.product.Gemm(blas.Trans, blas.NoTrans, 1, op.phi.RawMatrix(), alpha.RawMatrix(), 0, w.RawMatrix())
	return w
}

// Pairs presents the elements of K̃ as a bound kernel.
func (op *Operator) Pairs() kernel.Pairs {
	n, _ := op.phi.Dims()
	all := side{n, op.phi.RawRowView}
	return products{rows: all, cols: all}
}

// Bind joins k̃ to its points, whose features are computed when they are first needed and
// then kept.
func (n *Kernel[T]) Bind(rows, cols data.Set[T]) kernel.Pairs {
	p := products{rows: n.side(rows)}
	if p.cols = p.rows; !same(rows, cols) {
		p.cols = n.side(cols)
	}
	return p
}

// same reports whether two sets are one and the same.
func same[T any](a, b data.Set[T]) bool {
	x, ok := any(a).(data.Vectors)
	y, both := any(b).(data.Vectors)
	if !ok || !both || x.Len() != y.Len() || len(x.Raw()) == 0 || len(y.Raw()) == 0 {
		return false
	}
	return &x.Raw()[0] == &y.Raw()[0]
}

// side is the points on one side of k̃: how many, and the features of each.
type side struct {
	count int
	row   func(i int) []float64
}

// side returns points whose features are computed in blocks.
func (n *Kernel[T]) side(xs data.Set[T]) side {
	blocks := make([]struct {
		once sync.Once
		phi  kernel.Tile
	}, (xs.Len()+featureRows-1)/featureRows)
	return side{xs.Len(), func(i int) []float64 {
		b := &blocks[i/featureRows]
		b.once.Do(func() {
			first := i / featureRows * featureRows
			b.phi = kernel.NewTile(min(featureRows, xs.Len()-first), n.Rank())
			n.MapRows(b.phi, xs, first)
		})
		return b.phi.Row(i % featureRows)
	}}
}

// products are the inner products of features.
type products struct{ rows, cols side }

func (p products) Dims() (rows, cols int) { return p.rows.count, p.cols.count }

// Tile makes each element by itself: in a product of matrices its bits would depend on
// the shape of the tile.
func (p products) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		out, phi := dst.Row(i), p.rows.row(row+i)
		for j := range out {
			out[j] = floats.Dot(phi, p.cols.row(col+j))
		}
	}
}

// dense presents a tile as a matrix.
func dense(t kernel.Tile) *mat.Dense {
	out := new(mat.Dense)
	out.SetRawMatrix(blas64.General{Rows: t.Rows, Cols: t.Cols, Stride: t.Stride, Data: t.Data})
	return out
}
