package graph

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/kernel"
)

// Base has the kernels by which the attributes of two nodes, and of two edges, are compared;
// nil: these are not looked at. The attributes of a node are those of its columns that
// hold numbers, in the alphabetical order of their names, without the one that is its label.
// Those of an edge are likewise, and the weight is the first if edges have weights.
type Base struct {
	Node, Edge kernel.Kernel[[]float64]
	// Parallel edges, which join the same nodes, are steps of their own. Else those that Edge
	// cannot tell apart are one step: a file that lists an edge twice means it once.
	Parallel bool
}

// empty reports whether labels alone are compared.
func (b Base) empty() bool { return b.Node == nil && b.Edge == nil }

// steps returns where the edges of a graph lead.
func (b Base) steps(g *graph.Graph) graph.Adjacency {
	adj := g.Adjacency(true)
	if b.Parallel {
		return adj
	}
	if b.Edge == nil {
		return adj.Merged(nil)
	}
	attributes := sync.OnceValue(func() described { d, _ := b.edges(g); return d })
	return adj.Merged(func(e int32) string {
		var key []byte
		if rows := attributes().rows; rows.Len() > 0 {
			for _, v := range rows.At(int(e)) {
				key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v))
			}
		}
		return string(key)
	})
}

// described are the vectors of the nodes, or the edges, of one graph.
type described struct {
	names []string // of the coordinates
	rows  data.Vectors
}

// nodes returns the attributes of the nodes, and an error where there are none that the base kernel
// can compare.
func (b Base) nodes(g *graph.Graph, label string) (described, error) {
	return describe(g, b.Node, g.Nodes, nil, label, g.Len(), "node", func(v int) string { return fmt.Sprintf("the node %q", g.IDs[v]) })
}

// edges returns the attributes of the edges.
func (b Base) edges(g *graph.Graph) (described, error) {
	return describe(g, b.Edge, g.Labels, g.Weights, "", len(g.Edges), "edge", g.Where)
}

// Attributes returns the vectors that the kernel in an argument, node or edge, compares; none where
// a graph has no attributes. The label of nodes that is left out is that of [DefaultLabel].
func Attributes(g *graph.Graph, argument string) [][]float64 {
	all := Base{Node: kernel.Constant[[]float64]{Value: 1}, Edge: kernel.Constant[[]float64]{Value: 1}}
	d, _ := all.nodes(g, "")
	if argument == "edge" {
		d, _ = all.edges(g)
	}
	out := make([][]float64, d.rows.Len())
	for i := range out {
		out[i] = d.rows.At(i)
	}
	return out
}

// describe gathers the numeric columns of n nodes or edges. Of none, and for no kernel, it is the
// zero value.
func describe(g *graph.Graph, of kernel.Kernel[[]float64], columns []data.Column, weights []float64, label string, n int, what string, where func(i int) string) (described, error) {
	var d described
	if of == nil || n == 0 {
		return d, nil
	}
	var numeric []*data.Column
	for k := range columns {
		if c := &columns[k]; c.Kind == data.Numeric && c.Name != label && c.Name != DefaultLabel {
			numeric = append(numeric, c)
		}
	}
	slices.SortFunc(numeric, func(a, b *data.Column) int { return strings.Compare(a.Name, b.Name) })
	if weights != nil {
		numeric = slices.Insert(numeric, 0, &data.Column{Name: "weight", Kind: data.Numeric, Numbers: weights})
	}
	if len(numeric) == 0 {
		return d, fmt.Errorf("graph: the %ss of %s have no attributes that are numbers, and %s=%s compares these; give them some, or leave out %s=", what, g.Source, what, of, what)
	}
	d.rows = data.MakeVectors(n, len(numeric))
	for c, column := range numeric {
		d.names = append(d.names, column.Name)
		for i, v := range column.Numbers {
			if column.IsMissing(i) || math.IsNaN(v) || math.IsInf(v, 0) {
				return described{}, fmt.Errorf("graph: %s: %s has no finite value of %s, which %s=%s compares; give it one", g.Source, where(i), column.Name, what, of)
			}
			d.rows.At(i)[c] = v
		}
	}
	if i, err := kernel.Outside(of, d.rows); err != nil {
		return described{}, fmt.Errorf("graph: %s: %s: %w", g.Source, where(i), err)
	}
	return d, nil
}

// domain returns an objection to the attributes of a graph.
func (b Base) domain(g *graph.Graph, label string) error {
	if _, err := b.nodes(g, label); err != nil {
		return err
	}
	_, err := b.edges(g)
	return err
}

// agree returns the first graph whose attributes are not those of like, with the objection; −1 if
// there is none. Graphs outside of the domain are passed over.
func (b Base) agree(xs data.Set[*graph.Graph], like *graph.Graph, label string) (row int, err error) {
	if b.empty() {
		return -1, nil
	}
	nodes, _ := b.nodes(like, label)
	edges, _ := b.edges(like)
	for i := range xs.Len() {
		g := xs.At(i)
		for _, of := range []struct {
			what string
			want *described
			read func() (described, error)
		}{{"node", &nodes, func() (described, error) { return b.nodes(g, label) }}, {"edge", &edges, func() (described, error) { return b.edges(g) }}} {
			got, err := of.read()
			switch {
			case err != nil || got.names == nil:
			case of.want.names == nil:
				*of.want = got
			case !slices.Equal(got.names, of.want.names):
				return i, fmt.Errorf("graph: the %ss of %s have the attributes %s, and those of %s %s; all graphs need the same", of.what, g.Source, listed(got.names), like.Source, listed(of.want.names))
			}
		}
	}
	return -1, nil
}

// listed writes names for a message.
func listed(names []string) string {
	const most = 8
	if len(names) > most {
		return fmt.Sprintf("%s, … (%d)", strings.Join(names[:most], ", "), len(names))
	}
	return strings.Join(names, ", ")
}

// outside is the first point of a set that contains objects to, or that has other attributes
// than the first point; see [kernel.SetDomain].
func (b Base) outside(xs data.Set[*graph.Graph], label string, contains func(g *graph.Graph) error) (row int, err error) {
	row = -1
	for i := range xs.Len() {
		if err = contains(xs.At(i)); err != nil {
			row = i
			break
		}
	}
	before := xs
	if row >= 0 {
		before = data.Run(xs, 0, row)
	}
	if before.Len() > 0 {
		if i, e := b.agree(before, before.At(0), label); e != nil {
			return i, e
		}
	}
	return row, err
}

// arguments appends the base kernels to those of a kernel.
func (b Base) arguments(text string) string {
	for _, a := range []struct {
		key string
		of  kernel.Kernel[[]float64]
	}{{"node", b.Node}, {"edge", b.Edge}} {
		if a.of == nil {
			continue
		}
		if text != "" {
			text += ", "
		}
		text += a.key + "=" + a.of.String()
	}
	if b.Parallel {
		if text != "" {
			text += ", "
		}
		text += "parallel=count"
	}
	return text
}

// derive gives the verdict on a kernel that is definite where the base kernels are: it is a sum of
// products of their values.
func (b Base) derive(text, reason string) kernel.Derivation {
	d := kernel.Derivation{Kernel: text, Verdict: kernel.Definite, Reason: reason}
	for _, of := range []kernel.Kernel[[]float64]{b.Node, b.Edge} {
		if of == nil {
			continue
		}
		base := kernel.Derive(of)
		if d.From = append(d.From, base); base.Verdict != kernel.Definite {
			d.Verdict = kernel.Unknown
			d.Reason = base.Kernel + " is " + base.Verdict.String() + ", so this rule does not apply: " + reason
		}
	}
	return d
}
