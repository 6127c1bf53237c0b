package klr

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/loss"
	"example.org/mercer/space"
)

// Fitted is what a model of two classes keeps of a fit so that standard errors of new
// predictions can be computed later.
type Fitted struct {
	Values      []float64 // linear predictors of the training rows, offsets included
	Ridge       float64   // R = Nλ
	Weights     []float64 // nil: all ones
	NoIntercept bool
}

// check reports every way in which f is not a fit to n rows.
func (f *Fitted) check(n int) error {
	var problems []error
	if len(f.Values) != n {
		problems = append(problems, fmt.Errorf("klr: %d fitted values for a Gram matrix of %d rows: standard errors are for two classes, with one value per row", len(f.Values), n))
	}
	if f.Weights != nil && len(f.Weights) != n {
		problems = append(problems, fmt.Errorf("klr: %d weights for %d rows", len(f.Weights), n))
	}
	if !(f.Ridge > 0) || math.IsInf(f.Ridge, 1) {
		problems = append(problems, fmt.Errorf("klr: ridge = %v is not a finite number > 0", f.Ridge))
	}
	return errors.Join(problems...)
}

// Errors gives standard errors of the linear predictor f(x) + b at any point: those of
// the normal distribution that has the curvature of the penalised likelihood at its
// maximum (Laplace's approximation). With v the curvatures of the losses,
// A = K + R·V⁻¹, k = (k(x, xᵢ))ᵢ and u = A⁻¹1, the variance is
//
//	[k(x, x) − kᵀA⁻¹k + (1 − uᵀk)²/1ᵀu] / R,
//
// without the last term where there is no intercept.
type Errors struct {
	n      int
	ridge  float64
	factor space.Posterior
}

// NewErrors factors the weighted system of a fit to the Gram matrix k: n³/3
// multiplications and 8n² bytes.
func NewErrors(ctx context.Context, k gram.Operator, f Fitted, o compute.Options) (*Errors, error) {
	n, _ := k.Dims()
	if err := f.check(n); err != nil {
		return nil, err
	}
	a, err := gram.CopyDense(ctx, k, o)
	if err != nil {
		return nil, err
	}
	v := make([]float64, n)
	for i, value := range f.Values {
		v[i] = loss.Logistic{}.Curvature(1, value)
		if f.Weights != nil {
			v[i] *= f.Weights[i]
		}
	}
	options := Options{Compute: o}
	factor, _, err := space.NewDual(a, options.linalg()).Weigh(ctx, v, f.Ridge, !f.NoIntercept, nil)
	if err != nil {
		return nil, err
	}
	posterior, ok := factor.(space.Posterior)
	if !ok {
		return nil, fmt.Errorf("klr: %T has no variances at other points", factor)
	}
	return &Errors{n: n, ridge: f.Ridge, factor: posterior}, nil
}

// At returns the standard errors at points x with the kernel values cross, k(x, xᵢ)
// (points × n), and diag, k(x, x). It takes n² multiplications a point.
func (e *Errors) At(ctx context.Context, cross *mat.Dense, diag []float64) ([]float64, error) {
	rows, n := cross.Dims()
	if n != e.n || rows != len(diag) {
		return nil, fmt.Errorf("klr: kernel values are %d×%d with %d of the points themselves, but the fit has %d rows", rows, n, len(diag), e.n)
	}
	out := append([]float64(nil), diag...)
	if _, err := e.factor.VariancesAt(ctx, out, cross); err != nil {
		return nil, err
	}
	for i, v := range out {
		out[i] = math.Sqrt(v / e.ridge)
	}
	return out, nil
}
