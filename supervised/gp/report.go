package gp

import "example.org/mercer/model"

// Report says how a regression went.
type Report struct {
	N      int     `json:"n"`
	Active int     `json:"active"` // rows of positive weight
	Noise  float64 `json:"noise"`  // σ²
	// RowNoise says that rows have variances of their own besides.
	RowNoise bool    `json:"row_noise,omitempty"`
	Mean     Mean    `json:"mean"`
	Constant float64 `json:"constant"` // m
	// LogEvidence = Fit + Complexity − (n/2) ln 2π, R&W (2.30), and with weights the
	// factors that make a weight of 2 the row twice.
	LogEvidence float64 `json:"log_evidence"`
	Fit         float64 `json:"fit"`        // −½(y − m)ᵀA⁻¹(y − m)
	Complexity  float64 `json:"complexity"` // −½ ln|A|
	// Residual is ‖Aα − (y − m)‖/‖y − m‖, computed from scratch.
	Residual  float64 `json:"residual"`
	Condition float64 `json:"condition,omitempty"` // estimate of that of A, in the 1-norm
	RMSE      float64 `json:"rmse"`                // of the posterior mean at the training rows, weighted
	// Solver is the way the system was solved; "" in old files is [Cholesky].
	Solver Solver `json:"solver,omitempty"`
	// CG is what only [CG] has to say; its Condition is not known (0).
	CG *CGReport `json:"iterated,omitempty"`
	// Cache is how good the variance cache is; nil: there is none.
	Cache *CacheReport `json:"variance_cache,omitempty"`
	// Tuned is how the kernel and the noise were found; nil: they were given.
	Tuned *TuneReport `json:"tuned,omitempty"`

	model.Run
}

// CGReport says how conjugate gradients went.
type CGReport struct {
	Storage   string  `json:"storage"`   // of K, a word of [gram.CachedOperator], or "matrix" or "products" as it was given
	Rank      int     `json:"rank"`      // of the preconditioner; 0: there was none
	Products  int     `json:"products"`  // with K for the coefficients
	Probes    int     `json:"probes"`    // random vectors of the evidence
	Steps     int     `json:"steps"`     // products with K for them
	Tolerance float64 `json:"tolerance"` // for the coefficients
	// StandardError is that of LogEvidence and Complexity, by the differences between the
	// probes; Quadrature bounds what the finite number of steps adds.
	StandardError float64 `json:"standard_error"`
	Quadrature    float64 `json:"quadrature"`
	// Least and Most are bounds of LogEvidence that hold without chance, up to the
	// residual: by ln|P| ≤ ln|A| ≤ ln|P| + [gram.Preconditioner.Ceiling]. Both are left
	// out where there is no preconditioner.
	Least *float64 `json:"least,omitempty"`
	Most  *float64 `json:"most,omitempty"`
}

// TrainingRows is the number of rows of the fit.
func (r *Report) TrainingRows() int { return r.N }
