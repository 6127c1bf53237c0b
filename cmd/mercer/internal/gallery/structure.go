package gallery

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	kgraph "example.org/mercer/kernel/graph"
	"example.org/mercer/kernel/seq"
)

var structureFigures = []Figure{
	{Name: "trie", Title: "Tries of the spectrum kernel", Formula: "k(x, x′) = Σ_u φ_u(x) φ_u(x′),  φ_u(x) = occurrences of the k-mer u in x",
		Commands: []string{"mercer kernel 'spectrum(k=3)' --between ACGTTTACGA --between AGTTTACG --plot tries.png"}, draw: drawTrie,
		See: "Every leaf is a 3-mer with its count below. The walk through both tries goes down where both have a branch (thick) and adds up the products at common leaves, in O(k(|x| + |x′|)) steps."},
	{Name: "product-graph", Title: "The product of two graphs, and its walks", Formula: "k(G₁, G₂) = Σ_s φ_s(G₁) φ_s(G₂) = 1ᵀAᵏ1, A the adjacency of G₁ × G₂",
		Commands: []string{`mercer kernel 'walk(k=3)' --between '{"nodes":3,"edges":[[0,1],[1,2]],"node":{"label":["A","B","A"]}}' --between '{"nodes":2,"edges":[[0,1]],"node":{"label":["A","B"]}}' --plot product.png`},
		draw:     drawProduct,
		See:      "Letters are labels. A node of the product is a pair of nodes with the same label, and every walk in the product (thick) is one walk in each graph with the same labels. Counting them takes powers of one matrix."},
}

func drawTrie(context.Context, *figureContext) (figure.Picture, error) {
	return Tries("ACGTTTACGA", "AGTTTACG", 3)
}

// mostLeaves is how many words of a trie can be read side by side.
const mostLeaves = 24

// Tries draws the tries of the k-mers of two sequences, and the value of the spectrum
// kernel as the walk through both adds it up. It refuses tries that are too wide to read.
func Tries(x, y string, k int) (figure.Picture, error) {
	words := [2]string{x, y}
	tries := [2]*seq.Trie{seq.NewTrie(x, k), seq.NewTrie(y, k)}
	var sheet figure.Sheet
	leaves := 0
	for i, t := range tries {
		leaves = max(leaves, len(t.Counts()))
		if n := len(t.Counts()); n == 0 || n > mostLeaves {
			return nil, fmt.Errorf("gallery: sequence %d has %d words of %d symbols; a picture shows 1 to %d of each", i+1, n, k, mostLeaves)
		}
		network, texts := layTrie(t, tries[1-i])
		panel := figure.Panel{Title: []string{"x = ", "x′ = "}[i] + words[i], Bare: true, Layers: append([]figure.Layer{network}, texts...)}
		sheet.Panels = append(sheet.Panels, panel)
	}
	// The terms of the kernel, those of the words that both have.
	var terms []string
	for _, c := range tries[0].Counts() {
		i := slices.IndexFunc(tries[1].Counts(), func(d seq.Count) bool { return d.Word == c.Word })
		if i >= 0 {
			terms = append(terms, fmt.Sprintf("%d·%d", c.Times, tries[1].Counts()[i].Times))
		}
	}
	value := fmt.Sprintf("%g", seq.Spectrum{K: k}.Eval(x, y))
	if len(terms) > 0 && len(terms) <= 8 {
		value = strings.Join(terms, " + ") + " = " + value
	}
	sheet.Panels[1].Title += ":   k(x, x′) = " + value
	sheet.Width, sheet.Height = max(13, 1.7*float64(leaves)), 9
	return sheet, nil
}

// layTrie places leaves side by side and every other node above the middle of its
// children. Branches that the other trie has, too, are thick.
func layTrie(t, other *seq.Trie) (figure.Network, []figure.Layer) {
	var n figure.Network
	var texts []figure.Layer
	leaves := 0.0
	var place func(v, common *seq.Node, depth int, word string) int
	place = func(v, common *seq.Node, depth int, word string) int {
		at := len(n.Nodes)
		n.Nodes = append(n.Nodes, figure.Node{Y: -float64(depth), Text: string(v.Symbol), Ink: figure.Grey})
		if depth == 0 {
			n.Nodes[at].Text = ""
		}
		if common != nil {
			n.Nodes[at].Ink = 2
		}
		if len(v.Children) == 0 {
			n.Nodes[at].X = leaves
			texts = append(texts, figure.Text{X: leaves, Y: -float64(depth) - 0.32, Text: word, Ink: figure.Black, Size: 9.5},
				figure.Text{X: leaves, Y: -float64(depth) - 0.52, Text: fmt.Sprintf("× %d", v.Count), Ink: figure.Black, Size: 11})
			leaves++
			return at
		}
		sum := 0.0
		for _, c := range v.Children {
			var same *seq.Node
			if common != nil {
				same = common.Child(c.Symbol)
			}
			child := place(c, same, depth+1, word+string(c.Symbol))
			link := figure.Link{From: at, To: child, Ink: figure.Grey}
			if same != nil {
				link.Ink, link.Thick = 2, true
			}
			n.Links = append(n.Links, link)
			sum += n.Nodes[child].X
		}
		n.Nodes[at].X = sum / float64(len(v.Children))
		return at
	}
	place(t.Root, other.Root, 0, "")
	return n, texts
}

// molecule makes a graph with letters for labels.
func molecule(name string, labels []string, edges ...graph.Edge) (*graph.Graph, error) {
	g, err := graph.New(name, false, nil, edges, nil)
	if err != nil {
		return nil, err
	}
	g.Nodes = []data.Column{{Name: "atom", Kind: data.Text, Strings: labels}}
	return g, nil
}

func drawProduct(_ context.Context, s *figureContext) (figure.Picture, error) {
	left, err := molecule("G₁", []string{"A", "B", "A", "C"}, graph.Edge{From: 0, To: 1}, graph.Edge{From: 1, To: 2}, graph.Edge{From: 2, To: 3}, graph.Edge{From: 1, To: 3})
	if err != nil {
		return nil, err
	}
	right, err := molecule("G₂", []string{"A", "B", "C", "B"}, graph.Edge{From: 0, To: 1}, graph.Edge{From: 1, To: 2}, graph.Edge{From: 2, To: 3}, graph.Edge{From: 3, To: 0})
	if err != nil {
		return nil, err
	}
	return Product(left, right, "atom")
}

// The most nodes of a graph, and of a product, that can be read on a circle.
const (
	mostNodes = 16
	mostPairs = 40
)

// Product draws two graphs whose nodes are labelled as [kgraph.Labels] says, their direct
// product with one walk, and the number of walks of each length. It refuses graphs that are
// too large to read, and a product without edges.
func Product(left, right *graph.Graph, attribute string) (figure.Picture, error) {
	p, err := kgraph.NewProduct(left, right, attribute)
	if err != nil {
		return nil, err
	}
	if left.Len() > mostNodes || right.Len() > mostNodes || len(p.Pairs) > mostPairs || len(p.Pairs) == 0 {
		return nil, fmt.Errorf("gallery: graphs of %d and %d nodes with a product of %d; a picture shows graphs of up to %d and products of 1 to %d", left.Len(), right.Len(), len(p.Pairs), mostNodes, mostPairs)
	}
	// NewProduct has read the labels of both.
	names, _ := kgraph.Labels(left, attribute)
	others, _ := kgraph.Labels(right, attribute)
	ink := inksOf(names, others)
	walk := walkOf(p, 3)
	onLeft, onRight := make([]int, len(walk)), make([]int, len(walk))
	for i, v := range walk {
		onLeft[i], onRight[i] = p.Pairs[v][0], p.Pairs[v][1]
	}
	product := figure.Network{}
	ringX, ringY := onCircle(len(p.Pairs))
	for i, pair := range p.Pairs {
		name := names[pair[0]]
		product.Nodes = append(product.Nodes, figure.Node{X: ringX[i], Y: ringY[i], Text: fmt.Sprintf("%s%d,%d", name, pair[0]+1, pair[1]+1), Ink: ink[name], Radius: 15})
		for _, j := range p.Next[i] {
			if i <= j {
				product.Links = append(product.Links, link(i, j, walk))
			}
		}
	}
	lengths, counts := linspace(0, 8, 9), p.Walks(8)
	walks := figure.Panel{Title: "k(G₁, G₂): walks in G₁ × G₂", X: "edges k", LogY: counts[8] > 0, Layers: []figure.Layer{figure.Lattice{}, figure.Line{X: lengths, Y: counts, Ink: 1}, figure.Dots{X: lengths, Y: counts, Ink: 1, Size: 3.5}}}
	sheet := figure.Sheet{Columns: 4, Width: 7, Height: 7, Panels: []figure.Panel{
		{Title: "G₁", Bare: true, Layers: []figure.Layer{drawnGraph(left, names, ink, onLeft)}},
		{Title: "G₂", Bare: true, Layers: []figure.Layer{drawnGraph(right, others, ink, onRight)}},
		{Title: "G₁ × G₂", Bare: true, Layers: []figure.Layer{product}},
		walks,
	}}
	for i := range 3 {
		sheet.Panels[i].Bounds = &figure.Bounds{X0: -1.3, X1: 1.3, Y0: -1.3, Y1: 1.3}
	}
	return sheet, nil
}

// walkOf returns the nodes of a walk with some edges that turns back as late as it can,
// from the node with the most edges; it is shorter where there are none.
func walkOf(p *kgraph.Product, edges int) []int {
	at := 0
	for i := range p.Next {
		if len(p.Next[i]) > len(p.Next[at]) {
			at = i
		}
	}
	walk := []int{at}
	for range edges {
		if len(p.Next[at]) == 0 {
			return walk
		}
		next := p.Next[at][0]
		for _, j := range p.Next[at] {
			if !has(walk, j) {
				next = j
				break
			}
		}
		walk, at = append(walk, next), next
	}
	return walk
}

// link joins two nodes, thick where a walk goes.
func link(i, j int, walk []int) figure.Link {
	l := figure.Link{From: i, To: j, Ink: figure.Grey}
	for t := 1; t < len(walk); t++ {
		if walk[t-1] == i && walk[t] == j || walk[t-1] == j && walk[t] == i {
			l.Thick, l.Ink = true, figure.Black
		}
	}
	return l
}

// drawnGraph places the nodes of a graph on a circle.
func drawnGraph(g *graph.Graph, labels []string, ink map[string]figure.Ink, walk []int) figure.Network {
	var n figure.Network
	x, y := onCircle(g.Len())
	for i, label := range labels {
		n.Nodes = append(n.Nodes, figure.Node{X: x[i], Y: y[i], Text: fmt.Sprintf("%s%d", label, i+1), Ink: ink[label], Radius: 15})
	}
	for _, e := range g.Edges {
		n.Links = append(n.Links, link(int(e.From), int(e.To), walk))
	}
	return n
}

// inksOf gives every label an ink, in their order.
func inksOf(labels ...[]string) map[string]figure.Ink {
	all := slices.Sorted(slices.Values(slices.Concat(labels...)))
	inks := map[string]figure.Ink{}
	for i, label := range slices.Compact(all) {
		inks[label] = figure.Ink(i)
	}
	return inks
}

// onCircle returns n places on a circle, the first on the left.
func onCircle(n int) (x, y []float64) {
	for i := range n {
		angle := math.Pi - 2*math.Pi*float64(i)/float64(n)
		x, y = append(x, math.Cos(angle)), append(y, math.Sin(angle))
	}
	return x, y
}
