package graph

import (
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
)

// Walk is the walk kernel
//
//	k(G, H) = Σ_s φ_s(G) φ_s(H),   φ_s(G) = the number of walks in G with the labels s,
//
// over the sequences s of the labels of Length + 1 nodes: walks with Length edges. It
// counts the walks of the direct product (Gärtner, Flach and Wrobel, On graph kernels,
// COLT 2003), and is positive definite as an inner product of counts. Length 0 compares
// the numbers of nodes with each label.
//
// With a [Base] each pair of walks with the same labels counts with the product of the weights of
// its steps, k(v, w) k(e, f) k(v′, w′) for a step from v to v′ along e beside one from w to w′
// along f: the product's adjacency matrix has these in place of ones (Kashima, Tsuda and Inokuchi,
// ICML 2003; Borgwardt, Ong, Schönauer, Vishwanathan, Smola and Kriegel, Protein function
// prediction via graph kernels, 2005).
type Walk struct {
	Length    int
	Attribute string // of the nodes, their label; see [Labels]
	Base
}

// Eval returns k(g, h), in O(|V₁||V₂| + Length·|E₁||E₂|). Graphs that Contains refuses have
// no walks: the value is 0.
func (w Walk) Eval(g, h *graph.Graph) float64 {
	if w.Length < 0 {
		return 0
	}
	if w.empty() {
		return w.walks(g, h)
	}
	return (w.walks(g, h) + w.walks(h, g)) / 2 // rounding treats both orders alike
}

func (w Walk) walks(g, h *graph.Graph) float64 {
	p, err := NewWeightedProduct(g, h, w.Attribute, w.Base)
	if err != nil {
		return 0
	}
	return p.Walks(w.Length)[w.Length]
}

// Bind prepares both sets. Without labels a pair of graphs takes one product, of the
// numbers of their walks; with labels the counts of the sequences where they are not too
// many, and else the steps of [steps], in place of the product graph.
func (w Walk) Bind(rows, cols data.Set[*graph.Graph]) kernel.Pairs {
	plain := w.Length >= 0 && w.empty()
	for _, xs := range []data.Set[*graph.Graph]{rows, cols} {
		for i := range xs.Len() {
			plain = plain && !labelled(xs.At(i), w.Attribute)
		}
	}
	if plain {
		return newVectors(rows, cols, 1, func(phi []float64, g *graph.Graph) {
			all := make([]float64, w.Length+1)
			moments(all, w.steps(g), func(int) float64 { return 1 })
			phi[0] = all[w.Length]
		})
	}
	if w.Length < 0 {
		return kernel.BindPointwise[*graph.Graph](w, rows, cols) // 0 everywhere
	}
	if w.empty() {
		if p := w.explicit(rows, cols); p != nil {
			return p
		}
	}
	return w.bySteps(rows, cols)
}

// bySteps compares pair by pair.
func (w Walk) bySteps(rows, cols data.Set[*graph.Graph]) kernel.Pairs {
	p := newWalkPairs(rows, cols, w.Attribute, w.Base)
	p.value = func(s *steps, row, col int) float64 {
		sum := s.begin(p.rows.graphs[row], p.cols.graphs[col])
		for range w.Length {
			sum = s.step(1)
		}
		return sum
	}
	return p
}

// String returns the expression, such as walk(k=3, label="atom").
func (w Walk) String() string {
	return "walk" + arguments(fmt.Sprintf("k=%d", w.Length), w.Attribute, "", w.Base)
}

// Contains refuses graphs with nodes that have no label, or no attributes for the base kernels.
func (w Walk) Contains(g *graph.Graph) error {
	if w.Length < 0 {
		return fmt.Errorf("walk: k is %d; walks have no less than 0 edges", w.Length)
	}
	if _, err := Labels(g, w.Attribute); err != nil {
		return err
	}
	return w.domain(g, w.Attribute)
}

// Outside is Contains for a set, whose graphs must have the same attributes.
func (w Walk) Outside(xs data.Set[*graph.Graph]) (row int, err error) {
	return w.outside(xs, w.Attribute, w.Contains)
}

// CompatibleWith finds a graph with other attributes than like; see [kernel.CheckCompatible].
func (w Walk) CompatibleWith(xs data.Set[*graph.Graph], like *graph.Graph) (row int, err error) {
	return w.agree(xs, like, w.Attribute)
}

// Derive argues by the feature map.
func (w Walk) Derive() kernel.Derivation {
	if w.empty() {
		return definite(w, "an inner product of vectors of counts of walks (Gärtner, Flach and Wrobel 2003)")
	}
	return w.derive(w.String(), attributedReason)
}

const attributedReason = "a sum over pairs of walks of products of base kernels on their nodes and edges, a convolution kernel (Haussler 1999; Borgwardt et al. 2005)"

// Reference describes the kernel.
func (w Walk) Reference() kernel.Reference {
	return kernel.Reference{Name: "walk", Title: "walk kernel", Formula: "Σ_s φ_s(G) φ_s(H), φ_s(G) = walks in G with the sequence s of k + 1 labels",
		Domain: "G, H: graphs; k ≥ 0", Source: "Gärtner, Flach and Wrobel, On graph kernels: hardness results and efficient alternatives, COLT 2003"}
}
