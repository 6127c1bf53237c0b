package gp

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/model"
)

// Classifier is Laplace's approximation on points of type T. The embedded expansion is
// the mean of the latent function: class 1 where it is positive.
type Classifier[T any] struct {
	*model.Expansion[T]
	Latent *Latent
}

// FitClasses learns the classes y, 0 and 1, of the points xs. Cost and errors are those of
// [SolveClasses], and of points outside the domain of the kernel.
func FitClasses[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, o ClassOptions) (*Classifier[T], *ClassReport, error) {
	if err := o.validate(xs.Len(), y); err != nil {
		return nil, nil, err
	}
	if err := kernel.Validate(k, xs); err != nil {
		return nil, nil, fmt.Errorf("gp: %w", err)
	}
	l, report, err := SolveClasses(ctx, gram.Of(kernel.Bind(k, xs, xs), o.Compute), y, o)
	if err != nil {
		return nil, nil, err
	}
	e := &model.Expansion[T]{Kernel: k, Points: xs, Coef: l.Coef, Bias: []float64{0}}
	return &Classifier[T]{Expansion: e, Latent: l}, report, nil
}

// Marginals returns the mean and the variance of the latent function at each point.
func (c *Classifier[T]) Marginals(ctx context.Context, xs data.Set[T], o gram.Options) (*Marginals, error) {
	return marginals(ctx, c.Expansion, c.Latent.Conditioned, xs, o)
}

// Probabilities returns the averaged probabilities of both classes, one row per point;
// see [Probability].
func (c *Classifier[T]) Probabilities(ctx context.Context, xs data.Set[T], o gram.Options) (*mat.Dense, error) {
	m, err := c.Marginals(ctx, xs, o)
	if err != nil {
		return nil, err
	}
	out := mat.NewDense(xs.Len(), 2, nil)
	for i, f := range m.Mean {
		out.SetRow(i, []float64{Probability(-f, m.Variance[i]), Probability(f, m.Variance[i])})
	}
	return out, nil
}

// TuneClasses is [Tune] for the approximate log evidence of a classifier, R&W section
// 5.5.1. The noise of the options plays no role.
func TuneClasses[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y []int, o TuneOptions) (kernel.Kernel[T], *TuneReport, error) {
	of := ClassOptions{Weights: o.Weights, Compute: o.Compute}
	if err := of.validate(xs.Len(), y); err != nil {
		return nil, nil, err
	}
	o.FixedNoise = true
	s := &search[T]{k: k, xs: xs, o: &o, criterion: func(ctx context.Context, k *mat.SymDense, _ float64) (*Sensitivity, error) {
		return GradientClasses(ctx, k, y, of)
	}}
	tuned, _, report, err := s.tune(ctx)
	return tuned, report, err
}
