package krr

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/space"
)

// byLeverages is [system.point] from what a factor in features has: with the residuals e of the fit
// and the leverages hᵢᵢ, rᵢ = eᵢ/(1 − hᵢᵢ). Where R > 0 the evidence follows from
// yᵀCy = Σ wᵢeᵢ²/R + ‖f‖² and the log-determinant of the factor.
func (sys *system) byLeverages(ctx context.Context, f space.Factor, ridge float64, sol *Solution, residuals *mat.Dense, norm2 []float64) (*Point, error) {
	leverage := make([]float64, sys.n)
	if err := f.Variances(ctx, leverage); err != nil {
		return nil, err
	}
	for i, s := range sys.s {
		leverage[i] *= s * s
	}
	p, err := sys.primalPoint(ridge, residuals, leverage, norm2, sys.logDetA(ridge, f.LogDet()))
	if err == nil {
		p.Solution = sys.dual(ridge, residuals, sol.Bias)
	}
	return p, err
}

// primalPoint is [system.byLeverages] from the leverages, ‖f‖² of each target and log|A|, with
// log 1ᵀA⁻¹1 where there is an intercept, which matters where R > 0.
func (sys *system) primalPoint(ridge float64, residuals *mat.Dense, leverage, norm2 []float64, logDet float64) (*Point, error) {
	if sys.intercept && sys.active < 2 {
		return nil, errOneRow
	}
	weights := sys.weights()
	p := &Point{Lambda: ridge / sys.total, Ridge: ridge, Leverage: leverage, Train: measure(sys.y, residuals, weights), LOOResiduals: mat.NewDense(sys.n, sys.m, nil)}
	quadratic := slices.Clone(norm2)
	for i, s := range sys.s {
		if leverage[i] > 1-leverageRounding {
			return nil, undetermined(i)
		}
		p.DOF += leverage[i]
		for c, e := range residuals.RawRowView(i) {
			p.LOOResiduals.Set(i, c, e/(1-leverage[i]))
			quadratic[c] += s * s * e * e / ridge
		}
	}
	p.LOO = measure(sys.y, p.LOOResiduals, weights)
	n := float64(sys.active)
	p.GCV = p.Train.MSE() / math.Pow(1-p.DOF/n, 2)
	if ridge > 0 {
		p.Evidence, p.ProfiledEvidence = sys.evidence(quadratic, logDet)
	}
	return p, nil
}

// squares returns ‖w‖² of each column.
func squares(w *mat.Dense) []float64 {
	out := make([]float64, w.RawMatrix().Cols)
	for c := range out {
		norm := mat.Norm(w.ColView(c), 2)
		out[c] = norm * norm
	}
	return out
}

// dual returns the coefficients of the same f over the training rows, α = W(y − f − b)/R,
// or nil where R = 0.
func (sys *system) dual(ridge float64, residuals *mat.Dense, bias []float64) *Solution {
	if ridge == 0 {
		return nil
	}
	alpha := mat.DenseCopyOf(residuals)
	alpha.Apply(func(i, _ int, e float64) float64 { return sys.s[i] * sys.s[i] * e / ridge }, alpha)
	return &Solution{Coef: alpha, Bias: bias}
}
