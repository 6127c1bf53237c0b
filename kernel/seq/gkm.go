package seq

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
)

// Filter says how words that differ count in the gapped k-mer kernel.
type Filter int

const (
	// TruncatedFilter is the estimate of the counts of words by gapped k-mers up to its first
	// coefficient that is not positive: the default of gkm-SVM.
	TruncatedFilter Filter = iota
	// FullFilter is the whole estimate, which is the orthogonal projection on the functions of k
	// of the l symbols.
	FullFilter
	// CountFilter counts the gapped k-mers in common.
	CountFilter
)

var filters = []string{"truncated", "full", "count"}

// String returns the name in expressions.
func (f Filter) String() string {
	if f < 0 || int(f) >= len(filters) {
		return fmt.Sprintf("seq.Filter(%d)", int(f))
	}
	return filters[f]
}

// GKM is the gapped k-mer kernel of gkm-SVM,
//
//	k(x, x′) = Σ_{u in x, v in x′, d(u, v) ≤ D} h(d(u, v))
//
// over the words u, v of L symbols and their Hamming distance. With K of the L places taken
// into account, h(d) = C(L−d, K) counts the gapped k-mers that u and v have in common
// ([CountFilter]). The others compare words through the smallest counts of words that would explain
// the gapped k-mers: [FullFilter] with
//
//	h(d) = b⁻ᴸ Σ_{i≤K} Kᵢ(d),   Kᵢ the Krawtchouk polynomials over b symbols,
//
// the projection on functions of K symbols, and [TruncatedFilter] with the product with itself of
// this matrix cut before its first coefficient that is not positive.
//
// Zero L, K and D mean 11, 7 and 3, and D ≥ L all distances. A cut at D may leave the positive
// definite kernels: Derive looks at the eigenvalues. Usually the kernel is normalised.
//
// Ghandi, Lee, Mohammad-Noori and Beer, Enhanced regulatory sequence prediction using gapped
// k-mer features, PLoS Computational Biology 10 (2014); Lee, LS-GKM, Bioinformatics 32 (2016).
type GKM struct {
	L, K, D  int
	Filter   Filter
	Alphabet Alphabet
	Both     bool
}

// sizes returns l, k and d.
func (g GKM) sizes() (l, k, d int) {
	l, k, d = g.L, g.K, g.D
	if l == 0 {
		l = 11
	}
	if k == 0 {
		k = 7
	}
	if d == 0 {
		d = 3
	}
	return l, k, min(d, l)
}

// weights returns h in fractions.
func (g GKM) weights() []*big.Rat {
	l, k, d := g.sizes()
	b := g.Alphabet.size()
	h := make([]*big.Rat, l+1)
	for i := range h {
		if g.Filter == CountFilter {
			h[i] = new(big.Rat).SetInt(choose(l-i, k))
			continue
		}
		sum := new(big.Int)
		for degree := range k + 1 {
			sum.Add(sum, krawtchouk(l, b, degree, i))
		}
		h[i] = new(big.Rat).SetFrac(sum, power(b, l))
	}
	if g.Filter == TruncatedFilter {
		for i := range h {
			if h[i].Sign() <= 0 {
				h = h[:i]
				break
			}
		}
		h = convolved(l, b, h, h)
	}
	return h[:d+1]
}

func (g GKM) profile() *profile {
	l, _, _ := g.sizes()
	return profileOf(g, l, g.Alphabet, g.Both, g.weights)
}

// Eval compares all pairs of words.
func (g GKM) Eval(x, y string) float64 { return g.profile().eval(x, y) }

// String returns the expression, such as gkm(l=11, k=7, d=3, alphabet=dna).
func (g GKM) String() string {
	l, k, d := g.sizes()
	filter := ""
	if g.Filter != TruncatedFilter {
		filter = ", filter=" + g.Filter.String()
	}
	text := fmt.Sprintf("gkm(l=%d, k=%d, d=%d%s, alphabet=%s", l, k, d, filter, g.Alphabet)
	if g.Both {
		text += ", rc=yes"
	}
	return text + ")"
}

// Contains accepts every sequence of the alphabet, which must have a fixed number of symbols.
func (g GKM) Contains(x string) error {
	l, k, d := g.sizes()
	if k < 1 || k > l || d < 0 {
		return fmt.Errorf("gkm: l=%d, k=%d, d=%d: 1 ≤ k ≤ l places are taken into account, and distances are not negative", l, k, d)
	}
	return checkWords("gkm", l, g.Alphabet, g.Both, x)
}

// Family returns that of the kernels on sequences.
func (g GKM) Family() kernel.Family[string] { return family{} }

func (g GKM) anchor(cols data.Set[string]) kernel.BoundColumns[string] {
	return g.profile().anchor(cols)
}

// Derive argues by the features or the projection where no distance is cut off, and by the
// eigenvalues of h otherwise.
func (g GKM) Derive() kernel.Derivation {
	l, k, d := g.sizes()
	whole := map[Filter]string{
		TruncatedFilter: "the square of a symmetric matrix between words, applied to their counts (Ghandi et al. 2014)",
		FullFilter:      "an orthogonal projection of the counts of words (Ghandi et al. 2014)",
		CountFilter:     "an inner product of the counts of gapped k-mers (Ghandi et al. 2014)",
	}
	if err := g.Contains(""); err != nil {
		return kernel.Derivation{Kernel: g.String(), Verdict: kernel.Unknown, Reason: err.Error()}
	}
	if d == l || g.Filter == CountFilter && d >= l-k {
		return kernel.Derivation{Kernel: g.String(), Verdict: kernel.Definite, Reason: whole[g.Filter]}
	}
	return g.profile().derive(g.String(), fmt.Sprintf("distances beyond d=%d are cut off", d))
}

// Reference describes the kernel.
func (g GKM) Reference() kernel.Reference {
	return kernel.Reference{Name: "gkm", Title: "gapped k-mer kernel", Formula: "Σ_{u,v} h(d(u, v)), d(u, v) ≤ d, u and v words of l symbols in x and y",
		Domain: "x, y: sequences; 1 ≤ k ≤ l, d ≥ 1", Equivalents: []string{"filter=count: h(d) = C(l−d, k)", "filter=full: h(d) = b⁻ˡ Σ_{i≤k} Kᵢ(d)", "filter=truncated: the square of full, cut at its first zero"},
		Source: "Ghandi, Lee, Mohammad-Noori and Beer, PLoS Computational Biology 10 (2014) e1003711", SeeAlso: []string{"mismatch", "spectrum"}}
}

// gkmEntry is gkm(…) in a dictionary of kernels on sequences.
var gkmEntry = expr.Entry[string]{
	Arguments: []expr.Argument{numberArgument("l", "11", "length of the words"), numberArgument("k", "7", "places of a word that are taken into account"),
		numberArgument("d", "3", "largest distance of two words"), {Name: "filter", Kind: expr.WordArg, Default: "truncated", Help: "truncated, full or count"},
		alphabetArgument("dna"), strandsArgument},
	Summary: "gapped k-mers: words of length l compared by their Hamming distance",
	Build:   build(gappedKMers),
}

// gappedKMers reads the arguments of gkm.
func gappedKMers(a *reading) kernel.Kernel[string] {
	symbols, both := a.symbols(DNA)
	filter := slices.Index(filters, a.Text("filter", "truncated"))
	if filter < 0 {
		a.fail("filter", "filter=%s is not known: use one of %s", a.Text("filter", ""), strings.Join(filters, ", "))
	}
	return GKM{L: a.whole("l", 11, 1), K: a.whole("k", 7, 1), D: a.whole("d", 3, 1), Filter: Filter(filter), Alphabet: symbols, Both: both}
}
