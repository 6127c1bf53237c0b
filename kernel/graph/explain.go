package graph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/explanation"
)

// Functions of these kernels are sums over colours, labels, triples, graphlets or walks, which
// are found here one by one with the nodes that each consists of. The name of a feature says all
// that makes it one: features with equal names are equal.

type visitor = func(feature string, m float64, nodes []int)

// listing describes a kernel of counts by its features.
func listing(k kernel.Kernel[*graph.Graph], attribute string, list func(ctx context.Context, g *graph.Graph, visit visitor) error) construction.Counting[*graph.Graph] {
	return construction.Counting[*graph.Graph]{Term: k.String(), Places: func(g *graph.Graph) []explanation.Place { return nodes(g, attribute) }, List: list}
}

// nodes returns those of a graph by their ids, with their labels.
func nodes(g *graph.Graph, attribute string) []explanation.Place {
	labels, err := Labels(g, attribute)
	out := make([]explanation.Place, g.Len())
	for v := range out {
		if out[v].Name = g.IDs[v]; err == nil {
			out[v].Symbol = labels[v]
		}
	}
	return out
}

// Explain returns g as a sum over the colours of all rounds. A colour belongs to the nodes
// that it looks at, all within as many edges of its own node as there were rounds. The name of
// a colour is the tree that it stands for: N(C,2×O) is a node with the label N and three
// neighbours.
func (k WL) Explain(ctx context.Context, points data.Set[*graph.Graph], coef []float64) (explanation.Function[*graph.Graph], error) {
	return listing(k, k.Attribute, k.list).Explain(ctx, points, coef)
}

// FeatureConstruction lists the colours of all rounds.
func (k WL) FeatureConstruction(*graph.Graph) (construction.Features[*graph.Graph], error) {
	return listing(k, k.Attribute, k.list), nil
}

func (k WL) list(ctx context.Context, g *graph.Graph, visit visitor) error {
	labels, edges, err := k.labels(g)
	if err != nil {
		return err
	}
	adj, marks := k.neighbours(g, edges), []string{""}
	if g.Directed {
		marks = []string{"→", "←"}
	}
	names, balls := make([]string, len(labels)), make([][]int, len(labels))
	for v, label := range labels {
		names[v], balls[v] = symbol(label), []int{v}
		visit(names[v], 1, balls[v])
	}
	for round := range k.Rounds {
		next, wider := make([]string, len(names)), make([][]int, len(names))
		for v := range next {
			if err := ctx.Err(); err != nil {
				return err
			}
			var seen []string
			wider[v] = slices.Clone(balls[v])
			for way, a := range adj {
				for i := a.Start[v]; i < a.Start[v+1]; i++ {
					tree := marks[way] + names[a.Node[i]]
					if k.Edges != "" {
						tree = marks[way] + symbol(edges[a.Edge[i]]) + "-" + names[a.Node[i]]
					}
					seen = append(seen, tree)
					for _, w := range balls[a.Node[i]] {
						if !slices.Contains(wider[v], w) {
							wider[v] = append(wider[v], w)
						}
					}
				}
			}
			next[v] = symbol(labels[v]) + "(" + multiset(seen) + ")"
			if len(seen) == 0 {
				next[v] = symbol(labels[v]) + strings.Repeat("()", round+1) // another colour in each round
			}
			visit(next[v], 1, wider[v])
		}
		names, balls = next, wider
	}
	return nil
}

// symbol is a label as it stands in the name of a feature: in quotes where it is empty or
// could be taken for what is between names.
func symbol(label string) string {
	if label == "" {
		return "•"
	}
	if strings.ContainsAny(label, "(),×-→←•… \"\n") {
		return fmt.Sprintf("%q", label)
	}
	return label
}

// multiset joins texts in their order, equal ones once with their number.
func multiset(texts []string) string {
	slices.Sort(texts)
	var out []string
	for i := 0; i < len(texts); {
		from := i
		for i < len(texts) && texts[i] == texts[from] {
			i++
		}
		text := texts[from]
		if i-from > 1 {
			text = fmt.Sprintf("%d×%s", i-from, text)
		}
		out = append(out, text)
	}
	return strings.Join(out, ",")
}

// Explain returns g as a sum over the labels of nodes.
func (k Vertices) Explain(ctx context.Context, points data.Set[*graph.Graph], coef []float64) (explanation.Function[*graph.Graph], error) {
	return listing(k, k.Attribute, func(_ context.Context, g *graph.Graph, visit visitor) error {
		labels, err := Labels(g, k.Attribute)
		for v, label := range labels {
			visit(symbol(label), 1, []int{v})
		}
		return err
	}).Explain(ctx, points, coef)
}

// Explain returns g as a sum over the labels of edges, which belong to both ends.
func (k Edges) Explain(ctx context.Context, points data.Set[*graph.Graph], coef []float64) (explanation.Function[*graph.Graph], error) {
	return listing(k, "", func(_ context.Context, g *graph.Graph, visit visitor) error {
		return k.each(g, func(edge graph.Edge, label string) {
			ends := []int{int(edge.From), int(edge.To)}
			if ends[0] == ends[1] {
				ends = ends[:1]
			}
			visit(symbol(label), 1, ends)
		})
	}).Explain(ctx, points, coef)
}

// Explain returns g as a sum over the ordered pairs of nodes that a path joins, with the
// labels of both and their distance. A pair belongs to its two nodes.
func (k ShortestPath) Explain(ctx context.Context, points data.Set[*graph.Graph], coef []float64) (explanation.Function[*graph.Graph], error) {
	if k.Node != nil {
		return nil, explanation.NoFeatures(k)
	}
	return listing(k, k.Attribute, func(ctx context.Context, g *graph.Graph, visit visitor) error {
		labels, err := Labels(g, k.Attribute)
		if err != nil {
			return err
		}
		adj := g.Adjacency(true)
		distance, queue := make([]int, len(labels)), []int32(nil)
		for u := range labels {
			if err := ctx.Err(); err != nil {
				return err
			}
			for v := range distance {
				distance[v] = -1
			}
			distance[u] = 0
			queue = append(queue[:0], int32(u))
			for head := 0; head < len(queue); head++ {
				v := int(queue[head])
				if v != u {
					visit(fmt.Sprintf("%s…%s at %d", symbol(labels[u]), symbol(labels[v]), distance[v]), 1, []int{u, v})
				}
				for _, w := range adj.Node[adj.Start[v]:adj.Start[v+1]] {
					if distance[w] < 0 {
						distance[w] = distance[v] + 1
						queue = append(queue, w)
					}
				}
			}
		}
		return nil
	}).Explain(ctx, points, coef)
}

// most is the number of walks, or of sets of nodes, of one graph that are looked at one by one.
const most = 20_000_000

// Explain returns g as a sum over the sequences of labels along walks. A walk belongs to the
// nodes that it visits, as often as it does. All walks are visited: a graph with very many is
// refused.
func (w Walk) Explain(ctx context.Context, points data.Set[*graph.Graph], coef []float64) (explanation.Function[*graph.Graph], error) {
	if !w.empty() {
		return nil, explanation.NoFeatures(w)
	}
	return listing(w, w.Attribute, w.list).Explain(ctx, points, coef)
}

func (w Walk) list(ctx context.Context, g *graph.Graph, visit visitor) error {
	labels, err := Labels(g, w.Attribute)
	if err != nil || w.Length < 0 {
		return err
	}
	all := make([]float64, w.Length+1)
	moments(all, w.steps(g), func(int) float64 { return 1 })
	if walks := all[w.Length]; walks > most {
		return fmt.Errorf("graph: %s has %.3g walks of %d edges, and they are looked at one by one: at most %d", g.Source, walks, w.Length, most)
	}
	adj, path := w.steps(g), make([]int, 0, w.Length+1)
	var extend func(v int, name string)
	extend = func(v int, name string) {
		path, name = append(path, v), name+symbol(labels[v])
		if len(path) == w.Length+1 {
			visit(name, 1, path)
		} else {
			for _, next := range adj.Node[adj.Start[v]:adj.Start[v+1]] {
				extend(int(next), name+"-")
			}
		}
		path = path[:len(path)-1]
	}
	for v := range labels {
		if err := ctx.Err(); err != nil {
			return err
		}
		extend(v, "")
	}
	return nil
}

// Explain refuses: walks of all lengths have no finite list.
func (k RandomWalk) Explain(context.Context, data.Set[*graph.Graph], []float64) (explanation.Function[*graph.Graph], error) {
	return nil, fmt.Errorf("%s counts walks of all lengths, which have no finite list; walk(k=…) takes one length: %w", k, errors.ErrUnsupported)
}

// The graphlets by their places in the feature map.
var (
	names3 = []string{empty3: "no edge", edge3: "one edge", path3: "path", triangle3: "triangle"}
	names4 = []string{empty4: "no edge", edge4: "one edge", pair4: "two edges apart", wedge4: "path of 3", triangle4: "triangle and node", star4: "star",
		path4: "path", paw4: "triangle with tail", cycle4: "cycle", diamond4: "diamond", clique4: "clique"}
)

// Explain returns g as a sum over the graphlets. A set of nodes that induces one belongs to all
// of its nodes. All sets are visited: a graph with very many nodes is refused.
func (k Graphlets) Explain(ctx context.Context, points data.Set[*graph.Graph], coef []float64) (explanation.Function[*graph.Graph], error) {
	return listing(k, "", k.list).Explain(ctx, points, coef)
}

func (k Graphlets) list(ctx context.Context, g *graph.Graph, visit visitor) error {
	sets := 1.0
	for i := range k.size() {
		sets *= float64(g.Len()-i) / float64(i+1)
	}
	if sets > most {
		return fmt.Errorf("graph: %s has %.3g sets of %d nodes, and they are looked at one by one: at most %d", g.Source, sets, k.size(), most)
	}
	near := neighbours(g)
	each3(len(near), func(a, b, c int) {
		if k.size() == 3 {
			visit(names3[near.among(a, b, c)], 1, []int{a, b, c})
			return
		}
		for d := c + 1; d < len(near) && ctx.Err() == nil; d++ {
			visit(names4[near.kind4(a, b, c, d)], 1, []int{a, b, c, d})
		}
	})
	return ctx.Err()
}
