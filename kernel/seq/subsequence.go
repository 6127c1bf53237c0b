package seq

import (
	"fmt"
	"math"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// Subsequence is the kernel of the subsequences of K symbols, with gaps,
//
//	k(x, x′) = Σ_{u ∈ Aᴷ} φ_u(x) φ_u(x′),   φ_u(x) = Σ_{i: x[i] = u} λ^(i_K − i_1 + 1),
//
// over all increasing lists i of K places: every occurrence counts λ for each place from its
// first to its last symbol. K = 0 and Decay = 0 mean 3 and λ = 0.5; 0 < λ ≤ 1. It is positive
// definite as an inner product. Long sequences need O(K|x||x′|) steps and O(K|x′|) memory;
// partial sums are scaled by powers of 2, so that only the value itself can overflow.
//
// Lodhi, Saunders, Shawe-Taylor, Cristianini and Watkins, Text classification using string
// kernels, JMLR 2 (2002).
type Subsequence struct {
	K        int
	Decay    float64
	Alphabet Alphabet
}

func (s Subsequence) sizes() (k int, decay float64) {
	if decay = s.Decay; decay == 0 {
		decay = 0.5
	}
	return Spectrum{K: s.K}.Length(), decay
}

func (s Subsequence) pairwise() pairwise { return pairwise{alphabet: s.Alphabet, value: s.value} }

// Eval adds up all pairs of occurrences by dynamic programming.
func (s Subsequence) Eval(x, y string) float64 { return s.pairwise().eval(x, y) }

// partial is K′ of one length: the pairs of occurrences in x up to here and in the first j
// symbols of y, each weighted by λ to the places from its beginning to both ends, times
// 2^exponent. A factor λ² for each symbol is left out.
type partial struct {
	at       []float64
	exponent int
}

// value follows the recursion of Lodhi et al., symbol by symbol of x: with K′₀ = 1,
//
//	K″ᵢ(xa, yb) = λ K″ᵢ(xa, y) + [a = b] K′ᵢ₋₁(x, y),   K′ᵢ(xa, y) = λ K′ᵢ(x, y) + K″ᵢ(xa, y),
//	k(xa, y) = k(x, y) + Σ_j [yⱼ = a] K′_{K−1}(x, y₁…yⱼ₋₁).
func (s Subsequence) value(x, y []rune) float64 {
	k, decay := s.sizes()
	if len(x) < k {
		return 0
	}
	levels := make([]partial, k)
	for i := range levels {
		levels[i].at = make([]float64, len(y)+1)
	}
	for j := range levels[0].at {
		levels[0].at[j] = 1
	}
	sum, exponent := 0.0, 0
	for _, a := range x {
		if a == outside {
			a = unknown // matches nothing, and widens gaps
		}
		last, part := &levels[k-1], 0.0
		for j, b := range y {
			if a == b {
				part += last.at[j]
			}
		}
		sum += math.Ldexp(part, last.exponent-exponent)
		for ; sum > 0x1p500; exponent += 500 {
			sum = math.Ldexp(sum, -500)
		}
		for i := k - 1; i > 0; i-- {
			levels[i].advance(&levels[i-1], a, y, decay)
		}
	}
	return math.Ldexp(sum*math.Pow(decay, float64(2*k)), exponent)
}

// advance appends symbol a to x; shorter still has the sums without it.
func (p *partial) advance(shorter *partial, a rune, y []rune, decay float64) {
	if shorter.exponent > p.exponent {
		p.scale(shorter.exponent)
	}
	factor := math.Ldexp(1, shorter.exponent-p.exponent)
	run, largest := 0.0, 0.0
	for j, b := range y {
		run *= decay
		if a == b {
			run += shorter.at[j] * factor
		}
		p.at[j+1] = decay*p.at[j+1] + run
		largest = max(largest, p.at[j+1])
	}
	if largest > 0x1p500 {
		p.scale(p.exponent + 500)
	}
}

// scale changes the exponent.
func (p *partial) scale(exponent int) {
	for j, v := range p.at {
		p.at[j] = math.Ldexp(v, p.exponent-exponent)
	}
	p.exponent = exponent
}

// String returns the expression, such as subsequence(k=3, decay=0.5).
func (s Subsequence) String() string {
	k, decay := s.sizes()
	return fmt.Sprintf("subsequence(k=%d, decay=%s%s)", k, number(decay), options(s.Alphabet, false))
}

// Contains refuses sequences outside the alphabet, and those for which k(x, x) is not finite.
func (s Subsequence) Contains(x string) error {
	k, decay := s.sizes()
	if k < 1 || !(decay > 0) || decay > 1 {
		return fmt.Errorf("subsequence: k=%d, decay=%v: subsequences have at least one symbol, and 0 < decay ≤ 1", k, decay)
	}
	if err := s.Alphabet.check(x); err != nil {
		return err
	}
	if len(x) < 100 || k < 30 && float64(2*k)*math.Log2(float64(len(x))) < 1000 {
		return nil // no sum of C(|x|, k)² terms below 1 overflows
	}
	if v := s.Eval(x, x); math.IsInf(v, 1) {
		return fmt.Errorf("subsequence: k(x, x) of a sequence of %d bytes is beyond the range of numbers: give a smaller decay or k", len(x))
	}
	return nil
}

// Family returns that of the kernels on sequences.
func (s Subsequence) Family() kernel.Family[string] { return family{} }

func (s Subsequence) anchor(cols data.Set[string]) kernel.BoundColumns[string] {
	return s.pairwise().anchor(cols)
}

// Derive argues by the feature map.
func (s Subsequence) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: s.String(), Verdict: kernel.Definite, Reason: "an inner product of sums over the occurrences of subsequences (Lodhi et al. 2002)"}
}

// Reference describes the kernel.
func (s Subsequence) Reference() kernel.Reference {
	return kernel.Reference{Name: "subsequence", Title: "kernel of subsequences with gaps", Formula: "Σ_u φ_u(x) φ_u(y), φ_u(x) = Σ λ^(length from the first to the last symbol) over the occurrences of u",
		Domain: "x, y: sequences; k ≥ 1, 0 < λ = decay ≤ 1", Source: "Lodhi, Saunders, Shawe-Taylor, Cristianini and Watkins, JMLR 2 (2002) 419–444", SeeAlso: []string{"spectrum", "gkm"}}
}
