package graph

import (
	"fmt"
	"math"
	"strconv"

	"example.org/mercer/data"
)

// Builder gathers what a reader finds, in any order, and checks it as a whole.
type Builder struct {
	g        *Graph
	at       map[string]int32
	ends     []written
	weights  []float64
	weighted int // edges with a weight of their own
	nodes    attributes
	edges    attributes
}

// Place is where something stands in a file, both counted from 1; a Column of 0 means the
// whole line.
type Place struct{ Line, Column int }

// written is an edge as a file has it.
type written struct {
	from, to string
	at       Place
}

// Value is the value of an attribute: a text, and whether the format says that it is a
// number.
type Value struct {
	Text    string
	Numeric bool
}

// NewBuilder returns a builder of a graph; source is what messages call it.
func NewBuilder(source string, directed bool) *Builder {
	return &Builder{g: &Graph{Source: source, Directed: directed}, at: make(map[string]int32)}
}

// Nodes returns how many nodes were added.
func (b *Builder) Nodes() int { return len(b.g.IDs) }

// Node adds a node and returns its number. An id that was added before is an error.
func (b *Builder) Node(id string, at Place) (int, error) {
	if first, ok := b.at[id]; ok {
		return 0, b.fail(at, id, fmt.Sprintf("is the id of two nodes, the first on line %d", b.g.Lines[first]), "give every node an id of its own")
	}
	return b.add(id, at)
}

// Known returns the number of a node, which it adds if there is none of this id.
func (b *Builder) Known(id string, at Place) (int, error) {
	if i, ok := b.at[id]; ok {
		return int(i), nil
	}
	return b.add(id, at)
}

func (b *Builder) add(id string, at Place) (int, error) {
	n := len(b.g.IDs)
	if n == math.MaxInt32 {
		return 0, b.fail(at, id, fmt.Sprintf("is one node more than the %d that are numbered", n), "")
	}
	b.at[id] = int32(n)
	b.g.IDs, b.g.Lines = append(b.g.IDs, id), append(b.g.Lines, at.Line)
	return n, nil
}

// Edge adds an edge between two nodes, which may be added later, and returns its number.
func (b *Builder) Edge(from, to string, at Place) int {
	b.ends = append(b.ends, written{from, to, at})
	b.weights = append(b.weights, 1)
	return len(b.ends) - 1
}

// Weigh gives an edge its weight.
func (b *Builder) Weigh(edge int, text string, at Place) error {
	w, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(w) || math.IsInf(w, 0) {
		return b.fail(at, text, "is not a finite number and cannot be a weight", "write a number, or leave the weight out")
	}
	b.weights[edge] = w
	b.weighted++
	return nil
}

// NodeAttribute and EdgeAttribute set a named attribute of a node or an edge. The error
// says that it has one already, or is no number where its format promises one.
func (b *Builder) NodeAttribute(node int, name string, v Value, at Place) error {
	return b.set(&b.nodes, node, name, v, at)
}

// EdgeAttribute is described with NodeAttribute.
func (b *Builder) EdgeAttribute(edge int, name string, v Value, at Place) error {
	return b.set(&b.edges, edge, name, v, at)
}

func (b *Builder) set(to *attributes, i int, name string, v Value, at Place) error {
	if v.Numeric {
		if _, err := strconv.ParseFloat(v.Text, 64); err != nil {
			return b.fail(at, v.Text, fmt.Sprintf("is not a number, and the attribute %s holds numbers", data.Quote(name)), "correct it, or declare the attribute a string")
		}
	}
	if !to.set(i, name, v) {
		return b.fail(at, name, "is given twice", "keep one of the two")
	}
	return nil
}

// Build resolves the ends of the edges and returns the graph. Errors name the first edge
// to a node that does not exist, or without a weight where others have one.
func (b *Builder) Build() (*Graph, error) {
	g := b.g
	if len(g.IDs) == 0 {
		return nil, &data.Error{Source: g.Source, Reason: "holds a graph without nodes", Fix: "give a graph with at least one node"}
	}
	edges := make([]Edge, len(b.ends))
	lines := make([]int, len(b.ends))
	for e, w := range b.ends {
		for _, end := range []struct {
			id string
			to *int32
		}{{w.from, &edges[e].From}, {w.to, &edges[e].To}} {
			at, ok := b.at[end.id]
			if !ok {
				return nil, b.fail(w.at, end.id, "is the end of an edge and the id of no node", "declare the node, or remove the edge")
			}
			*end.to = at
		}
		lines[e] = w.at.Line
	}
	if b.weighted != 0 && b.weighted != len(b.ends) {
		return nil, &data.Error{Source: g.Source, Reason: fmt.Sprintf("gives a weight to %d of %d edges", b.weighted, len(b.ends)), Fix: "give one to every edge, or to none"}
	}
	weights := b.weights
	if b.weighted == 0 {
		weights = nil
	}
	made, err := New(g.Source, g.Directed, g.IDs, edges, weights)
	if err != nil {
		return nil, err
	}
	made.Lines, made.EdgeLines = g.Lines, lines
	made.Nodes, made.Labels = b.nodes.columns(len(g.IDs)), b.edges.columns(len(edges))
	return made, nil
}

func (b *Builder) fail(at Place, value, reason, fix string) error {
	return &data.Error{Source: b.g.Source, Line: at.Line, Column: at.Column, Value: value, Reason: reason, Fix: fix}
}
