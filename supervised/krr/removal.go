package krr

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
)

// Fitted is what a model keeps of a fit so that the effect of removing a training row
// can be computed later: on a prediction ([Explain]), and on its interval
// ([NewIntervals]).
type Fitted struct {
	Solution     *Solution
	LOOResiduals *mat.Dense // n×m, [Point.LOOResiduals]
	Ridge        float64    // R = Nλ
	Weights      []float64  // nil: all ones
	NoIntercept  bool
}

// check reports every way in which f is not a fit to n rows.
func (f *Fitted) check(n int) error {
	if f.Solution == nil || f.Solution.Coef == nil || f.LOOResiduals == nil {
		return errors.New("krr: intervals and explanations need a solution and its leave-one-out residuals: fit with LOO")
	}
	rows, m := f.Solution.Coef.Dims()
	r, c := f.LOOResiduals.Dims()
	if r != n || rows != n || c != m || len(f.Solution.Bias) != m {
		return fmt.Errorf("krr: the Gram matrix has %d rows, the coefficients are %d×%d with %d biases, the leave-one-out residuals %d×%d: they must be of one fit", n, rows, m, len(f.Solution.Bias), r, c)
	}
	o := Options{Ridge: f.Ridge, Weights: f.Weights}
	return o.Check(n, f.LOOResiduals)
}

// removal is a fit whose system has been factored again, so that it can tell what
// removing any training row would do.
type removal struct {
	Fitted
	sys    *system // its y is not used
	factor *linalg.Cholesky
	u      []float64 // M⁻¹s, with an intercept
	su     float64   // sᵀM⁻¹s
}

func newRemoval(ctx context.Context, k gram.Operator, f Fitted, o compute.Options) (*removal, error) {
	n, _ := k.Dims()
	if err := f.check(n); err != nil {
		return nil, err
	}
	a, err := materialize(ctx, k, o)
	if err != nil {
		return nil, err
	}
	v := &removal{Fitted: f, sys: newSystem(f.LOOResiduals, f.Weights, !f.NoIntercept)}
	v.sys.scale(a)
	if v.factor, err = linalg.FactorDiag(ctx, a, v.sys.shift(f.Ridge), linalgOptions(o)); err != nil {
		j := job{report: &Report{Ridge: f.Ridge, Lambda: f.Ridge / v.sys.total}}
		return nil, j.notDefinite(err)
	}
	if v.sys.intercept {
		u := mat.NewDense(n, 1, slices.Clone(v.sys.s))
		if err := v.factor.Solve(ctx, u, u); err != nil {
			return nil, err
		}
		v.u = u.RawMatrix().Data
		for i, s := range v.sys.s {
			v.su += s * v.u[i]
		}
	}
	return v, nil
}

// admit checks kernel values of new points against the training rows.
func (v *removal) admit(cross *mat.Dense) error {
	if _, n := cross.Dims(); n != v.sys.n {
		return fmt.Errorf("krr: kernel values against %d training rows, but the fit has %d", n, v.sys.n)
	}
	return nil
}

// influence returns c(x) for every row of cross: what f(x) + b gains when yᵢ grows by
// one. By linearity, and because the fit without row i is the one in which yᵢ is
// replaced by its leave-one-out prediction,
//
//	f₋ᵢ(x) + b₋ᵢ = f(x) + b − rᵢ·cᵢ(x).
//
// In the coordinates of the package comment, with k = (k(x, xᵢ))ᵢ,
// c = s∘(M⁻¹(s∘k) + M⁻¹s·(1 − sᵀM⁻¹(s∘k))/(sᵀM⁻¹s)), without the second term if there
// is no intercept. It takes 2n² multiplications for each row of cross.
func (v *removal) influence(ctx context.Context, cross *mat.Dense) (*mat.Dense, error) {
	rows, n := cross.Dims()
	s, c := v.sys.s, mat.NewDense(n, rows, nil)
	for r := range rows {
		for i, k := range cross.RawRowView(r) {
			c.Set(i, r, s[i]*k)
		}
	}
	if err := v.factor.Solve(ctx, c, c); err != nil {
		return nil, err
	}
	out := mat.NewDense(rows, n, nil)
	for r := range rows {
		row, share := out.RawRowView(r), 0.0
		for i := range row {
			row[i] = c.At(i, r)
			share += s[i] * row[i]
		}
		for i := range row {
			if v.sys.intercept {
				row[i] += v.u[i] * (1 - share) / v.su
			}
			row[i] *= s[i]
		}
	}
	return out, nil
}

// leverages returns hᵢᵢ of the training rows, n³/3 multiplications.
func (v *removal) leverages(ctx context.Context) ([]float64, error) {
	h := make([]float64, v.sys.n)
	if err := v.factor.InverseDiag(ctx, h); err != nil {
		return nil, err
	}
	for i, s := range v.sys.s {
		if v.sys.intercept {
			h[i] -= v.u[i] * v.u[i] / v.su
		}
		h[i] = 1 - v.Ridge*h[i]
		if s == 0 {
			h[i] = 0
		}
	}
	return h, nil
}

// predict returns f + b at the rows of cross.
func (v *removal) predict(cross *mat.Dense) *mat.Dense {
	f := new(mat.Dense)
	f.Mul(cross, v.Solution.Coef)
	f.Apply(func(_, j int, value float64) float64 { return value + v.Solution.Bias[j] }, f)
	return f
}
