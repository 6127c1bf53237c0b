package learner

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/krr"
)

// Residuals is a state with leave-one-out residuals of the training rows, rows × outputs; nil
// where they were not computed.
type Residuals interface {
	State
	Residuals() *mat.Dense
}

// Intervals is a state by which predictions have intervals of the method's own: those of a
// process, or those from leave-one-out residuals by a method of package krr.
type Intervals interface {
	State
	Intervals(ctx context.Context, f *Fitted, p *outcome.Prediction, level float64, method krr.IntervalMethod, o compute.Options) (lo, hi *mat.Dense, err error)
}

// Removals is a state that knows what a prediction were without a training row, from the kernel
// values of new rows with all of them.
type Removals interface {
	State
	Explain(ctx context.Context, f *Fitted, cross *mat.Dense, o compute.Options) ([]krr.Explanation, error)
}
