package graph

import (
	"fmt"

	"mercer/data"
	"mercer/data/graph"
	"mercer/kernel"
)

// Walk is the walk kernel
//
//	k(G, H) = Σ_s φ_s(G) φ_s(H),   φ_s(G) = the number of walks in G with the labels s,
//
// over the sequences s of the labels of Length + 1 nodes: walks with Length edges. It
// counts the walks of the direct product (Gärtner, Flach and Wrobel, On graph kernels,
// COLT 2003), and is positive definite as an inner product of counts. Length 0 compares
// the numbers of nodes with each label.
type Walk struct {
	Length    int
	Attribute string // of the nodes, their label; see [Labels]
}

// Eval returns k(g, h), in O(|V₁||V₂| + Length·|E₁||E₂|). Graphs that Contains refuses have
// no walks: the value is 0.
func (w Walk) Eval(g, h *graph.Graph) float64 {
	p, err := NewProduct(g, h, w.Attribute)
	if err != nil || w.Length < 0 {
		return 0
	}
	return p.Walks(w.Length)[w.Length]
}

// Bind prepares both sets. Without labels a pair of graphs takes one product, of the
// numbers of their walks; with labels the counts of the sequences where they are not too
// many, and else the steps of [steps], in place of the product graph.
func (w Walk) Bind(rows, cols data.Set[*graph.Graph]) kernel.Pairs {
	plain := w.Length >= 0
	for _, xs := range []data.Set[*graph.Graph]{rows, cols} {
		for i := range xs.Len() {
			plain = plain && !labelled(xs.At(i), w.Attribute)
		}
	}
	if plain {
		return newVectors(rows, cols, 1, func(phi []float64, g *graph.Graph) {
			all := make([]float64, w.Length+1)
			moments(all, g, func(int) float64 { return 1 })
			phi[0] = all[w.Length]
		})
	}
	if w.Length < 0 {
		return kernel.BindPointwise[*graph.Graph](w, rows, cols) // 0 everywhere
	}
	if p := w.explicit(rows, cols); p != nil {
		return p
	}
	return w.bySteps(rows, cols)
}

// bySteps compares pair by pair.
func (w Walk) bySteps(rows, cols data.Set[*graph.Graph]) kernel.Pairs {
	b := newBook()
	p := &walkPairs{cols: prepareAll(cols, w.Attribute, b), rows: prepareAll(rows, w.Attribute, b)}
	p.value = func(s *steps, row, col int) float64 {
		sum := s.begin(p.rows[row], p.cols[col])
		for range w.Length {
			sum = s.step(1)
		}
		return sum
	}
	return p
}

// String returns the expression, such as walk(k=3, label="atom").
func (w Walk) String() string {
	return "walk" + arguments(fmt.Sprintf("k=%d", w.Length), w.Attribute, "")
}

// Contains refuses graphs with nodes that have no label.
func (w Walk) Contains(g *graph.Graph) error {
	if w.Length < 0 {
		return fmt.Errorf("walk: k is %d; walks have no less than 0 edges", w.Length)
	}
	_, err := Labels(g, w.Attribute)
	return err
}

// Derive argues by the feature map.
func (w Walk) Derive() kernel.Derivation {
	return kernel.Derivation{Kernel: w.String(), Verdict: kernel.Definite,
		Reason: "an inner product of vectors of counts of walks (Gärtner, Flach and Wrobel 2003)"}
}

// Card describes the kernel.
func (w Walk) Card() kernel.Card {
	return kernel.Card{Name: "walk", Title: "walk kernel", Formula: "Σ_s φ_s(G) φ_s(H), φ_s(G) = walks in G with the sequence s of k + 1 labels",
		Domain: "G, H: graphs; k ≥ 0", Source: "Gärtner, Flach and Wrobel, On graph kernels: hardness results and efficient alternatives, COLT 2003"}
}
