package graph

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
)

// RandomWalk compares walks of all lengths:
//
//	k(G, H) = Σ_t λᵗ 1ᵀA×ᵗ1 = 1ᵀ(I − λA×)⁻¹1    (geometric),
//	k(G, H) = Σ_t λᵗ/t! 1ᵀA×ᵗ1 = 1ᵀ exp(λA×) 1   (exponential),
//
// where A× is the adjacency matrix of the direct [Product], whose walks are the pairs of
// walks with the same labels. It is positive definite as a sum of [Walk] kernels with
// weights λᵗ, λᵗ/t! ≥ 0 (Gärtner, Flach and Wrobel, On graph kernels, COLT 2003; Vishwanathan,
// Schraudolph, Kondor and Borgwardt, Graph kernels, JMLR 11, 2010).
//
// The geometric series has a sum only for λ < 1/ρ(A×). By the inequality of Cauchy and
// Schwarz for the counts of walks, ρ(G × H)² ≤ ρ(G × G)·ρ(H × H); so it converges for all pairs
// where it does for each graph with itself, which is what Contains demands, with λρ(A×) ≤ 0.9999 to
// end within half a million terms.
type RandomWalk struct {
	Lambda      float64 // λ > 0; 0 means 0.1
	Exponential bool
	Attribute   string // of the nodes, their label; see [Labels]
	Base               // weighs the steps, as in [Walk]
}

func (k RandomWalk) lambda() float64 {
	if k.Lambda == 0 {
		return 0.1
	}
	return k.Lambda
}

// terms returns how many terms of the series leave less than 2⁻⁶⁰ of the first one, which
// counts all pairs of nodes and is not larger than the sum. q is λρ(A×): with labels, a
// walk of t edges from a given pair is one of at most a constant times ρᵗ.
func (k RandomWalk) terms(q float64) int {
	const rest = 0x1p-60
	switch {
	case q == 0:
		return mostNilpotent
	case !k.Exponential:
		return min(mostTerms, int(math.Log(rest*(1-q))/math.Log(q))+2+mostNilpotent)
	}
	t, term := 1, q
	for term > rest || float64(t) < 2*q {
		t++
		term *= q / float64(t)
	}
	return t + 1 + mostNilpotent
}

// over reports whether the terms of undirected graphs behind an even t are below the
// rounding of the sum. The product's matrix is symmetric then, and 1ᵀA²ˢ1 is the moment 2s of
// a measure ≥ 0 on its spectrum: the terms behind are at most q, q², … times the last one, and
// of the exponential series less.
func (k RandomWalk) over(t int, q, term, sum float64) bool {
	const rest = 0x1p-56
	if k.Exponential {
		q /= float64(t + 1)
	}
	return t%2 == 0 && q < 1 && term*q < rest*(1-q)*sum
}

const (
	// nearest is how near to 1 λρ(A×) may come: nearer, the series takes more than half a
	// million terms.
	nearest   = 1 - 1e-4
	mostTerms = 1 << 20
	// mostNilpotent are terms for walks that end: in a directed graph without cycles ρ is 0.
	mostNilpotent = 8
)

// factor returns wₜ/wₜ₋₁ of the weights of the series.
func (k RandomWalk) factor(t int) float64 {
	if k.Exponential {
		return k.lambda() / float64(t)
	}
	return k.lambda()
}

// Eval returns k(g, h) by the series on the product graph, term by term, in
// O(|E₁||E₂|) for each. It is +Inf where the series has no sum.
func (k RandomWalk) Eval(g, h *graph.Graph) float64 {
	// The sum runs over both orders of the two graphs, so that rounding treats them alike.
	q := k.lambda() * math.Sqrt(square(g, k.Attribute, k.Base)*square(h, k.Attribute, k.Base))
	if q >= nearest && !k.Exponential {
		return math.Inf(1)
	}
	return (k.series(g, h, q) + k.series(h, g, q)) / 2
}

func (k RandomWalk) series(g, h *graph.Graph, q float64) float64 {
	p, err := NewWeightedProduct(g, h, k.Attribute, k.Base)
	if err != nil {
		return 0
	}
	weight, sum := 1.0, 0.0
	for t, walks := range p.Walks(k.length(q, g, h)) {
		if t > 0 {
			weight *= k.factor(t)
		}
		sum += weight * walks
	}
	return sum
}

// length is terms, or as many as the longest walk in directed graphs without cycles.
func (k RandomWalk) length(q float64, g, h *graph.Graph) int {
	if g.Directed || h.Directed {
		return max(k.terms(q), min(g.Len(), h.Len())) + min(g.Len(), h.Len())
	}
	return k.terms(q)
}

// String returns the expression, such as randomwalk(lambda=0.1).
func (k RandomWalk) String() string {
	own := "lambda=" + strconv.FormatFloat(k.lambda(), 'g', -1, 64)
	if k.Exponential {
		own += ", series=exponential"
	}
	return "randomwalk" + arguments(own, k.Attribute, "", k.Base)
}

// Contains refuses graphs whose walks grow too fast for λ, with the bound, and graphs with
// nodes that have no label, or no attributes for the base kernels.
func (k RandomWalk) Contains(g *graph.Graph) error {
	if l := k.lambda(); !(l > 0) || math.IsInf(l, 0) {
		return fmt.Errorf("randomwalk: lambda is %v; it must be positive and finite", l)
	}
	if _, err := Labels(g, k.Attribute); err != nil {
		return err
	}
	if err := k.domain(g, k.Attribute); err != nil || k.Exponential {
		return err
	}
	if r := square(g, k.Attribute, k.Base); k.lambda()*r >= nearest {
		return fmt.Errorf("randomwalk: lambda = %v, and the sum over the walks of %s exists only for lambda < 1/ρ = %.6g, where ρ is the spectral radius of the product of the graph with itself; choose a smaller lambda, or series=exponential",
			k.lambda(), g.Source, 1/r)
	}
	return nil
}

// Outside is Contains for a set, whose graphs must have the same attributes.
func (k RandomWalk) Outside(xs data.Set[*graph.Graph]) (row int, err error) {
	return k.outside(xs, k.Attribute, k.Contains)
}

// CompatibleWith finds a graph with other attributes than like; see [kernel.CheckCompatible].
func (k RandomWalk) CompatibleWith(xs data.Set[*graph.Graph], like *graph.Graph) (row int, err error) {
	return k.agree(xs, like, k.Attribute)
}

// Parameters are λ.
func (k RandomWalk) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "lambda", Value: k.lambda(), Positive: true}}
}

// With returns the kernel with another λ.
func (k RandomWalk) With(values []float64) (kernel.Kernel[*graph.Graph], error) {
	if len(values) != 1 || !(values[0] > 0) || math.IsInf(values[0], 0) {
		return nil, fmt.Errorf("randomwalk: %v: give one number lambda, positive and finite", values)
	}
	k.Lambda = values[0]
	return k, nil
}

// Bind prepares both sets. Without labels the walks of each graph are counted once for each
// length, and a pair takes the inner product of two short vectors; with labels a pair takes
// the terms of the series, one after the other, until the rest is below rounding.
func (k RandomWalk) Bind(rows, cols data.Set[*graph.Graph]) kernel.Pairs {
	left, plainLeft, longest := k.squares(rows)
	right, plainRight, other := left, plainLeft, longest
	if !same(rows, cols) {
		right, plainRight, other = k.squares(cols)
	}
	undirected := longest == 0 && other == 0
	longest = min(longest, other)
	largest := math.Sqrt(slices.Max(append(left, 0)) * slices.Max(append(right, 0)))
	if q := k.lambda() * largest; plainLeft && plainRight && (q < nearest || k.Exponential) {
		dims := k.terms(q) + longest + 1
		return newVectors(rows, cols, dims, func(phi []float64, g *graph.Graph) {
			moments(phi, k.steps(g), func(t int) float64 { return math.Sqrt(k.factor(t)) })
		})
	}
	p := newWalkPairs(rows, cols, k.Attribute, k.Base)
	p.value = func(s *steps, row, col int) float64 {
		q := k.lambda() * math.Sqrt(left[row]*right[col])
		if q >= nearest && !k.Exponential {
			return math.Inf(1)
		}
		sum := s.begin(p.rows.graphs[row], p.cols.graphs[col])
		for t := 1; t <= k.terms(q)+longest; t++ {
			term := s.step(k.factor(t))
			sum += term
			last := term == 0 && (k.empty() || undirected && t%2 == 0) // weights of both signs may cancel
			if last || undirected && k.over(t, q, term, sum) {
				break
			}
		}
		return sum
	}
	return p
}

// squares returns ρ(G × G) of every graph, whether none has labels, and the length of the
// longest path that a directed one could have.
func (k RandomWalk) squares(xs data.Set[*graph.Graph]) (rho []float64, plain bool, longest int) {
	rho, plain = make([]float64, xs.Len()), true
	for i := range rho {
		g := xs.At(i)
		rho[i] = square(g, k.Attribute, k.Base)
		plain = plain && k.empty() && !labelled(g, k.Attribute)
		if g.Directed {
			longest = max(longest, g.Len())
		}
	}
	return rho, plain, longest
}

// Derive argues by the sum over lengths.
func (k RandomWalk) Derive() kernel.Derivation {
	if !k.empty() {
		return k.derive(k.String(), attributedReason)
	}
	return definite(k, "a sum of walk kernels with weights that are not negative (Gärtner, Flach and Wrobel 2003)")
}

// Reference describes the kernel.
func (k RandomWalk) Reference() kernel.Reference {
	c := kernel.Reference{Name: "randomwalk", Title: "geometric random-walk kernel", Formula: "Σ_t λᵗ 1ᵀA×ᵗ1 = 1ᵀ(I − λA×)⁻¹1, A× = adjacency of the product graph",
		Domain: "G, H: graphs; 0 < λ < 1/ρ(A×)", Source: "Gärtner, Flach and Wrobel, COLT 2003; Vishwanathan, Schraudolph, Kondor and Borgwardt, Graph kernels, JMLR 11 (2010)", SeeAlso: []string{"walk"}}
	if k.Exponential {
		c.Title, c.Formula, c.Domain = "exponential random-walk kernel", "Σ_t λᵗ/t! 1ᵀA×ᵗ1 = 1ᵀ exp(λA×) 1, A× = adjacency of the product graph", "G, H: graphs; λ > 0"
	}
	return c
}
