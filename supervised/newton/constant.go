package newton

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// constant is the space that holds f = 0 only.
type constant struct {
	rows      int
	intercept bool
}

// Constant returns the space in which all functions are zero, so that only the
// constants are fitted: the null model of a deviance, and where an iteration starts.
func Constant(rows int, intercept bool) Space { return constant{rows, intercept} }

func (s constant) Dims() (rows, coordinates int) { return s.rows, 1 }
func (s constant) Ridge() float64                { return 1 }
func (s constant) Intercept() bool               { return s.intercept }

func (s constant) Values(_ context.Context, dst, _ *mat.Dense) error {
	dst.Zero()
	return nil
}

func (s constant) Gradient(_ context.Context, dst, _, _ *mat.Dense) error {
	dst.Zero()
	return nil
}

func (s constant) Inner(_, _, _ *mat.Dense) float64                   { return 0 }
func (s constant) Norm2(context.Context, *mat.Dense) (float64, error) { return 0, nil }
func (s constant) Finish(_ *mat.Dense, bias []float64) []float64      { return slices.Clone(bias) }
func (s constant) Weigh(_ context.Context, v []float64) (Factor, error) {
	f := constantFactor{s, 0}
	for _, w := range v {
		f.total += w
	}
	return f, nil
}

// constantFactor is the 1×1 Hessian Σ vᵢ of the constants.
type constantFactor struct {
	space constant
	total float64
}

func (f constantFactor) Solve(_ context.Context, covector *mat.Dense, beta []float64) (*mat.Dense, []float64, error) {
	bias := slices.Clone(beta)
	for c := range bias {
		bias[c] /= f.total
	}
	return zeroLike(covector), bias, nil
}

func (f constantFactor) Variances(_ context.Context, dst []float64) error {
	for i := range dst {
		dst[i] = 0
		if f.space.intercept {
			dst[i] = 1 / f.total
		}
	}
	return nil
}
