package mkl

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/model"
)

// Method names a way to weigh terms.
type Method string

const (
	AlignF  Method = "alignf"  // the largest centred alignment
	Align   Method = "align"   // the alignment of each term on its own
	EasyMKL Method = "easymkl" // the largest margin
)

// Methods are all of them, the default first.
var Methods = []Method{AlignF, Align, EasyMKL}

// Options say how to weigh.
type Options struct {
	// Method is the way; "" is [AlignF].
	Method Method
	// Balance is Λ ∈ [0, 1] of [EasyMKL]: 0 uses the points nearest to the other class
	// only, 1 the means of the classes. The zero value is 0; the authors try 0 … 1.
	Balance float64
	// Weights are the wᵢ ≥ 0, one per row; nil means all ones.
	Weights []float64
	// Compute says how to compute: workers, progress. The precision is double.
	Compute compute.Options
}

// Report says what weights were found and why.
type Report struct {
	N      int      `json:"n"`
	Method Method   `json:"method"`
	Terms  []string `json:"terms,omitempty"` // of [Weigh]
	// Weights multiply the terms as they are; Shares multiply terms of the same size τ,
	// and add up to 1. Weights[k] = Shares[k]/τₖ.
	Weights []float64 `json:"weights"`
	Shares  []float64 `json:"shares"`
	// Alignments are the ρ of each term alone, Alignment that of the combination.
	Alignments []float64 `json:"alignments"`
	Alignment  float64   `json:"alignment"`
	// Gap bounds how far the objective of [EasyMKL] is from its minimum, relative to it;
	// the largest of all columns of targets.
	Gap float64 `json:"gap,omitempty"`

	model.Run
}

// validate reports every problem of the options and targets for p terms and n rows.
func (o *Options) validate(p, n int, y *mat.Dense) error {
	c := model.NewChecks("mkl")
	if o.Method != "" && !slices.Contains(Methods, o.Method) {
		c.Add("method %q is not known; one of %q is", o.Method, Methods)
	}
	if !(o.Balance >= 0 && o.Balance <= 1) {
		c.Add("balance = %v is not in [0, 1]", o.Balance)
	}
	if p < 2 {
		c.Add("there are %d terms to weigh: a sum of at least two is needed", p)
	}
	if y == nil || y.IsEmpty() || n == 0 {
		c.Add("there are no targets to weigh by")
	} else if rows, _ := y.Dims(); rows != n {
		c.Add("%d targets for %d rows", rows, n)
	} else if i := slices.IndexFunc(y.RawMatrix().Data, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }); i >= 0 {
		c.Add("a target is %v, not a finite number", y.RawMatrix().Data[i])
	}
	c.Weights(n, o.Weights)
	return c.Err()
}

func (o *Options) weight(i int) float64 { return model.Weight(o.Weights, i) }
