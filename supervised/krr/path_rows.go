package krr

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/space"
)

// rowPath is a [Path] in the span of the rows: diag(s)·K·diag(s) = U Λ Uᵀ, s = √w, so that
// M⁻¹ = U·D⁻¹Uᵀ, and with Z = Uᵀ[s s∘y]
//
//	M⁻¹[s s∘y] = U·D⁻¹Z,  (M⁻¹)ᵢᵢ = Σₖ uᵢₖ²/Dₖ.
//
// Eigenvalues below zero by no more than the rounding of the decomposition, nεΛₘₐₓ, are zero; those
// of a kernel that is not positive definite are kept, and a ridge that does not outweigh them is
// refused.
type rowPath struct{ *Path }

func newRowPath(p *Path) rowPath {
	values, least := p.spectrum.Values, -p.rounding()
	for i, v := range values {
		if v < 0 && v >= least {
			values[i] = 0
		}
	}
	return rowPath{p}
}

// idle: each row of weight zero has an eigenvalue of zero, which does no harm even if R = 0
// (system.shift).
func (p rowPath) idle() int { return p.sys.n - p.sys.active }

// smallest returns the smallest eigenvalue that M has to live with.
func (p rowPath) smallest(ridge float64) float64 {
	if ridge == 0 {
		return p.spectrum.Values[p.idle()]
	}
	return p.spectrum.Values[0]
}

func (p rowPath) admit(ridge float64) error {
	smallest := p.smallest(ridge)
	switch {
	case ridge == 0 && smallest <= p.rounding():
		return singular{fmt.Errorf("krr: λ = 0 asks for interpolation, which needs a positive definite Gram matrix; its smallest eigenvalue is %.3g and the largest %.3g: give a λ > 0", smallest, p.spectrum.Values[p.sys.n-1])}
	case smallest+ridge <= 0:
		return fmt.Errorf("krr: the kernel is not positive definite on these rows: its smallest eigenvalue is %.3g, and the ridge %g (λ = %g) must be larger than %.3g", smallest, ridge, ridge/p.sys.total, -smallest)
	}
	return nil
}

func (p rowPath) point(ctx context.Context, ridge float64, found inverse, _ *mat.Dense) (*Point, error) {
	return p.sys.point(ridge, found.x, found.diag, found.logDet, valuesIn(ctx, p.in))
}

// functions are those of the points.
func (p rowPath) functions(ctx context.Context, ridges []float64) (coef []*mat.Dense, bias [][]float64, err error) {
	points, err := p.AlongRidges(ctx, ridges)
	for _, at := range points {
		coef, bias = append(coef, at.Solution.Coef), append(bias, at.Solution.Bias)
	}
	return coef, bias, err
}

// valuesIn returns the function α ↦ K·α, for the residuals of rows of weight zero.
func valuesIn(ctx context.Context, s space.Space) func(*mat.Dense) (*mat.Dense, error) {
	return func(coef *mat.Dense) (*mat.Dense, error) {
		f := mat.NewDense(coef.RawMatrix().Rows, coef.RawMatrix().Cols, nil)
		return f, s.Values(ctx, f, coef)
	}
}

// operated is a space with an operator of K.
type operated interface{ Operator() gram.Operator }

// eigen solves by a [Path] in the span of the rows.
func (j *job) eigen(ctx context.Context, s space.Space) (*Solution, *Report, error) {
	in, ok := s.(operated)
	if !ok {
		return nil, nil, fmt.Errorf("krr: solver %q decomposes a Gram matrix, and this space has none: use solver %q", Eigen, Primal)
	}
	k, r, sys := in.Operator(), j.report, j.sys
	r.Solver, r.Why = Eigen, "as asked"
	p, err := NewPath(ctx, s, sys.y, PathOptions{NoIntercept: j.o.NoIntercept, Weights: j.o.Weights, Compute: j.o.Compute})
	if err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&r.Run, "eigen")
	at, err := p.shift([]float64{r.Ridge})
	if err != nil {
		return nil, nil, err
	}
	inverses, err := p.invert(ctx, at, 1)
	if err != nil {
		return nil, nil, err
	}
	if r.Point, err = p.form.point(ctx, r.Ridge, inverses[0], nil); err != nil {
		return nil, nil, err
	}
	x := inverses[0].x
	kx := mat.NewDense(sys.n, sys.columns(), nil)
	if err := (gram.Shifted{K: k, Scale: sys.s}).Mul(ctx, kx, x); err != nil {
		return nil, nil, err
	}
	r.Residual = residual(mat.NewDense(sys.n, sys.columns(), nil), sys.rhs(), kx, x, sys.shift(r.Ridge))
	r.Condition = (p.spectrum.Values[sys.n-1] + r.Ridge) / (rowPath{p}.smallest(r.Ridge) + r.Ridge)
	if err := j.judgeCondition(); err != nil {
		return nil, nil, err
	}
	sol := r.Point.Solution
	residuals := sys.byCoefficients(r.Ridge, sol.Coef)
	r.Norm2, r.Train = sys.norms(s, sol, residuals), measure(sys.y, residuals, sys.weights())
	j.watch.Lap(&r.Run, "solve")
	return sol, r, nil
}

// byCoefficients returns the residuals y − f − b = Rα/w, and zero in rows of weight zero.
func (sys *system) byCoefficients(ridge float64, coef *mat.Dense) *mat.Dense {
	out := mat.NewDense(sys.n, sys.m, nil)
	for i, s := range sys.s {
		if s == 0 {
			continue
		}
		for c, v := range coef.RawRowView(i) {
			out.Set(i, c, ridge*(v/s)/s)
		}
	}
	return out
}
