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

// Classifier is Laplace's approximation on points of type T. The embedded expansion is
// the mean of the latent functions. The class of a point is that with the largest of
// [Classifier.Probabilities]: for two classes it is 1 where the mean is positive; for more
// it need not be that of the largest mean where the functions differ in their variance.
type Classifier[T any] struct {
	*model.Expansion[T]
	Laplace *Laplace
}

// FitClasses learns the classes y, numbers from 0 without gaps, of the points xs, in the
// coefficients of the rows. Cost and errors are those of [SolveClasses], and of points outside the
// domain of the kernel.
func FitClasses[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, o ClassOptions) (*Classifier[T], *ClassReport, error) {
	if err := o.validate(xs.Len(), y); err != nil {
		return nil, nil, err
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("gp: %w", err)
	}
	rows, err := space.DualOf(ctx, gram.Of(kernel.Bind(k, xs, xs), o.Compute), o.Space())
	if err != nil {
		return nil, nil, err
	}
	l, report, err := SolveClasses(ctx, rows, y, o)
	if err != nil {
		return nil, nil, err
	}
	e := &model.Expansion[T]{Kernel: k, Points: xs, Coef: l.Coef, Bias: make([]float64, l.Functions())}
	return &Classifier[T]{Expansion: e, Laplace: l}, report, nil
}

// LatentMarginals are the normal distributions of the latent functions at single points.
type LatentMarginals struct {
	Mean       *mat.Dense      // points × functions
	Covariance []*mat.SymDense // of the functions at each point
	// Clipped counts variances that rounding had made negative; they are zero.
	Clipped int
}

// Marginals returns the distribution of the latent functions at each point.
func (c *Classifier[T]) Marginals(ctx context.Context, xs data.Set[T], o compute.Options) (*LatentMarginals, error) {
	out := &LatentMarginals{}
	var err error
	if out.Mean, err = c.Predict(ctx, xs, o); err != nil {
		return nil, err
	}
	err = eachBlock(ctx, c.Expansion, xs, o, func(from, to int, prior []float64, cross *mat.Dense) error {
		covs, clipped, err := c.Laplace.Covariances(ctx, prior, cross)
		out.Covariance, out.Clipped = append(out.Covariance, covs...), out.Clipped+clipped
		return err
	})
	return out, err
}

// Probabilities returns the averaged probabilities of the classes, one row per point; see
// [LaplaceCovariance.Probabilities].
func (c *Classifier[T]) Probabilities(ctx context.Context, xs data.Set[T], o compute.Options) (*mat.Dense, error) {
	mean, err := c.Predict(ctx, xs, o)
	if err != nil {
		return nil, err
	}
	m := c.Laplace.Functions()
	out := mat.NewDense(xs.Len(), max(2, m), nil)
	return out, eachBlock(ctx, c.Expansion, xs, o, func(from, to int, prior []float64, cross *mat.Dense) error {
		p, err := c.Laplace.Probabilities(ctx, mean.Slice(from, to, 0, m).(*mat.Dense), prior, cross, o)
		if err == nil {
			out.Slice(from, to, 0, max(2, m)).(*mat.Dense).Copy(p)
		}
		return err
	})
}

// TuneClasses is [Tune] for the approximate log evidence of a classifier, R&W section
// 5.5.1. The noise of the options plays no role.
func TuneClasses[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, o TuneOptions) (kernel.Kernel[T], *TuneReport, error) {
	of := ClassOptions{Weights: o.Weights, Compute: o.Compute}
	of.Compute.Checkpoint = nil // an evaluation is one step
	if err := of.validate(xs.Len(), y); err != nil {
		return nil, nil, err
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("gp: %w", err)
	}
	o.FixedNoise = true
	objective := &byMatrix[T]{xs: xs, compute: o.Compute, criterion: func(ctx context.Context, k *mat.SymDense, _ float64) (*Sensitivity, error) {
		return GradientClasses(ctx, k, y, of)
	}}
	tuned, _, report, err := Maximize(ctx, k, o, objective.slope)
	return tuned, report, err
}
