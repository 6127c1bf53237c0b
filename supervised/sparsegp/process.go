package sparsegp

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/supervised/gp"
)

// Process is a Gaussian process on points of type T given rows and their targets. The
// embedded expansion is its mean, a function of the landmarks for each target.
type Process[T any] struct {
	*model.Expansion[T]
	Noise     float64 // σ² of a new observation
	Posterior *Posterior
}

// Fit conditions a process with kernel k on the targets y (n×p) of the points xs, through
// landmarks at, which package nystrom chooses. Cost and errors are those of [Solve], and of
// points outside the domain of the kernel.
func Fit[T any](ctx context.Context, k kernel.Kernel[T], xs, at data.Set[T], y *mat.Dense, o Options) (*Process[T], *Report, error) {
	if err := validate(k, xs, at); err != nil {
		return nil, nil, err
	}
	p, report, err := Solve(ctx, gram.OnLandmarks(k, xs, at, nil, o.Compute), y, o)
	if err != nil {
		return nil, nil, err
	}
	e := &model.Expansion[T]{Kernel: k, Points: at, Coef: p.Coef, Bias: p.Mean}
	return &Process[T]{Expansion: e, Noise: o.Noise, Posterior: p}, report, nil
}

func validate[T any](k kernel.Kernel[T], xs, at data.Set[T]) error {
	if err := kernel.Validate(k, xs); err != nil {
		return fmt.Errorf("sparsegp: %w", err)
	}
	if err := kernel.Validate(k, at); err != nil {
		return fmt.Errorf("sparsegp: landmarks: %w", err)
	}
	return nil
}

// Target returns the process of one target: with its marginals, its covariances and its
// samples.
func (p *Process[T]) Target(j int) *gp.Process[T] {
	coef := mat.DenseCopyOf(p.Coef.ColView(j))
	e := &model.Expansion[T]{Kernel: p.Kernel, Points: p.Points, Coef: coef, Bias: p.Bias[j : j+1]}
	return &gp.Process[T]{Expansion: e, Noise: p.Noise, Posterior: &gp.Posterior{PosteriorCovariance: p.Posterior.LandmarkCovariance, Coef: coef, Mean: p.Bias[j]}}
}
