package graph

import (
	"fmt"
	"math"
	"strconv"
	"sync"

	"example.org/mercer/data"
)

// Graph is a finite graph. Its fields are read, never written, after it has been made by
// [New] or a [Builder].
type Graph struct {
	Source   string // what to call it in messages: a file name
	Directed bool
	IDs      []string      // names of the nodes, all different, in file order
	Nodes    []data.Column // attributes of the nodes, a cell for each
	Edges    []Edge        // in file order; self loops and parallel edges are kept
	Weights  []float64     // one per edge; nil: every edge weighs 1
	Labels   []data.Column // attributes of the edges, a cell for each
	// Lines and EdgeLines hold the line of the source where each node and each edge
	// stands; nil where there is none.
	Lines, EdgeLines []int

	index func() map[string]int32
}

// Edge joins two nodes, given by their position in IDs. In an undirected graph the order
// of the two has no meaning.
type Edge struct{ From, To int32 }

// New returns a graph without attributes. nil ids stand for "0", "1", …; as many as the
// largest end of an edge needs. nil weights are 1. The slices are not copied. The error
// names the first duplicate id, end outside of the nodes, or weight that is not finite.
func New(source string, directed bool, ids []string, edges []Edge, weights []float64) (*Graph, error) {
	if ids == nil {
		n := int32(0)
		for _, e := range edges {
			n = max(n, e.From+1, e.To+1)
		}
		ids = make([]string, n)
		for i := range ids {
			ids[i] = strconv.Itoa(i)
		}
	}
	g := &Graph{Source: source, Directed: directed, IDs: ids, Edges: edges, Weights: weights}
	if len(ids) > math.MaxInt32 {
		return nil, fmt.Errorf("graph: %s has %d nodes; at most %d are numbered", source, len(ids), math.MaxInt32)
	}
	if weights != nil && len(weights) != len(edges) {
		return nil, fmt.Errorf("graph: %s has %d weights for %d edges; give one for each", source, len(weights), len(edges))
	}
	for k, e := range edges {
		if n := int32(len(ids)); e.From < 0 || e.To < 0 || e.From >= n || e.To >= n {
			return nil, fmt.Errorf("graph: %s: edge %d joins nodes %d and %d, and there are %d, counted from 0", source, k, e.From, e.To, n)
		}
		if weights != nil && (math.IsNaN(weights[k]) || math.IsInf(weights[k], 0)) {
			return nil, fmt.Errorf("graph: %s: edge %d has weight %v; weights are finite numbers", source, k, weights[k])
		}
	}
	g.index = sync.OnceValue(g.number)
	if at := g.index(); len(at) != len(ids) {
		for i, id := range ids {
			if int(at[id]) != i {
				return nil, fmt.Errorf("graph: %s: nodes %d and %d have the same id %q; ids must differ", source, i, at[id], id)
			}
		}
	}
	return g, nil
}

// number returns the position of every id.
func (g *Graph) number() map[string]int32 {
	at := make(map[string]int32, len(g.IDs))
	for i, id := range g.IDs {
		at[id] = int32(i)
	}
	return at
}

// Len returns the number of nodes.
func (g *Graph) Len() int { return len(g.IDs) }

// Index returns the position of the node of an id, and whether there is one.
func (g *Graph) Index(id string) (int, bool) {
	i, ok := g.index()[id]
	return int(i), ok
}

// Weight returns the weight of edge e.
func (g *Graph) Weight(e int) float64 {
	if g.Weights == nil {
		return 1
	}
	return g.Weights[e]
}

// Where names an edge for a message: `net.gml: line 7: the edge "a" – "b"`.
func (g *Graph) Where(e int) string {
	place := g.Source
	if g.EdgeLines != nil {
		place += fmt.Sprintf(": line %d", g.EdgeLines[e])
	}
	arrow := "–"
	if g.Directed {
		arrow = "→"
	}
	return fmt.Sprintf("%s: the edge %q %s %q", place, g.IDs[g.Edges[e].From], arrow, g.IDs[g.Edges[e].To])
}

// IDColumn is the name of the column of ids in the table of a graph, unless a node
// attribute has taken it: then an underscore follows.
const IDColumn = "id"

// Table returns the nodes as rows: a column of ids, which is also the table's ID, and one
// column for each attribute.
func (g *Graph) Table() *data.Table {
	t := &data.Table{Source: g.Source, Headed: true, Lines: g.Lines, ID: IDColumn}
	for i := 0; i < len(g.Nodes); i++ {
		if g.Nodes[i].Name == t.ID {
			t.ID, i = t.ID+"_", -1
		}
	}
	ids := data.Column{Name: t.ID, Kind: data.Text, Strings: g.IDs, Why: "it holds the ids of the nodes"}
	t.Columns = append([]data.Column{ids}, g.Nodes...)
	return t
}
