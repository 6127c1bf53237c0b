package kpca

import (
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
)

// Solution is the analysis in index space: component j is Σᵢ Coef[i,j] φ(xᵢ), of norm 1,
// and the score of a point is its inner product with φ(x), plus Bias[j]. Of [Features] column j of
// Coef is the component itself.
type Solution struct {
	Coef    *mat.Dense    // n×k, m×k of features; a column of n has the sum 0, but for Options.Origin
	Bias    []float64     // nil with Options.Origin
	Centred gram.Centring // the mean that was taken off; zero with Options.Origin, and of features
}

// Report says what was found.
type Report struct {
	N          int    `json:"n"`
	Components int    `json:"components"` // those returned
	Solver     Solver `json:"solver"`     // the one that was used
	Why        string `json:"why"`
	Storage    string `json:"storage,omitempty"` // of the matrix that Lanczos multiplied with
	Origin     bool   `json:"origin,omitempty"`  // about the origin, μ = 0 below
	// Variances are the λⱼ, descending: (1/N) Σ wᵢ zⱼ(xᵢ)². N times them are the
	// eigenvalues of the centred Gram matrix where all weights are 1. About the origin
	// they are second moments.
	Variances []float64 `json:"variances"`
	// Total is Σᵢ pᵢ ‖φ(xᵢ) − μ‖², the sum of the variances of all components, known
	// without them; Ratio is Variances/Total.
	Total float64   `json:"total"`
	Ratio []float64 `json:"ratio"`
	// Floor is the size of eigenvalues that rounding can produce, n·ε·(λ₁ + max k(x,x));
	// Dropped counts the eigenvalues that were asked for, or computed, and are not above.
	Floor   float64 `json:"floor"`
	Dropped int     `json:"dropped"`
	// Lanczos is how its iteration ended.
	Lanczos *linalg.TopReport `json:"lanczos,omitempty"`

	model.Run
}
