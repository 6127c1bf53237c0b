package graphml

import (
	"encoding/xml"
	"maps"
	"slices"

	"example.org/mercer/data/graph"
)

// reading is one graph of the file.
type reading struct {
	*parser
	b        *graph.Builder
	directed bool
}

// graph reads an element graph.
func (p *parser) graph(e xml.StartElement) error {
	r := reading{parser: p}
	switch direction, _ := attribute(e, "edgedefault"); direction {
	case "directed":
		r.directed = true
	case "undirected":
	default:
		return p.fail(direction, "is not a direction of edges", `write edgedefault="directed" or edgedefault="undirected"`)
	}
	r.b = graph.NewBuilder(p.source, r.directed)
	err := p.children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "node":
			return r.node(e)
		case "edge":
			return r.edge(e)
		case "hyperedge":
			return p.fail("hyperedge", "joins any number of nodes, and edges here join two", "write it as edges")
		}
		return p.skip()
	})
	if err != nil {
		return err
	}
	g, err := r.b.Build()
	p.graphs = append(p.graphs, g)
	return err
}

func (r *reading) node(e xml.StartElement) error {
	id, ok := attribute(e, "id")
	if !ok {
		return r.fail("node", "has no id", "add one")
	}
	at, err := r.b.Node(id, r.at)
	if err != nil {
		return err
	}
	return r.data("node", func(name string, v graph.Value, place graph.Place) error {
		return r.b.NodeAttribute(at, name, v, place)
	})
}

func (r *reading) edge(e xml.StartElement) error {
	from, ok := attribute(e, "source")
	to, also := attribute(e, "target")
	if !ok || !also {
		return r.fail("edge", "has no source or no target", "add the id of a node")
	}
	if d, ok := attribute(e, "directed"); ok && (d == "true") != r.directed {
		return r.fail("directed="+d, "differs from the direction of the graph", "write directed and undirected edges in two files, or an undirected edge as two directed ones")
	}
	at := r.b.Edge(from, to, r.at)
	return r.data("edge", func(name string, v graph.Value, place graph.Place) error {
		if name == "weight" {
			return r.b.Weigh(at, v.Text, place)
		}
		return r.b.EdgeAttribute(at, name, v, place)
	})
}

// data reads the data elements of a node or an edge, and adds the defaults of the keys
// that are not given.
func (r *reading) data(of string, set func(name string, v graph.Value, at graph.Place) error) error {
	place, given := r.at, map[string]bool{}
	err := r.children(func(e xml.StartElement) error {
		switch e.Name.Local {
		case "data":
		case "graph":
			return r.fail("graph", "stands inside of a node or an edge", "write nested graphs in files of their own")
		default:
			return r.skip()
		}
		at := r.at
		id, _ := attribute(e, "key")
		k, ok := r.keys[id]
		if !ok || k.of != of && k.of != "all" {
			return r.fail(id, "is no key that is declared for a "+of, `declare it before the graph: <key id="…" for="`+of+`" …/>`)
		}
		given[id] = true
		v, err := r.text()
		if err != nil || v == "" {
			return err
		}
		return set(k.name, graph.Value{Text: v, Numeric: k.numeric}, at)
	})
	if err != nil {
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(r.keys)) {
		if k := r.keys[id]; (k.of == of || k.of == "all") && k.fallback != nil && !given[id] {
			if err := set(k.name, graph.Value{Text: *k.fallback, Numeric: k.numeric}, place); err != nil {
				return err
			}
		}
	}
	return nil
}
