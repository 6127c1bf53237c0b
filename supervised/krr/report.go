package krr

import "example.org/mercer/model"

// Report says how a fit went. Everything in it was measured, not assumed.
type Report struct {
	N        int    `json:"n"`
	Targets  int    `json:"targets"`
	Solver   Solver `json:"solver"` // the one that was used
	Why      string `json:"why"`    // why it was this one
	Features int    `json:"features,omitempty"`
	// Precision is that of the factor, or of most products where there is none: "single" or
	// "double". The residual, and all that is reported, is computed in double precision.
	Precision string `json:"precision"`
	// Lambda and Ridge = N·Lambda are the same number in the two conventions.
	Lambda float64 `json:"lambda"`
	Ridge  float64 `json:"ridge"`
	// LambdaBy is the criterion by which λ was chosen along its path; "": it was given.
	LambdaBy Criterion `json:"lambda_by,omitempty"`
	// Residual is max over the right-hand sides of ‖b − Mx‖/‖b‖, computed from
	// scratch after the solve (and after one step of iterative refinement if
	// Refined); for [Primal] M is the D×D normal matrix.
	Residual float64 `json:"residual"`
	Refined  bool    `json:"refined,omitempty"`
	// Tolerance is the residual that [CG] was asked for, 0 with other solvers and in files of
	// older versions.
	Tolerance float64 `json:"tolerance,omitempty"`
	// Iterations counts products with K in double precision, those that compute the
	// residual included: of [CG], or of the refinement of a factor in single precision.
	Iterations int `json:"iterations,omitempty"`
	// Sample is the number of rows, drawn in proportion to their weights, whose factor
	// preconditions conjugate gradients on the normal equations of [Primal]; 0: their matrix
	// is that of all rows.
	Sample int `json:"sample,omitempty"`
	// SingleProducts counts those in single precision inside of the iterations.
	SingleProducts int `json:"single_products,omitempty"`
	// Condition estimates the condition number of M, in the 1-norm with the Cholesky
	// solvers and in the 2-norm with Eigen; 0: not known (CG).
	Condition float64 `json:"condition,omitempty"`
	// Rank is the number of eigenvalues that count in a solution of least norm, at λ = 0 of a
	// singular matrix; 0: the matrix has an inverse.
	Rank int `json:"rank,omitempty"`
	// Jitter is what was added to the diagonal besides the ridge: always 0.
	Jitter float64 `json:"jitter"`
	// Norm2 is ‖f‖² = αᵀKα in the RKHS, for each target.
	Norm2 []float64 `json:"norm2"`
	Train *Scores   `json:"train"`
	// Point has leave-one-out scores, GCV, evidence and leverages; nil unless
	// [Options.LOO] asked for it or the solver was Eigen.
	Point *Point `json:"point,omitempty"`

	model.Run
}

// TrainingRows is the number of rows of the fit.
func (r *Report) TrainingRows() int { return r.N }
