package gp

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Process is a Gaussian process on points of type T given rows and their targets. The
// embedded expansion is its mean.
type Process[T any] struct {
	*model.Expansion[T]
	Noise     float64 // σ² of a new observation
	Posterior *Posterior
}

// Marginals are the distributions N(Mean, Variance) of f at single points. Observations
// have the variance of their noise besides.
type Marginals struct {
	Mean, Variance []float64
	// Clipped counts variances that rounding had made negative; they are zero.
	Clipped int
}

// Fit conditions a process with kernel k on the targets y of the points xs, in the coefficients of
// the rows. Cost and errors are those of [Solve], and of points outside the domain of the kernel.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []float64, o Options) (*Process[T], *Report, error) {
	if err := o.validate(xs.Len(), append([]float64{}, y...)); err != nil {
		return nil, nil, err
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("gp: %w", err)
	}
	rows, err := space.DualOf(ctx, gram.Of(kernel.Bind(k, xs, xs), o.Compute), o.Space())
	if err != nil {
		return nil, nil, err
	}
	p, report, err := Solve(ctx, rows, y, o)
	if err != nil {
		return nil, nil, err
	}
	e := &model.Expansion[T]{Kernel: k, Points: xs, Coef: p.Coef, Bias: []float64{p.Mean}}
	return &Process[T]{Expansion: e, Noise: o.Noise, Posterior: p}, report, nil
}

// Marginals returns the mean and the variance of f at each point: n² flops a point.
func (p *Process[T]) Marginals(ctx context.Context, xs data.Set[T], o compute.Options) (*Marginals, error) {
	mean, err := p.Predict(ctx, xs, o)
	if err != nil {
		return nil, err
	}
	out := &Marginals{Mean: mat.Col(nil, 0, mean)}
	err = eachBlock(ctx, p.Expansion, xs, o, func(_, _ int, variances []float64, cross *mat.Dense) error {
		clipped, err := p.Posterior.VariancesAt(ctx, variances, cross)
		out.Variance, out.Clipped = append(out.Variance, variances...), out.Clipped+clipped
		return err
	})
	return out, err
}

// block is the number of points whose kernel values are held together.
const block = 256

// eachBlock calls use for a block of points after the other, with their prior variances and
// their kernel values against the points of an expansion.
func eachBlock[T any](ctx context.Context, e *model.Expansion[T], xs data.Set[T], o compute.Options, use func(from, to int, prior []float64, cross *mat.Dense) error) error {
	prior := make([]float64, xs.Len())
	kernel.Diag(kernel.Bind(e.Kernel, xs, xs), prior)
	for from := 0; from < xs.Len(); from += block {
		to := min(from+block, xs.Len())
		cross := new(mat.Dense)
		if err := gram.Rect(ctx, cross, kernel.Bind(e.Kernel, data.Subset(xs, span(from, to)), e.Points), o); err != nil {
			return err
		}
		if err := use(from, to, prior[from:to], cross); err != nil {
			return err
		}
	}
	return nil
}

func span(from, to int) []int {
	out := make([]int, to-from)
	for i := range out {
		out[i] = from + i
	}
	return out
}

// Covariance returns the joint distribution of f at m points: its mean and its covariance
// matrix, m²(n + m) flops and m(n + m) numbers of memory.
func (p *Process[T]) Covariance(ctx context.Context, xs data.Set[T], o compute.Options) (mean []float64, covariance *mat.SymDense, err error) {
	mean, covariance, _, err = p.joint(ctx, xs, o)
	return mean, covariance, err
}

// joint is Covariance, with the largest prior variance.
func (p *Process[T]) joint(ctx context.Context, xs data.Set[T], o compute.Options) (mean []float64, covariance *mat.SymDense, prior float64, err error) {
	f, err := p.Predict(ctx, xs, o)
	if err != nil {
		return nil, nil, 0, err
	}
	if covariance, err = gram.Dense(ctx, kernel.Bind(p.Kernel, xs, xs), o); err != nil {
		return nil, nil, 0, err
	}
	cross := new(mat.Dense)
	if err := gram.Rect(ctx, cross, kernel.Bind(p.Kernel, xs, p.Points), o); err != nil {
		return nil, nil, 0, err
	}
	prior = largestVariance(covariance)
	return mat.Col(nil, 0, f), covariance, prior, p.Posterior.CovarianceAt(ctx, covariance, cross)
}

// Sample draws functions from the posterior, as their values at the points: one column
// each. See [Sample].
func (p *Process[T]) Sample(ctx context.Context, xs data.Set[T], count int, seed uint64, o compute.Options) (*mat.Dense, error) {
	mean, covariance, prior, err := p.joint(ctx, xs, o)
	if err != nil {
		return nil, err
	}
	return draw(ctx, mean, covariance, prior, count, seed, o)
}

// SamplePrior draws functions from GP(0, k), as their values at the points: one column
// each. See [Sample].
func SamplePrior[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], count int, seed uint64, o compute.Options) (*mat.Dense, error) {
	if err := kernel.Validate(k, xs); err != nil {
		return nil, fmt.Errorf("gp: %w", err)
	}
	covariance, err := gram.Dense(ctx, kernel.Bind(k, xs, xs), o)
	if err != nil {
		return nil, err
	}
	return Sample(ctx, make([]float64, xs.Len()), covariance, count, seed, o)
}
