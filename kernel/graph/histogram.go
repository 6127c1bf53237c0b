package graph

import (
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/count"
)

// Vertices is the vertex histogram kernel
//
//	k(G, H) = Σ_l n_l(G) n_l(H),   n_l(G) = the number of nodes of G with the label l.
//
// It is positive definite as an inner product of counts (Sugiyama and Borgwardt, Halting in
// random walk kernels, NIPS 2015).
type Vertices struct {
	Attribute string // of the nodes, their label; see [Labels]
}

// Eval returns k(g, h), in O(|V₁| + |V₂|); 0 for graphs that Contains refuses.
func (k Vertices) Eval(g, h *graph.Graph) float64 { return dot(k.Counts(g), k.Counts(h)) }

// Counts returns the feature map: how many nodes have each label.
func (k Vertices) Counts(g *graph.Graph) map[string]float64 {
	labels, _ := Labels(g, k.Attribute)
	return tally(labels)
}

// String returns the expression, such as vertices.
func (k Vertices) String() string { return call("vertices", k.Attribute, Base{}) }

// Contains refuses graphs with nodes that have no label.
func (k Vertices) Contains(g *graph.Graph) error {
	_, err := Labels(g, k.Attribute)
	return err
}

// Family binds by counts.
func (k Vertices) Family() kernel.Family[*graph.Graph] { return family{} }

func (k Vertices) count(g *graph.Graph, b *book) count.Row {
	labels, _ := Labels(g, k.Attribute)
	return count.Tally(b.labels(ofNode, labels))
}

// Derive argues by the feature map.
func (k Vertices) Derive() kernel.Derivation {
	return definite(k, "an inner product of vectors of counts of labels")
}

// Reference describes the kernel.
func (k Vertices) Reference() kernel.Reference {
	return kernel.Reference{Name: "vertices", Title: "vertex histogram", Formula: "Σ_l n_l(G) n_l(H), n_l(G) = nodes of G with the label l",
		Domain: "G, H: graphs", Source: histogramSource, SeeAlso: []string{"edges", "wl"}}
}

const histogramSource = "Sugiyama and Borgwardt, Halting in random walk kernels, NIPS 2015"

// Edges is the edge histogram kernel, Σ_l m_l(G) m_l(H) with m_l(G) = the number of edges of
// G with the label l. It is positive definite as an inner product of counts (Sugiyama and
// Borgwardt 2015).
type Edges struct {
	Attribute string // of the edges, their label; see [EdgeLabels]
	Parallel  bool   // edges with the same label that join the same nodes count one by one; see [Base]
}

// Eval returns k(g, h), in O(|E₁| + |E₂|); 0 for graphs that Contains refuses.
func (k Edges) Eval(g, h *graph.Graph) float64 { return dot(k.Counts(g), k.Counts(h)) }

// Counts returns the feature map: how many edges have each label.
func (k Edges) Counts(g *graph.Graph) map[string]float64 {
	return tally(k.labels(g))
}

// each visits the edges that count, with their labels.
func (k Edges) each(g *graph.Graph, visit func(ends graph.Edge, label string)) error {
	labels, err := EdgeLabels(g, k.Attribute)
	type edge struct {
		ends  graph.Edge
		label string
	}
	seen := map[edge]bool{}
	for e, label := range labels {
		ends := g.Edges[e]
		if !g.Directed && ends.From > ends.To {
			ends.From, ends.To = ends.To, ends.From
		}
		if at := (edge{ends, label}); k.Parallel || !seen[at] {
			seen[at] = true
			visit(ends, label)
		}
	}
	return err
}

// labels returns those of the edges that count.
func (k Edges) labels(g *graph.Graph) []string {
	out := make([]string, 0, len(g.Edges))
	_ = k.each(g, func(_ graph.Edge, label string) { out = append(out, label) }) // without labels there are none
	return out
}

// String returns the expression, such as edges.
func (k Edges) String() string { return call("edges", k.Attribute, Base{Parallel: k.Parallel}) }

// Contains refuses graphs with edges that have no label.
func (k Edges) Contains(g *graph.Graph) error {
	_, err := EdgeLabels(g, k.Attribute)
	return err
}

// Family binds by counts.
func (k Edges) Family() kernel.Family[*graph.Graph] { return family{} }

func (k Edges) count(g *graph.Graph, b *book) count.Row {
	return count.Tally(b.labels(ofEdge, k.labels(g)))
}

// Derive argues by the feature map.
func (k Edges) Derive() kernel.Derivation {
	return definite(k, "an inner product of vectors of counts of labels")
}

// Reference describes the kernel.
func (k Edges) Reference() kernel.Reference {
	return kernel.Reference{Name: "edges", Title: "edge histogram", Formula: "Σ_l m_l(G) m_l(H), m_l(G) = edges of G with the label l",
		Domain: "G, H: graphs", Source: histogramSource, SeeAlso: []string{"vertices"}}
}

// tally counts equal texts.
func tally(texts []string) map[string]float64 {
	out := map[string]float64{}
	for _, text := range texts {
		out[text]++
	}
	return out
}
