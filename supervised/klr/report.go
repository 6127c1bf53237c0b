package klr

import (
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/supervised/newton"
)

// Report says how a fit went.
type Report struct {
	N        int    `json:"n"`
	Classes  int    `json:"classes"`
	Solver   Solver `json:"solver"` // the one that was used
	Why      string `json:"why"`    // why it was this one
	Features int    `json:"features,omitempty"`
	// Lambda and Ridge = N·Lambda are the same number in the two conventions.
	Lambda float64 `json:"lambda"`
	Ridge  float64 `json:"ridge"`
	// Objective is (1/N) Σ wᵢℓᵢ + (λ/2)‖f‖². Newton.Gap/N bounds how far it is from the
	// minimum; the numbers of Newton are N times those of the objective.
	Objective float64      `json:"objective"`
	Newton    newton.Trace `json:"newton"`
	// Norm2 is ‖f‖² in the RKHS, for each function.
	Norm2 []float64 `json:"norm2"`
	// Deviance is −2 Σ wᵢ ln P(yᵢ|xᵢ), NullDeviance that of the best constant (and the
	// offsets), or of f = 0 without an intercept.
	Deviance     float64 `json:"deviance"`
	NullDeviance float64 `json:"null_deviance"`
	// Accuracy is the part of the weight of the training rows whose class is the most
	// probable one.
	Accuracy float64 `json:"accuracy"`
	// Point is nil unless [Options.LOO] asked for it.
	Point *Point `json:"point,omitempty"`

	model.Run
}

// NewtonTrace returns how Newton's method went.
func (r *Report) NewtonTrace() *newton.Trace { return &r.Newton }

// RowLoss returns the loss of a row, that of two labels where there are more.
func (r *Report) RowLoss() (loss.Loss, error) { return loss.Logistic{}, nil }

// Point is what is known about the rows beside their fitted values. With
// H = Σ vᵢφᵢφᵢᵀ + R the Hessian at the minimum, φᵢ the features of row i and of the
// constant, cᵢ = φᵢᵀH⁻¹φᵢ, gᵢ and vᵢ the first and second derivative of wᵢℓᵢ:
type Point struct {
	// StandardErrors of the linear predictor are √cᵢ: those of the normal distribution
	// with the curvature of the penalised likelihood at its maximum (Laplace). With
	// m > 2 functions there are m for each row, row by row, and cᵢ and vᵢ are m×m
	// matrices; they are the errors of η_c less the mean over the classes, because the
	// data say nothing of the mean, which changes no probability.
	StandardErrors []float64 `json:"-"`
	// Leverage is tr vᵢcᵢ, DOF their sum, the effective degrees of freedom.
	Leverage []float64 `json:"-"`
	DOF      float64   `json:"dof"`
	// LOOValues approximate f₋ᵢ(xᵢ) + b₋ᵢ + oᵢ, with row i left out and the same ridge,
	// by one Newton step from the fit: ηᵢ + cᵢ(1 − vᵢcᵢ)⁻¹gᵢ (Pregibon 1981; Cawley and
	// Talbot 2008); m for each row, row by row.
	LOOValues []float64 `json:"-"`
	// LOODeviance and LOOAccuracy are those of the LOOValues.
	LOODeviance float64 `json:"loo_deviance"`
	LOOAccuracy float64 `json:"loo_accuracy"`
}
