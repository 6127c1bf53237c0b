package gml

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
)

// deepest is the depth of lists in lists.
const deepest = 64

// Read returns the graphs of a file, of which most files hold one. name is what messages
// call the source. Errors are *data.Error with line and column, except that of ctx. Time
// and memory, which comes from the budget (nil: any), are linear in the file.
func Read(ctx context.Context, name string, r io.Reader, budget *data.Budget) ([]*graph.Graph, error) {
	p := &parser{lexer{ctx: ctx, source: name, budget: budget, r: bufio.NewReaderSize(r, 1<<16), at: graph.Place{Line: 1, Column: 1}}}
	var graphs []*graph.Graph
	for {
		key, err := p.next()
		switch {
		case err != nil:
			return nil, err
		case key.kind == end && len(graphs) == 0:
			return nil, &data.Error{Source: name, Reason: "holds no graph", Fix: "a GML file has a list: graph [ node [ id 1 ] … ]"}
		case key.kind == end:
			return graphs, nil
		case key.kind != word:
			return nil, p.fail(key.at, key.value, "stands where a key should", "")
		}
		value, err := p.value(key)
		if err != nil {
			return nil, err
		}
		if key.value != "graph" || value.kind != open {
			if err := p.skip(value, 0); err != nil {
				return nil, err
			}
			continue
		}
		g, err := p.graph(key)
		if err != nil {
			return nil, err
		}
		graphs = append(graphs, g)
	}
}

type parser struct{ lexer }

// value returns the token after a key; one that opens a list has only its bracket taken.
func (p *parser) value(key token) (token, error) {
	v, err := p.next()
	if err == nil && (v.kind == end || v.kind == closing || v.kind == word) {
		err = p.fail(key.at, key.value, "is a key without a value", "write a number, a text in quotes, or a list in brackets after it")
	}
	return v, err
}

// pairs calls each for every key and value up to the bracket that closes the list of a key.
func (p *parser) pairs(of token, each func(key, value token) error) error {
	for {
		key, err := p.next()
		switch {
		case err != nil:
			return err
		case key.kind == closing:
			return nil
		case key.kind == end:
			return p.fail(of.at, of.value, "is a list that is not closed", "add ]; the file may have been cut")
		case key.kind != word:
			return p.fail(key.at, key.value, "stands where a key should", "")
		}
		value, err := p.value(key)
		if err != nil {
			return err
		}
		if err := each(key, value); err != nil {
			return err
		}
	}
}

// skip passes over the value of a key.
func (p *parser) skip(value token, depth int) error {
	if value.kind != open {
		return nil
	}
	if depth == deepest {
		return p.fail(value.at, value.value, fmt.Sprintf("opens more than %d lists in one another", deepest), "")
	}
	return p.pairs(value, func(_, v token) error { return p.skip(v, depth+1) })
}

// element is a node or an edge as it is written.
type element struct {
	name     string // "node" or "edge"
	at       graph.Place
	fields   []field
	id       *token
	from, to *token
	weight   *token
}

// field is an attribute.
type field struct {
	name  string
	value token
}

// graph reads the list of a key graph.
func (p *parser) graph(key token) (*graph.Graph, error) {
	var elements []element
	directed := false
	err := p.pairs(key, func(key, value token) error {
		switch {
		case key.value == "directed":
			if value.value != "0" && value.value != "1" {
				return p.fail(value.at, value.value, "is not a direction", "write directed 1, or directed 0")
			}
			directed = value.value == "1"
			return nil
		case key.value != "node" && key.value != "edge":
			return p.skip(value, 0)
		case value.kind != open:
			return p.fail(value.at, value.value, "is not a list, which a "+key.value+" must be", "write "+key.value+" [ … ]")
		}
		e := element{name: key.value, at: key.at}
		if err := p.element(&e, key, "", 0); err != nil {
			return err
		}
		elements = append(elements, e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return p.build(elements, directed)
}

// element reads the list of a node or an edge, or a list inside it.
func (p *parser) element(e *element, of token, prefix string, depth int) error {
	return p.pairs(of, func(key, value token) error {
		if value.kind == open {
			if depth == deepest {
				return p.fail(value.at, value.value, fmt.Sprintf("opens more than %d lists in one another", deepest), "")
			}
			return p.element(e, key, prefix+key.value+".", depth+1)
		}
		if to := e.role(prefix + key.value); to != nil {
			if *to != nil {
				return p.fail(key.at, key.value, "is given twice", "keep one of the two")
			}
			*to = &value
			return nil
		}
		e.fields = append(e.fields, field{prefix + key.value, value})
		return nil
	})
}

// role returns where the value of a key goes that is no attribute, or nil.
func (e *element) role(key string) **token {
	switch e.name + " " + key {
	case "node id":
		return &e.id
	case "edge source":
		return &e.from
	case "edge target":
		return &e.to
	case "edge weight":
		return &e.weight
	}
	return nil
}

// build checks the elements and joins them.
func (p *parser) build(elements []element, directed bool) (*graph.Graph, error) {
	b := graph.NewBuilder(p.source, directed)
	for i := range elements {
		e := &elements[i]
		var at int
		var err error
		set := b.NodeAttribute
		if e.name == "node" {
			if e.id == nil {
				return nil, p.fail(e.at, "", "the node has no id", "add: id 1")
			}
			at, err = b.Node(e.id.value, e.id.at)
		} else {
			if e.from == nil || e.to == nil {
				return nil, p.fail(e.at, "", "the edge has no source or no target", "add: source 1 target 2")
			}
			at, set = b.Edge(e.from.value, e.to.value, e.from.at), b.EdgeAttribute
			if e.weight != nil {
				err = b.Weigh(at, e.weight.value, e.weight.at)
			}
		}
		if err != nil {
			return nil, err
		}
		for _, f := range e.fields {
			if err := set(at, f.name, graph.Value{Text: f.value.value, Numeric: f.value.kind == number}, f.value.at); err != nil {
				return nil, err
			}
		}
	}
	return b.Build()
}
