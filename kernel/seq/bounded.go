package seq

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Bounded is the kernel of all words of bounded length,
//
//	k(x, x′) = Σ_{l=1}^{K} w_l · spectrum_l(x, x′),
//
// with weights w_l ≥ 0, all 1 where Weights is nil; K = 0 means 3. It is positive definite as
// a sum of spectrum kernels (Vishwanathan and Smola, Fast kernels for string and tree
// matching, NIPS 2002, with weights by length).
type Bounded struct {
	K        int
	Weights  []float64 // of the lengths from 1 on
	Alphabet Alphabet
	Both     bool
}

// Length returns k.
func (b Bounded) Length() int { return Spectrum{K: b.K}.Length() }

// sum is the kernel as an expression.
func (b Bounded) sum() kernel.Kernel[string] {
	var sum kernel.Sum[string]
	for l := 1; l <= b.Length(); l++ {
		var term kernel.Kernel[string] = Spectrum{K: l, Alphabet: b.Alphabet, Both: b.Both}
		if l <= len(b.Weights) {
			term = kernel.Scaled[string]{Factor: b.Weights[l-1], Of: term}
		}
		sum.Terms = append(sum.Terms, term)
	}
	return sum
}

// Eval adds up the spectrum kernels.
func (b Bounded) Eval(x, y string) float64 { return b.sum().Eval(x, y) }

// String returns the expression, such as bounded(k=2, weights=[1, 0.5]).
func (b Bounded) String() string {
	weights := ""
	if b.Weights != nil {
		var texts []string
		for _, w := range b.Weights {
			texts = append(texts, strconv.FormatFloat(w, 'g', -1, 64))
		}
		weights = ", weights=[" + strings.Join(texts, ", ") + "]"
	}
	return fmt.Sprintf("bounded(k=%d%s%s)", b.Length(), weights, options(b.Alphabet, b.Both))
}

// Contains accepts every sequence of the alphabet.
func (b Bounded) Contains(x string) error {
	if b.Weights != nil && len(b.Weights) != b.Length() {
		return fmt.Errorf("bounded: %d weights for the %d lengths from 1 to k: give one for each", len(b.Weights), b.Length())
	}
	for l, w := range b.Weights {
		if !(w >= 0) || math.IsInf(w, 1) {
			return fmt.Errorf("bounded: the weight of length %d is %v: weights are finite and not negative", l+1, w)
		}
	}
	return Spectrum{K: b.K, Alphabet: b.Alphabet, Both: b.Both}.Contains(x)
}

// Family returns that of the kernels on sequences.
func (b Bounded) Family() kernel.Family[string] { return family{} }

func (b Bounded) anchor(cols data.Set[string]) kernel.BoundColumns[string] {
	return kernel.BindColumns(b.sum(), cols)
}

// Derive argues by the sum.
func (b Bounded) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: b.String(), Verdict: kernel.Definite, Reason: "a sum of spectrum kernels with weights that are not negative"}
}

// Reference describes the kernel.
func (b Bounded) Reference() kernel.Reference {
	return kernel.Reference{Name: "bounded", Title: "kernel of the words of bounded length", Formula: "Σ_{l=1}^{k} w_l·spectrum_l(x, y)",
		Domain: "x, y: sequences; k ≥ 1, w_l ≥ 0", Source: "Vishwanathan and Smola, Fast kernels for string and tree matching, NIPS 2002", SeeAlso: []string{"spectrum"}}
}
