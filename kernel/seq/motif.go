package seq

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/explanation"
	"example.org/mercer/kernel/expr"
)

// Motif is the kernel of one layer of a convolutional kernel network on sequences,
//
//	k(x, x′) = Σ_{u in x, v in x′} exp((⟨u, v⟩/K − 1)/Sigma²) = Σ_{u, v} exp(−d(u, v)/(K·Sigma²)),
//
// over the words u, v of K symbols; ⟨u, v⟩ is the number of places where they agree, d(u, v) that
// of the others. It is a [Mismatch] kernel that falls smoothly. Zero K and Sigma mean 8 and 0.4.
//
// It is positive definite: exp(−d/(Kσ²)) is a product over the places of 1 for equal symbols and
// exp(−1/(Kσ²)) < 1 for others (Chen, Jacob and Mairal, Biological sequence modeling with
// convolutional kernel networks, Bioinformatics 35, 2019).
type Motif struct {
	K        int
	Sigma    float64
	Alphabet Alphabet
	Both     bool
}

func (m Motif) sizes() (k int, sigma float64) {
	k, sigma = m.K, m.Sigma
	if k == 0 {
		k = 8
	}
	if sigma == 0 {
		sigma = 0.4
	}
	return k, sigma
}

// weights returns exp(−d/(Kσ²)) for d = 0 … K.
func (m Motif) weights() []*big.Rat {
	k, sigma := m.sizes()
	h := make([]*big.Rat, k+1)
	for d := range h {
		h[d] = new(big.Rat).SetFloat64(math.Exp(-float64(d) / (float64(k) * sigma * sigma)))
	}
	return h
}

func (m Motif) profile() *profile {
	k, _ := m.sizes()
	return profileOf(m, k, m.Alphabet, m.Both, m.weights)
}

// Eval compares all pairs of words.
func (m Motif) Eval(x, y string) float64 { return m.profile().eval(x, y) }

// String returns the expression, such as motif(k=8, sigma=0.4, alphabet=dna).
func (m Motif) String() string {
	k, sigma := m.sizes()
	return fmt.Sprintf("motif(k=%d, sigma=%s%s)", k, number(sigma), options(m.Alphabet, m.Both))
}

// Contains accepts every sequence of the alphabet, which must have a fixed number of symbols.
func (m Motif) Contains(x string) error {
	k, sigma := m.sizes()
	if !positive(sigma) {
		return fmt.Errorf("motif: sigma=%v must be positive and finite", sigma)
	}
	return checkWords("motif", k, m.Alphabet, m.Both, x)
}

// Family returns that of the kernels on sequences.
func (m Motif) Family() kernel.Family[string] { return family{} }

func (m Motif) anchor(cols data.Set[string]) kernel.BoundColumns[string] {
	return m.profile().anchor(cols)
}

// Explain returns g as a sum over words; see [GKM.Explain].
func (m Motif) Explain(ctx context.Context, points data.Set[string], coef []float64) (explanation.Function[string], error) {
	return m.profile().explain(ctx, m.String(), points, coef)
}

// FeatureConstruction lists the words of a sequence.
func (m Motif) FeatureConstruction(string) (construction.Features[string], error) {
	k, sigma := m.sizes()
	return construction.Words[string]{K: k, Symbols: m.Alphabet.letters(), Sigma: sigma, Contains: m.Contains, Places: m.Alphabet.places,
		List: func(ctx context.Context, x string, visit func(construction.Word)) error {
			l := locate(m.Alphabet, x)
			l.each(k, func(place int) {
				name, _ := l.name(place, k, m.Both)
				word := slices.Clone(l.symbols[place : place+k])
				visit(construction.Word{Symbols: word, Place: place, Name: name})
				if m.Both {
					visit(construction.Word{Symbols: complement(word), Place: place, Name: name})
				}
			})
			return ctx.Err()
		}}, nil
}

// letters returns the symbols of an alphabet of a fixed number of them.
func (a Alphabet) letters() []string {
	out := make([]string, a.size())
	for i := range out {
		if a == Bytes {
			out[i] = legible(string([]byte{byte(i)}))
		} else {
			out[i] = alphabets[a].symbols[i : i+1]
		}
	}
	return out
}

// Derive argues by the factors of a word.
func (m Motif) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: m.String(), Verdict: kernel.Definite,
		Reason: "a sum over pairs of words of products over their places, each 1 or a constant below 1 (Chen, Jacob and Mairal 2019)"}
}

// Reference describes the kernel.
func (m Motif) Reference() kernel.Reference {
	return kernel.Reference{Name: "motif", Title: "convolutional kernel of sequences", Formula: "Σ_{u,v} exp((⟨u, v⟩/k − 1)/σ²), u and v words of k symbols in x and y, ⟨u, v⟩ the places where they agree",
		Domain: "x, y: sequences; k ≥ 1, σ > 0", Equivalents: []string{"Σ_{u,v} exp(−d(u, v)/(kσ²))"},
		Source: "Chen, Jacob and Mairal, Biological sequence modeling with convolutional kernel networks, Bioinformatics 35 (2019)", SeeAlso: []string{"mismatch", "gkm"}}
}

// motifEntry is motif(…) in a dictionary of kernels on sequences.
var motifEntry = expr.Entry[string]{
	Arguments: []expr.Argument{numberArgument("k", "8", "length of the words"), {Name: "sigma", Also: []string{"σ"}, Kind: expr.NumberArg, Default: "0.4", Help: "how fast the kernel falls with the places where words differ"},
		alphabetArgument("bytes"), strandsArgument},
	Summary: "one layer of a convolutional kernel network: all words compared by the places where they agree",
	Build: build(func(a *reading) kernel.Kernel[string] {
		symbols, both := a.symbols(Bytes)
		return Motif{K: a.whole("k", 8, 1), Sigma: a.positive("sigma", 0.4), Alphabet: symbols, Both: both}
	}),
}
