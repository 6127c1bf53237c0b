package check

import (
	"fmt"

	"example.org/mercer/kernel"
)

// Verdict is the outcome of a check.
type Verdict int

const (
	// NoCounterexample: none was found; see Report.Derivation for a proof.
	NoCounterexample Verdict = iota
	// NotAKernel: the witness was certified in arbitrary precision.
	NotAKernel
	// NumericalEvidence: the witness lies beyond a bound of the float64 error, but
	// the kernel cannot be evaluated exactly.
	NumericalEvidence
)

var verdicts = [...]string{"no counterexample", "not a kernel", "numerical evidence against"}

// String returns a short phrase.
func (v Verdict) String() string {
	if int(v) < len(verdicts) && v >= 0 {
		return verdicts[v]
	}
	return fmt.Sprintf("check.Verdict(%d)", int(v))
}

// MarshalText returns String, for JSON.
func (v Verdict) MarshalText() ([]byte, error) { return []byte(v.String()), nil }

// The tests that a kernel can fail.
const (
	Symmetry      = "symmetry"
	Diagonal      = "diagonal"
	CauchySchwarz = "Cauchy–Schwarz"
	Spectrum      = "spectrum"
)

// Report is what a check found.
type Report struct {
	Kernel     string            `json:"kernel"`
	Domain     string            `json:"domain"`
	Dim        int               `json:"dim"`
	Seed       uint64            `json:"seed"`
	Verdict    Verdict           `json:"verdict"`
	Failed     string            `json:"failed,omitempty"` // the test that failed
	Witness    *Witness          `json:"witness,omitempty"`
	Derivation kernel.Derivation `json:"derivation"`
	// Contradiction: there are a proof and a counter-example. One of them is wrong,
	// and so is this program.
	Contradiction bool     `json:"contradiction,omitempty"`
	Tried         Tried    `json:"tried"`
	Notes         []string `json:"notes,omitempty"`
}

// Witness is a counter-example: Σᵢⱼ aᵢaⱼk(xᵢ,xⱼ) = Value < 0, or, when symmetry
// failed, two points with k(x, y) − k(y, x) = Value ≠ 0 and no coefficients. All
// numbers are exact dyadic rationals.
type Witness struct {
	Points       [][]float64 `json:"points"`
	Rows         []int       `json:"rows,omitempty"` // their numbers among the given rows, from 1
	Coefficients []float64   `json:"coefficients,omitempty"`
	Gram         [][]float64 `json:"gram"` // k(xᵢ, xⱼ) in float64
	Value        float64     `json:"value"`
	// Exact is the value in decimal, evaluated with Bits bits; empty if the kernel
	// cannot be evaluated exactly.
	Exact string `json:"exact,omitempty"`
	Bits  uint   `json:"bits,omitempty"`
	// Bound is how far |Value| had to be from 0 to count. With Bits it is
	// 2^(−Bits+24)·Σ|aᵢaⱼk(xᵢ,xⱼ)|. Without, it is 2^10·m·2^−52·(Σ|aᵢ|)²·max|k|:
	// a thousand roundings in every value of the kernel, in the worst direction.
	Bound float64 `json:"bound"`
}

// Tried says how hard the search was.
type Tried struct {
	Sets        int `json:"sets"`              // Gram matrices
	Evaluations int `json:"evaluations"`       // of the kernel, in float64
	Exact       int `json:"exact_evaluations"` // of the kernel, in arbitrary precision
	Undefined   int `json:"undefined"`         // sets skipped because the kernel is not finite on them
	Unconfirmed int `json:"unconfirmed"`       // sets whose negative eigenvalue in float64 was not confirmed: rounding
	// Smallest is the smallest eigenvalue in float64 of all Gram matrices, each
	// scaled to a diagonal of ones, but for the unconfirmed. About −1e-15 is rounding.
	Smallest   float64     `json:"smallest_eigenvalue"`
	SmallestAt [][]float64 `json:"smallest_at,omitempty"`
}
