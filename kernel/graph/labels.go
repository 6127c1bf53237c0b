package graph

import (
	"fmt"
	"slices"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
)

const (
	// DefaultLabel is the attribute that holds the labels of nodes, and of edges in [Edges],
	// where none is named.
	DefaultLabel = "label"
	// NoLabel in place of an attribute makes all nodes, or all edges, alike.
	NoLabel = "none"
	// DegreeLabel in place of an attribute of nodes is the number of their neighbours, in a graph
	// that has no attribute of this name.
	DegreeLabel = "degree"
)

// Labels returns the labels of the nodes as text: the cells of an attribute. "" stands for
// [DefaultLabel] where the graph has it. Without it, or with [NoLabel], every node has the
// label "". [DegreeLabel] counts neighbours. A graph without the attribute, or with a node that has
// no value, is an error.
func Labels(g *graph.Graph, attribute string) ([]string, error) {
	if attribute == DegreeLabel && !slices.ContainsFunc(g.Nodes, func(c data.Column) bool { return c.Name == DegreeLabel }) {
		return degrees(g), nil
	}
	return texts(g, g.Nodes, attribute, g.Len(), "node", func(v int) string { return fmt.Sprintf("the node %q", g.IDs[v]) })
}

// degrees returns how many neighbours every node has, itself among them if it has an edge to
// itself; in a directed graph how many have an edge to it and, behind a slash, how many it has an
// edge to.
func degrees(g *graph.Graph) []string {
	out := make([]string, g.Len())
	to := g.Adjacency(true).Merged(nil)
	for v := range out {
		out[v] = strconv.Itoa(to.Start[v+1] - to.Start[v])
	}
	if g.Directed {
		from := reversed(g).Merged(nil)
		for v := range out {
			out[v] = strconv.Itoa(from.Start[v+1]-from.Start[v]) + "/" + out[v]
		}
	}
	return out
}

// EdgeLabels are [Labels] of the edges.
func EdgeLabels(g *graph.Graph, attribute string) ([]string, error) {
	return texts(g, g.Labels, attribute, len(g.Edges), "edge", func(e int) string {
		return fmt.Sprintf("the edge between %q and %q", g.IDs[g.Edges[e].From], g.IDs[g.Edges[e].To])
	})
}

func texts(g *graph.Graph, columns []data.Column, attribute string, n int, what string, name func(i int) string) ([]string, error) {
	wanted := attribute
	if attribute == "" {
		wanted = DefaultLabel
	}
	for k := range columns {
		c := &columns[k]
		if c.Name != wanted || attribute == NoLabel {
			continue
		}
		if c.Kind != data.Numeric && c.Missing == nil {
			return c.Strings, nil
		}
		out := make([]string, n)
		for i := range out {
			if c.IsMissing(i) {
				return nil, fmt.Errorf("graph: %s: %s has no %s; give it one, or compare without labels (label=%q)", g.Source, name(i), wanted, NoLabel)
			}
			out[i] = label(c, i)
		}
		return out, nil
	}
	if attribute == "" || attribute == NoLabel || n == 0 {
		return make([]string, n), nil
	}
	return nil, fmt.Errorf("graph: the %ss of %s have no attribute %q", what, g.Source, attribute)
}

func label(c *data.Column, v int) string {
	if c.Kind == data.Numeric {
		return fmt.Sprint(c.Numbers[v])
	}
	return c.Strings[v]
}

// labelled reports whether nodes of the graph can have different labels.
func labelled(g *graph.Graph, attribute string) bool {
	if attribute != "" {
		return attribute != NoLabel
	}
	for k := range g.Nodes {
		if g.Nodes[k].Name == DefaultLabel {
			return true
		}
	}
	return false
}

// arguments writes the arguments of a kernel: those of its own, then the attributes that
// are named, then the base kernels.
func arguments(own, nodes, edges string, of Base) string {
	text := own
	for _, a := range []struct{ key, value string }{{"label", nodes}, {"edges", edges}} {
		if a.value == "" {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += fmt.Sprintf("%s=%q", a.key, a.value)
	}
	return "(" + of.arguments(text) + ")"
}

// call writes a kernel with its arguments; without any it is the name alone.
func call(name, nodes string, of Base) string {
	if text := arguments("", nodes, "", of); text != "()" {
		return name + text
	}
	return name
}
