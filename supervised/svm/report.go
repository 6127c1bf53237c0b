package svm

import "example.org/mercer/model"

// Report says how a fit went. Everything in it was measured, not assumed; objectives,
// gaps and violations were computed in float64 from the kernel itself.
type Report struct {
	Type Type `json:"type"`
	N    int  `json:"n"`
	// Decision is how classes are read off the values; nil for numbers and one class.
	Decision *Decision `json:"decision,omitempty"`
	// Problems are the binary problems that were solved, one per output.
	Problems []BinaryProblem `json:"machines"`
	// SupportVectors counts the rows that have a coefficient in any problem.
	SupportVectors int  `json:"support_vectors"`
	Converged      bool `json:"converged"` // all problems did
	// Support are the rows behind the points of an expansion, in their order; nil where
	// there is none.
	Support []int `json:"-"`
	// Tolerance is the accepted violation of the optimality conditions.
	Tolerance float64 `json:"tolerance"`
	// Evaluations counts kernel values computed for the search, in single precision but
	// for few rows, and Certified those computed once more, in double precision, for the
	// exact gradient: none where the matrix is in memory in that precision.
	Evaluations int64 `json:"evaluations"`
	Certified   int64 `json:"certified"`
	// Matrix is the most bytes that kernel values took in memory at once, without those of a
	// cache of rows.
	Matrix int64 `json:"matrix_bytes"`
	model.Run
}

// SVMType is the type by which LIBSVM knows the problem.
func (r *Report) SVMType() Type { return r.Type }

// Margin counts the rows of a machine of two classes, its support vectors, and those of them that
// are at the bound C·w; ok is false for any other problem, which has no margin or several.
func (r *Report) Margin() (rows, support, bounded int, ok bool) {
	if r.Decision == nil || len(r.Problems) != 1 {
		return 0, 0, 0, false
	}
	return r.N, r.SupportVectors, r.Problems[0].Bounded, true
}

// BinaryProblem says how one problem was solved.
type BinaryProblem struct {
	// Positive and Negative are its classes, as in [Decision].
	Positive int `json:"positive"`
	Negative int `json:"negative"`
	Rows     int `json:"rows"` // with a weight above 0
	// Objective is that of the dual as LIBSVM prints it, ½αᵀQα + pᵀα at its minimum, and
	// Gap how far it can be above the true minimum: the primal objective plus Objective.
	Objective float64 `json:"objective"`
	Gap       float64 `json:"gap"`
	// ExactGap is the gap of the coefficients in the problem with the kernel itself, where
	// another stood for it; ModelGap that of the function, see [Report.Suboptimality].
	ExactGap float64 `json:"exact_gap,omitempty"`
	ModelGap float64 `json:"model_gap,omitempty"`
	// StartGap is the gap of the coefficients that the search began with, see [SolveFrom].
	StartGap float64 `json:"start_gap,omitempty"`
	// Violation is the largest difference of two gradients in the wrong order.
	Violation  float64 `json:"violation"`
	Converged  bool    `json:"converged"` // Violation ≤ Tolerance
	Iterations int     `json:"iterations"`
	Support    int     `json:"support_vectors"`
	Bounded    int     `json:"bounded"` // of these, at the bound C·w
	Bias       float64 `json:"bias"`
	// Rho is the margin ρ that ν-SVC was divided by: it equals C-SVC with C = 1/ρ.
	Rho float64 `json:"rho,omitempty"`
	// Tube is the half width ε that ν-SVR found.
	Tube float64 `json:"tube,omitempty"`
}

// Suboptimality notes how far the problems of a report, which were found with a kernel k̃, are from
// the best with the kernel k itself, given what [SolveFrom] with [Start.EvaluateOnly] says of their
// coefficients β: the duality gap of β with k, that is of Σ βᵢk(·, xᵢ).
//
// Where k̃ projects, k̃(x, y) = ⟨Pk(·, x), Pk(·, y)⟩ as with landmarks, the function
// f̃ = Σ βᵢk̃(·, xᵢ) itself lies in the space of k, where it has the same norm. Its primal
// objective is that of the problem with k̃, the dual one of β with k bounds the optimum from below,
// and
//
//	ModelGap = (gap with k̃) + ½ βᵀ(K − K̃)β
//
// bounds how far f̃ is from it.
func (r *Report) Suboptimality(exact *Report, projects bool) {
	for i := range r.Problems {
		m, with := &r.Problems[i], exact.Problems[i]
		if m.ExactGap = with.Gap; projects {
			m.ModelGap = m.Gap + max(0, with.Objective-m.Objective)
		}
	}
	r.Certified += exact.Certified
	r.Stages, r.Seconds = append(r.Stages, exact.Stages...), r.Seconds+exact.Seconds
}
