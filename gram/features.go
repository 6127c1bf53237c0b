package gram

import (
	"context"
	"fmt"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg/level3"
)

// featureRows is the number of points whose features are computed together. A constant,
// because bits depend on it.
const featureRows = 128

// FeatureOperator multiplies by K = ΦΦᵀ of n points, held as the n×m matrix Φ of their features.
type FeatureOperator struct {
	phi     *mat.Dense
	product level3.Implementation
}

var _ Symmetric = (*FeatureOperator)(nil)

// FeatureOperatorOf computes Φ, m features of each of n points, 8nm bytes, which are refused with a
// [*compute.TooLarge] error beyond o.MaxMemory. fill stores those of the points from … in the rows
// of dst.
func FeatureOperatorOf(ctx context.Context, n, m int, fill func(ctx context.Context, dst *mat.Dense, from int) error, o compute.Options) (*FeatureOperator, error) {
	if need := 8 * int64(n) * int64(m); o.MaxMemory > 0 && need > o.MaxMemory {
		return nil, &compute.TooLarge{What: fmt.Sprintf("the %d features of %d points", m, n), Need: need, Limit: o.MaxMemory}
	}
	op := &FeatureOperator{phi: new(mat.Dense), product: level3.Implementation{Workers: o.Workers}}
	if n == 0 {
		return op, nil
	}
	op.phi = mat.NewDense(n, m, nil)
	const piece = 8 * featureRows // between two checks of ctx
	told := o.Meter("features", int64(n))
	for from := 0; from < n; from += piece {
		to := min(from+piece, n)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := fill(ctx, op.phi.Slice(from, to, 0, m).(*mat.Dense), from); err != nil {
			return nil, err
		}
		told.Reach(int64(to))
	}
	return op, nil
}

// Dims returns the number of points twice.
func (op *FeatureOperator) Dims() (rows, cols int) {
	n, _ := op.phi.Dims()
	return n, n
}

// Phi returns Φ. It must not be written.
func (op *FeatureOperator) Phi() *mat.Dense { return op.phi }

// Mul stores Kx = Φ(Φᵀx) in dst: 4nm flops for each column of x.
func (op *FeatureOperator) Mul(ctx context.Context, dst, x *mat.Dense) error {
	n, _ := op.phi.Dims()
	rows, cols := x.Dims()
	if rows != n {
		return fmt.Errorf("gram: a %d×%d matrix cannot multiply %d rows", n, n, rows)
	}
	if dst.IsEmpty() {
		dst.ReuseAs(n, cols)
	}
	op.product.Gemm(blas.NoTrans, blas.NoTrans, 1, op.phi.RawMatrix(), op.Weights(x).RawMatrix(), 0, dst.RawMatrix())
	return ctx.Err()
}

// Weights returns Φᵀα, what coefficients of the points are as weights of the features.
func (op *FeatureOperator) Weights(alpha *mat.Dense) *mat.Dense {
	_, m := op.phi.Dims()
	_, outputs := alpha.Dims()
	w := mat.NewDense(m, outputs, nil)
	op.product.Gemm(blas.Trans, blas.NoTrans, 1, op.phi.RawMatrix(), alpha.RawMatrix(), 0, w.RawMatrix())
	return w
}

// Pairs presents the elements of K as a bound kernel.
func (op *FeatureOperator) Pairs() kernel.Pairs {
	n, _ := op.phi.Dims()
	all := featureSide{n, op.phi.RawRowView}
	return featureProducts{rows: all, cols: all}
}

// BindFeatures joins a kernel with a map of m features to its points, whose features are
// computed when they are first needed and then kept.
func BindFeatures[T any](k kernel.Mapped[T], m int, rows, cols data.Set[T]) kernel.Pairs {
	p := featureProducts{rows: sideOf(k, m, rows)}
	if p.cols = p.rows; !sameVectors(rows, cols) {
		p.cols = sideOf(k, m, cols)
	}
	return p
}

// sameVectors reports whether two sets are one and the same set of vectors.
func sameVectors[T any](a, b data.Set[T]) bool {
	x, ok := any(a).(data.Vectors)
	y, both := any(b).(data.Vectors)
	return ok && both && data.SameSlices(x, y)
}

// featureSide is the points on one side of a kernel: how many, and the features of each.
type featureSide struct {
	count int
	row   func(i int) []float64
}

// sideOf returns points whose features are computed in blocks.
func sideOf[T any](k kernel.Mapped[T], m int, xs data.Set[T]) featureSide {
	blocks := make([]struct {
		once sync.Once
		phi  kernel.Tile
	}, (xs.Len()+featureRows-1)/featureRows)
	return featureSide{xs.Len(), func(i int) []float64 {
		b := &blocks[i/featureRows]
		b.once.Do(func() {
			first := i / featureRows * featureRows
			b.phi = kernel.NewTile(min(featureRows, xs.Len()-first), m)
			kernel.MapRows(k, b.phi, xs, first)
		})
		return b.phi.Row(i % featureRows)
	}}
}

// featureProducts are the inner products of features.
type featureProducts struct{ rows, cols featureSide }

func (p featureProducts) Dims() (rows, cols int) { return p.rows.count, p.cols.count }

// Tile makes each element by itself: in a product of matrices its bits would depend on
// the shape of the tile.
func (p featureProducts) Tile(dst kernel.Tile, row, col int) {
	for i := range dst.Rows {
		out, phi := dst.Row(i), p.rows.row(row+i)
		for j := range out {
			out[j] = floats.Dot(phi, p.cols.row(col+j))
		}
	}
}

// AsMatrix presents a tile as a matrix.
func AsMatrix(t kernel.Tile) *mat.Dense {
	out := new(mat.Dense)
	out.SetRawMatrix(blas64.General{Rows: t.Rows, Cols: t.Cols, Stride: t.Stride, Data: t.Data})
	return out
}
