package sparsegp

import (
	"example.org/mercer/model"
	"example.org/mercer/supervised/gp"
)

// Report says how a regression went. Lists have a number for each target.
type Report struct {
	N             int           `json:"n"`
	Active        int           `json:"active"`    // rows of positive weight
	Landmarks     int           `json:"landmarks"` // m
	Approximation Approximation `json:"approximation"`
	Noise         float64       `json:"noise"` // σ²
	// RowNoise says that rows have variances of their own besides.
	RowNoise bool      `json:"row_noise,omitempty"`
	Mean     gp.Mean   `json:"mean"`
	Constant []float64 `json:"constant"` // μ
	// Jitter is what was added to the diagonal of K_mm, relative to its mean.
	Jitter float64 `json:"jitter"`
	// LogEvidence is the objective: Fit + Complexity + Trace − (n/2) ln 2π, and with weights
	// the factors that make a weight of 2 the row twice. Of [Variational] it is the bound.
	LogEvidence []float64 `json:"log_evidence"`
	Fit         []float64 `json:"fit"`             // −½(y − μ)ᵀ(Q + Λ)⁻¹(y − μ)
	Complexity  float64   `json:"complexity"`      // −½ ln|Q + Λ|
	Trace       float64   `json:"trace,omitempty"` // −½ Σ dᵢ/Σᵢᵢ, of [Variational]
	// Within are numbers between which the log evidence of the exact process is, without chance,
	// with this kernel and noise: see [Report.Gap]. There are none for [FITC].
	Within []Interval `json:"within,omitempty"`
	// TraceLeft is Σ wᵢdᵢ/Σ wᵢkᵢᵢ, the share of the prior variance of the rows that the
	// landmarks leave.
	TraceLeft float64   `json:"trace_left"`
	Condition float64   `json:"condition"` // estimate of that of B, in the 1-norm
	RMSE      []float64 `json:"rmse"`      // of the mean at the training rows, weighted
	// Tuned is how the kernel and the noise were found; nil: they were given.
	Tuned *gp.TuneReport `json:"tuned,omitempty"`

	model.Run
}

// Interval is a range of numbers.
type Interval struct {
	Least float64 `json:"least"`
	Most  float64 `json:"most"`
}

// Gap returns by how much the exact log evidence of a target can exceed the bound: an upper
// bound of KL(q‖p) of [Variational] with the mean of the options.
func (r *Report) Gap(target int) float64 { return r.Within[target].Most - r.Within[target].Least }

// TrainingRows is the number of rows of the fit.
func (r *Report) TrainingRows() int { return r.N }
