package seq

import (
	"context"
	"fmt"
	"math/big"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
)

// Mismatch is the mismatch kernel
//
//	k(x, x′) = Σ_{u ∈ Aᵏ} φ_u(x) φ_u(x′),
//	φ_u(x) = the number of k-mers of x that differ from u in at most M places,
//
// which is Σ_{v in x, w in x′} h(d(v, w)) with h(d) = the number of words within M of both of
// two words at distance d. K = 0 and M = 0 mean 3 and 1; without mismatches it is [Spectrum].
// It is positive definite as an inner product of counts (Leslie, Eskin, Cohen, Weston and
// Noble, Mismatch string kernels for discriminative protein classification, 2004).
type Mismatch struct {
	K, M     int
	Alphabet Alphabet
	Both     bool
}

func (m Mismatch) sizes() (k, most int) {
	most = m.M
	if most == 0 {
		most = 1
	}
	return Spectrum{K: m.K}.Length(), most
}

// weights counts the words within M of two others.
func (m Mismatch) weights() []*big.Rat {
	k, most := m.sizes()
	ball := make([]*big.Rat, min(most, k)+1)
	for d := range ball {
		ball[d] = big.NewRat(1, 1)
	}
	return convolved(k, m.Alphabet.size(), ball, ball)
}

func (m Mismatch) profile() *profile {
	k, _ := m.sizes()
	return profileOf(m, k, m.Alphabet, m.Both, m.weights)
}

// Eval compares all pairs of words.
func (m Mismatch) Eval(x, y string) float64 { return m.profile().eval(x, y) }

// String returns the expression, such as mismatch(k=5, m=1, alphabet=protein).
func (m Mismatch) String() string {
	k, most := m.sizes()
	return fmt.Sprintf("mismatch(k=%d, m=%d%s)", k, most, options(m.Alphabet, m.Both))
}

// Contains accepts every sequence of the alphabet, which must have a fixed number of symbols.
func (m Mismatch) Contains(x string) error {
	k, most := m.sizes()
	if k < 1 || most < 0 {
		return fmt.Errorf("mismatch: k=%d, m=%d: words have at least one symbol, and mismatches are not negative", k, most)
	}
	return checkWords("mismatch", k, m.Alphabet, m.Both, x)
}

// Family returns that of the kernels on sequences.
func (m Mismatch) Family() kernel.Family[string] { return family{} }

func (m Mismatch) anchor(cols data.Set[string]) kernel.BoundColumns[string] {
	return m.profile().anchor(cols)
}

// mostNear is the number of words near one word beyond which they are not listed.
const mostNear = 1 << 16

// FeatureConstruction lists, for each word of a sequence, all words within M of it.
func (m Mismatch) FeatureConstruction(string) (construction.Features[string], error) {
	k, most := m.sizes()
	p, near, choose := m.profile(), 1.0, 1.0
	for d := 1; d <= min(most, k); d++ {
		choose *= float64(k-d+1) * float64(m.Alphabet.size()-1) / float64(d)
		near += choose
	}
	if near > mostNear {
		return nil, construction.None(m, fmt.Sprintf("each word is within %d of %.3g others, which would have to be listed: at most %d", most, near-1, mostNear))
	}
	return construction.Counting[string]{Term: m.String(), Places: m.Alphabet.places, List: func(ctx context.Context, x string, visit func(string, float64, []int)) error {
		for _, s := range newReader(m.Alphabet).strands(x, m.Both) {
			for _, word := range p.words(s) {
				if err := ctx.Err(); err != nil {
					return err
				}
				eachNear(slices.Clone(word), 0, most, m.Alphabet.size(), func(u []rune) { visit(string(u), 1, nil) })
			}
		}
		return nil
	}}, nil
}

// eachNear visits the words that differ from u in at most the given number of the places from
// on.
func eachNear(u []rune, from, most, symbols int, visit func(u []rune)) {
	visit(u)
	if most == 0 {
		return
	}
	for i := from; i < len(u); i++ {
		own := u[i]
		for s := range rune(symbols) {
			if s != own {
				u[i] = s
				eachNear(u, i+1, most-1, symbols, visit)
			}
		}
		u[i] = own
	}
}

// Derive argues by the feature map.
func (m Mismatch) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: m.String(), Verdict: kernel.Definite, Reason: "an inner product of counts of words with mismatches (Leslie et al. 2004)"}
}

// Reference describes the kernel.
func (m Mismatch) Reference() kernel.Reference {
	return kernel.Reference{Name: "mismatch", Title: "mismatch kernel", Formula: "Σ_u φ_u(x) φ_u(y), φ_u(x) = words of k symbols in x that differ from u in at most m places",
		Domain: "x, y: sequences; k ≥ 1, m ≥ 1", Source: "Leslie, Eskin, Cohen, Weston and Noble, Mismatch string kernels for discriminative protein classification, Bioinformatics 20 (2004)", SeeAlso: []string{"spectrum", "gkm"}}
}
