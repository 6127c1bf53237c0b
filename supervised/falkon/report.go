package falkon

import (
	"example.org/mercer/approx/nystrom"
	"example.org/mercer/model"
)

// Report says how a fit went. Everything in it was measured.
type Report struct {
	N         int    `json:"n"`
	Targets   int    `json:"targets"`
	Loss      string `json:"loss"`
	Landmarks int    `json:"landmarks"` // m, those that are used
	// Repeated counts landmarks that were left out because they are the same point as
	// another in the space of the kernel.
	Repeated int `json:"repeated,omitempty"`
	// Used has the numbers of those that are used among those that were given; nil: all.
	Used []int `json:"-"`
	// Scheme says how the landmarks were chosen, where whoever chose them wrote it here.
	Scheme nystrom.Scheme `json:"scheme,omitempty"`
	// Lambda and Ridge = N·Lambda are the same number in the two conventions.
	Lambda float64 `json:"lambda"`
	Ridge  float64 `json:"ridge"`
	// Jitter is what was added to the diagonal of K_mm, so that it has a Cholesky factor:
	// a penalty R·Jitter·‖β‖² beside that of f.
	Jitter float64 `json:"jitter"`
	// Precision is that of the passes of the iteration; Held says whether kernel values were kept
	// in memory, which changes no bit, and is no part of a model file.
	Precision string `json:"precision"`
	Held      bool   `json:"-"`
	// Steps counts linear systems: 1 for the squared loss, one more for each refinement. Passes
	// counts products with K_nm and its transpose inside of conjugate gradients. For the squared
	// loss the first of them finds the right-hand side, too. Gradients counts the passes for the
	// gradient alone, of which DoublePasses were in double precision.
	Steps        int `json:"steps"`
	Passes       int `json:"passes"`
	Gradients    int `json:"gradients"`
	DoublePasses int `json:"double_passes"`
	// Sample is the number of rows from which the last preconditioner was made, beside the
	// landmarks.
	Sample int `json:"sample,omitempty"`
	// Start is what Residual was where the iteration began: 1 at f = 0, less where a fit at
	// another λ came before.
	Start float64 `json:"start"`
	// Residual is ‖∇P‖ at the end relative to that at f = 0, b = ȳ, the largest of the
	// targets: computed from scratch in double precision.
	Residual  float64 `json:"residual"`
	Tolerance float64 `json:"tolerance"`
	Converged bool    `json:"converged"`
	// Objective is (1/N) Σ wᵢℓᵢ + (λ/2)‖f‖², summed over the targets, and Gap bounds what
	// it is above its minimum over the span of the landmarks, ‖∇P‖²/(2λ).
	Objective float64 `json:"objective"`
	Gap       float64 `json:"gap"`
	// Norm2 is ‖f‖² for each target.
	Norm2 []float64 `json:"norm2"`
	// Validation has the mean loss of the rows left out after each step that was tried,
	// and Best the step that was kept, counted from 0.
	Validation []float64 `json:"validation,omitempty"`
	Best       int       `json:"best,omitempty"`
	// Optimized says how the landmarks were moved before the fit; nil: they were not.
	Optimized *LandmarkReport `json:"descent,omitempty"`
	// ResidualKernel is what the landmarks do not explain of the kernel, on a sample of rows that
	// are none of them; nil where there are no such rows.
	ResidualKernel *ResidualKernel `json:"left,omitempty"`

	model.Run
}

// ResidualKernel measures K − K_nm K_mm⁻¹ K_mn, the error of the approximation, on a block of rows.
type ResidualKernel struct {
	Rows int `json:"rows"`
	// Trace is that of the block relative to that of K, and Frobenius its norm relative to
	// that of K: 0 where nothing is lost, 1 where nothing is explained.
	Trace     float64 `json:"trace"`
	Frobenius float64 `json:"frobenius"`
}
