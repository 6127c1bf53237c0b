package gp

import "mercer/model"

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
	Condition float64 `json:"condition"` // estimate of that of A, in the 1-norm
	RMSE      float64 `json:"rmse"`      // of the posterior mean at the training rows, weighted
	// Tuned is how the kernel and the noise were found; nil: they were given.
	Tuned *TuneReport `json:"tuned,omitempty"`

	model.Run
}
