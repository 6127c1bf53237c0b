package gp

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/space"
	"example.org/mercer/supervised/newton"
)

// SolveSoftmax is [SolveClasses] with one function per class, also for two.
func SolveSoftmax(ctx context.Context, k *mat.SymDense, y []int, o ClassOptions) (*Laplace, *ClassReport, error) {
	r := &ClassReport{}
	l, err := o.approximate(ctx, space.NewDual(k, o.linalg()), &newton.Multinomial{Y: y, Weights: o.Weights, Classes: classes(y)}, classes(y), y, r)
	return l, r, err
}

// ContractOuter contracts ½(UVᵀ + VUᵀ) with the derivatives of a kernel in blocks of rows.
func ContractOuter[T any](ctx context.Context, u, v *mat.Dense, k kernel.Differentiable[T], xs data.Set[T], block int) ([]float64, error) {
	return outer{u, v}.contract(ctx, block, 1, func(ctx context.Context, rows []int, m kernel.Tile) ([]float64, error) {
		return kernel.Contract(ctx, k, data.Subset(xs, rows), m, 1)
	})
}

// SlopeByProducts returns the log evidence and its derivatives in the parameters of a
// kernel and in ln σ², as a search by products has them.
func SlopeByProducts[T any](ctx context.Context, k kernel.Differentiable[T], xs data.Set[T], y []float64, o Options) (value float64, theta []float64, noise float64, err error) {
	s, _, err := o.slopeByProducts(ctx, gram.Of(kernel.Bind[T](k, xs, xs), o.Compute), y, nil)
	if err != nil {
		return 0, nil, 0, err
	}
	theta, err = gradient(ctx, s.dK, k, xs, o.Compute.Workers)
	return s.logEvidence, theta, s.dLogNoise, err
}
