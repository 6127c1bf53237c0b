package erm

import (
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/supervised/newton"
)

// Report says how a fit went.
type Report struct {
	N        int    `json:"n"`
	Loss     string `json:"loss"`   // with the scale that was used
	Solver   Solver `json:"solver"` // the one that was used
	Why      string `json:"why"`    // why it was this one
	Features int    `json:"features,omitempty"`
	// Lambda and Ridge = N·Lambda are the same number in the two conventions.
	Lambda float64 `json:"lambda"`
	Ridge  float64 `json:"ridge"`
	// Objective is (1/N) Σ wᵢℓᵢ + (λ/2)‖f‖², Gap an upper bound on how far it is from
	// the minimum: the duality gap of losses of straight pieces, ‖∇‖²/(2λ) of smooth
	// ones. It says nothing where Local is true.
	Objective float64 `json:"objective"`
	Gap       float64 `json:"gap"`
	Converged bool    `json:"converged"`
	// Local says that the loss is not convex: the result is where majorization came to
	// rest from the best robust start.
	Local      bool `json:"local,omitempty"`
	Iterations int  `json:"iterations"` // weighted ridge regressions
	// Newton has the details of smooth losses, nil otherwise; its numbers are N times
	// those of the objective.
	Newton *newton.Trace `json:"newton,omitempty"`
	// Scale is the standard deviation of good residuals that the loss was given or that
	// was estimated, 1.4826 times the median of |yᵢ − ŷᵢ|; 0 for losses without.
	Scale float64 `json:"scale,omitempty"`
	// Norm2 is ‖f‖² in the RKHS.
	Norm2 float64 `json:"norm2"`
	// Support is the number of rows with a coefficient that is not zero.
	Support int `json:"support"`
	// Rows are the rows that the model of [Fit] is an expansion over; nil where it has
	// weights of features.
	Rows []int `json:"-"`

	model.Run
}

// NewtonTrace returns how Newton's method went; nil: the loss took another.
func (r *Report) NewtonTrace() *newton.Trace { return r.Newton }

// RowLoss returns the loss of a row, with the scale that was used.
func (r *Report) RowLoss() (loss.Loss, error) { return loss.Parse(r.Loss) }

// Solution is f(x) + b = Σᵢ Coef[i,c] k(x, xᵢ) + Bias[c], one column, or one per quantile.
type Solution struct {
	Coef *mat.Dense // α, n×m
	Bias []float64  // zeros without an intercept
	// Values are f(xᵢ) + b + oᵢ at the training rows.
	Values *mat.Dense
}
