package seq

import (
	"fmt"
	"math"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Degree is the weighted degree kernel with shifts,
//
//	k(x, x′) = Σ_{d=1}^{K} β_d Σ_{|i−j| ≤ S} δ_{|i−j|} [x_i … x_{i+d−1} = x′_j … x′_{j+d−1}],
//	β_d = 2(K − d + 1)/(K(K + 1)),   δ_0 = 1, δ_s = 1/(2(s + 1)),
//
// which compares what stands at the same places, for signals in sequences that are aligned.
// K = 0 means 3; S = Shift. It is positive definite: for every d it is a form in the places of
// words whose matrix δ_{|i−j|} is positive definite, because ½ + Σ_{s≤S} cos(sθ)/(s + 1) ≥ 0
// for all S and θ (Rogosinski and Szegő 1928).
//
// Rätsch and Sonnenburg, Accurate splice site prediction for C. elegans, 2004; Rätsch,
// Sonnenburg and Schölkopf, RASE, Bioinformatics 21 (2005).
type Degree struct {
	K, Shift int
	Alphabet Alphabet
}

// Length returns the largest degree.
func (w Degree) Length() int { return Spectrum{K: w.K}.Length() }

func (w Degree) pairwise() pairwise { return pairwise{alphabet: w.Alphabet, value: w.value} }

// Eval goes along the diagonals i − j within the shift.
func (w Degree) Eval(x, y string) float64 { return w.pairwise().eval(x, y) }

// value counts the words in common on each diagonal: a run of r equal symbols has r−d+1 words
// of length d.
func (w Degree) value(x, y []rune) float64 {
	k, sum := w.Length(), 0.0
	counts := make([]int, k+1)
	for s := 0; s <= w.Shift && s < len(y); s++ {
		clear(counts)
		runs(counts, x, y[s:])
		weight := 1.0
		if s > 0 {
			if s < len(x) {
				runs(counts, x[s:], y)
			}
			weight = 1 / (2 * float64(s+1))
		}
		part := 0.0
		for d := 1; d <= k; d++ {
			part += 2 * float64(k-d+1) / (float64(k) * float64(k+1)) * float64(counts[d])
		}
		sum += weight * part
	}
	return sum
}

// runs adds the numbers of equal words of each length at the same places.
func runs(counts []int, x, y []rune) {
	run := 0
	for i := range min(len(x), len(y)) {
		if x[i] != y[i] || x[i] == outside {
			run = 0
			continue
		}
		run++
		for d := 1; d <= run && d < len(counts); d++ {
			counts[d]++
		}
	}
}

// String returns the expression, such as degree(k=3, shift=0).
func (w Degree) String() string {
	return fmt.Sprintf("degree(k=%d, shift=%d%s)", w.Length(), w.Shift, options(w.Alphabet, false))
}

// Contains accepts every sequence of the alphabet.
func (w Degree) Contains(x string) error {
	if w.Length() < 1 || w.Shift < 0 {
		return fmt.Errorf("degree: k=%d, shift=%d: words have at least one symbol, and shifts are not negative", w.K, w.Shift)
	}
	return w.Alphabet.check(x)
}

// Family returns that of the kernels on sequences.
func (w Degree) Family() kernel.Family[string] { return family{} }

func (w Degree) anchor(cols data.Set[string]) kernel.BoundColumns[string] {
	return w.pairwise().anchor(cols)
}

// Derive argues by the form in the places.
func (w Degree) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: w.String(), Verdict: kernel.Definite,
		Reason: "a positive definite form in the places of words: 1/2 + Σ cos(sθ)/(s+1) ≥ 0 (Rogosinski and Szegő 1928)"}
}

// Reference describes the kernel.
func (w Degree) Reference() kernel.Reference {
	return kernel.Reference{Name: "degree", Title: "weighted degree kernel with shifts", Formula: "Σ_{d≤k} 2(k−d+1)/(k(k+1)) Σ_{|i−j|≤shift} δ_{|i−j|} [x_i…x_{i+d−1} = y_j…y_{j+d−1}], δ_0 = 1, δ_s = 1/(2(s+1))",
		Domain: "x, y: sequences; k ≥ 1, shift ≥ 0", Source: "Rätsch, Sonnenburg and Schölkopf, RASE, Bioinformatics 21 (2005)", SeeAlso: []string{"spectrum"}}
}

// number writes a number so that it reads back.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// positive reports whether a number is positive and finite.
func positive(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
