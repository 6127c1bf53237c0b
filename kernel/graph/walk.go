package graph

import (
	"fmt"

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
