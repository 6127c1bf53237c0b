package rkhs

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/model"
)

// Where K = ΦΦᵀ with D features of each of n rows, by landmarks or at random, all that the tests
// compute of it is computed of Φ: n·D numbers instead of n².

// reduced is a kernel that is such a product of features.
type reduced[T any] interface {
	Operator(ctx context.Context, xs data.Set[T], o compute.Options) (*gram.FeatureOperator, error)
}

// matrixOf binds a kernel to its points: as a product of features where it is one.
func matrixOf[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], o compute.Options) (Gram, error) {
	if low, ok := k.(reduced[T]); ok {
		return low.Operator(ctx, xs, o)
	}
	return gram.Of(kernel.Bind(k, xs, xs), o), nil
}

// centredFeatures are Φ_c, those about their mean: K_c = Φ_cΦ_cᵀ.
func centredFeatures(k *gram.FeatureOperator) *mat.Dense {
	phi := mat.DenseCopyOf(k.Phi())
	n, d := phi.Dims()
	mean := make([]float64, d)
	for i := range n {
		floats.AddScaled(mean, 1/float64(n), phi.RawRowView(i))
	}
	for i := range n {
		floats.Sub(phi.RawRowView(i), mean)
	}
	return phi
}

// between returns ‖AᵀB‖²_F, which is ⟨AAᵀ, BBᵀ⟩: 2n·p·q flops of n×p and n×q.
func between(a, b *mat.Dense, workers int) float64 {
	_, p := a.Dims()
	_, q := b.Dims()
	product := mat.NewDense(p, q, nil)
	level3.Implementation{Workers: workers}.Gemm(blas.Trans, blas.NoTrans, 1, a.RawMatrix(), b.RawMatrix(), 0, product.RawMatrix())
	return squaredNorm(product)
}

// squaredNorm returns ‖·‖²_F.
func squaredNorm(a *mat.Dense) float64 {
	return blas64.Dot(vectorOf(a), vectorOf(a))
}

func vectorOf(a *mat.Dense) blas64.Vector {
	raw := a.RawMatrix().Data
	return blas64.Vector{N: len(raw), Inc: 1, Data: raw}
}

// centredSquare returns ‖K_c‖²_F: of features by their D×D moments, else of tiles.
func centredSquare(ctx context.Context, k Gram, b *Barycentre, o compute.Options) (float64, error) {
	if f, ok := k.(*gram.FeatureOperator); ok {
		phi := centredFeatures(f)
		return between(phi, phi, o.Workers), ctx.Err()
	}
	f, err := frobenius(ctx, centredPairs{k.Pairs(), b}, nil, ones(len(b.Inner)), o)
	return f.aa, err
}

// solveInFeatures is [SolveHSIC] where both matrices are products of features.
func solveInFeatures(ctx context.Context, k, l *gram.FeatureOperator, o HSICOptions) (*Dependence, error) {
	n, _ := k.Dims()
	if m, _ := l.Dims(); m != n {
		return nil, fmt.Errorf("rkhs: features of %d and of %d rows: there is one of each in every row", n, m)
	}
	_, p := k.Phi().Dims()
	_, q := l.Phi().Dims()
	need := 8*int64(n)*int64(p+q) + 4*int64(n)*int64(permutationsOf(o.Permutations))
	if err := o.validate(n, need, "features"); err != nil {
		return nil, err
	}
	r, watch := &Dependence{N: n, Null: o.null()}, model.NewStopwatch()
	var sides [2]*Barycentre
	for i, op := range []*gram.FeatureOperator{k, l} {
		var err error
		if sides[i], err = BarycentreOf(ctx, op, nil); err != nil {
			return nil, err
		}
	}
	phi, psi := centredFeatures(k), centredFeatures(l)
	watch.Lap(&r.Run, "centre")
	f := frobeniusProducts{aa: between(phi, phi, o.Compute.Workers), ab: between(phi, psi, o.Compute.Workers), bb: between(psi, psi, o.Compute.Workers)}
	return r, r.test(ctx, f, sides, watch, o, func(ctx context.Context, order []int32) float64 {
		return betweenPermuted(ctx, phi, psi, order)
	})
}

// permutedRows is how many rows are gathered at a time.
const permutedRows = 256

// betweenPermuted is [between] with the rows of b in another order.
func betweenPermuted(ctx context.Context, a, b *mat.Dense, order []int32) float64 {
	n, p := a.Dims()
	_, q := b.Dims()
	product, gathered := mat.NewDense(p, q, nil), mat.NewDense(permutedRows, q, nil)
	for from := 0; from < n && ctx.Err() == nil; from += permutedRows {
		to := min(from+permutedRows, n)
		for i := from; i < to; i++ {
			copy(gathered.RawRowView(i-from), b.RawRowView(int(order[i])))
		}
		level3.Implementation{Workers: 1}.Gemm(blas.Trans, blas.NoTrans, 1, a.Slice(from, to, 0, p).(*mat.Dense).RawMatrix(),
			gathered.Slice(0, to-from, 0, q).(*mat.Dense).RawMatrix(), 1, product.RawMatrix())
	}
	return squaredNorm(product)
}
