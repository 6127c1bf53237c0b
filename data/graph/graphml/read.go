package graphml

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
)

// Read returns the graphs of a file, of which most files hold one. name is what messages
// call the source. Errors are *data.Error with line and column, except that of ctx. Time
// and memory, which comes from the budget (nil: any), are linear in the file.
func Read(ctx context.Context, name string, r io.Reader, budget *data.Budget) ([]*graph.Graph, error) {
	in := &bounded{r: r, source: name}
	p := &parser{ctx: ctx, source: name, in: in, x: xml.NewDecoder(in), budget: budget, keys: map[string]key{}}
	root := false
	for {
		t, err := p.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		start, ok := t.(xml.StartElement)
		switch {
		case !ok:
		case !root && start.Name.Local != "graphml":
			return nil, p.fail(start.Name.Local, "is the outermost element, which is graphml in a GraphML file", "")
		case start.Name.Local == "graphml":
			root = true
		case start.Name.Local == "key":
			if err := p.key(start); err != nil {
				return nil, err
			}
		case start.Name.Local == "graph":
			if err := p.graph(start); err != nil {
				return nil, err
			}
		default:
			if err := p.skip(); err != nil {
				return nil, err
			}
		}
	}
	if len(p.graphs) == 0 {
		return nil, &data.Error{Source: name, Reason: "holds no graph", Fix: "a GraphML file has an element graph inside of graphml"}
	}
	return p.graphs, nil
}

// checkTokens is the number of tokens between two checks of the context.
const checkTokens = 128

// longest is the largest number of bytes of one token: a tag with its attributes, a comment, or
// text between two tags.
const longest = 1 << 22

// deepest is the depth of elements in elements.
const deepest = 64

// tokenBytes is what a token takes from the budget beside its letters.
const tokenBytes = 100

// bounded refuses to read on where one token has no end.
type bounded struct {
	r      io.Reader
	source string
	since  int // bytes since the last token
}

// Read reads what the decoder asks for.
func (b *bounded) Read(to []byte) (int, error) {
	if b.since > longest {
		return 0, &data.Error{Source: b.source, Reason: fmt.Sprintf("holds a tag, a comment or a text of more than %d MiB", longest>>20), Fix: "the file may be damaged; GraphML needs none so long"}
	}
	n, err := b.r.Read(to)
	b.since += n
	return n, err
}

type parser struct {
	ctx    context.Context
	in     *bounded
	budget *data.Budget
	depth  int
	source string
	x      *xml.Decoder
	read   int
	at     graph.Place // of the current token
	keys   map[string]key
	graphs []*graph.Graph
}

// key declares an attribute of nodes, edges, or all.
type key struct {
	of, name string
	numeric  bool
	fallback *string
}

// next returns the next token.
func (p *parser) next() (xml.Token, error) {
	if p.read%checkTokens == 0 && p.ctx.Err() != nil {
		return nil, fmt.Errorf("%s: reading: %w", p.source, context.Cause(p.ctx))
	}
	p.read++
	p.at.Line, p.at.Column = p.x.InputPos()
	p.in.since = 0
	began := p.x.InputOffset()
	t, err := p.x.Token()
	if err == io.EOF {
		return t, err
	}
	if err == nil {
		return t, p.budget.Take(tokenBytes+2*(p.x.InputOffset()-began), p.source, p.at.Line)
	}
	if ours, ok := err.(*data.Error); ok {
		return nil, ours
	}
	line, column := p.x.InputPos()
	e := &data.Error{Source: p.source, Line: line, Column: column, Reason: "is not well-formed XML", Err: err}
	var bad *xml.SyntaxError
	if errors.As(err, &bad) {
		e.Err = errors.New(bad.Msg)
	} else if p.ctx.Err() != nil {
		return nil, fmt.Errorf("%s: reading: %w", p.source, context.Cause(p.ctx))
	}
	return nil, e
}

func (p *parser) fail(value, reason, fix string) error {
	return &data.Error{Source: p.source, Line: p.at.Line, Column: p.at.Column, Value: value, Reason: reason, Fix: fix}
}

// skip passes over the rest of an element.
func (p *parser) skip() error {
	return p.children(func(xml.StartElement) error { return p.skip() })
}

// children calls each for every element inside the current one, which each must read to
// its end, and returns at the end of the current one.
func (p *parser) children(each func(xml.StartElement) error) error {
	if p.depth++; p.depth > deepest {
		return p.fail("", fmt.Sprintf("more than %d elements stand in one another", deepest), "")
	}
	defer func() { p.depth-- }()
	for {
		t, err := p.next()
		if err == io.EOF {
			return p.fail("", "the file ends inside of an element", "the file may have been cut")
		}
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case xml.EndElement:
			return nil
		case xml.StartElement:
			if err := each(t); err != nil {
				return err
			}
		}
	}
}

// text returns the text of an element, which holds nothing else.
func (p *parser) text() (string, error) {
	var b strings.Builder
	for {
		t, err := p.next()
		if err == io.EOF {
			return "", p.fail("", "the file ends inside of an element", "the file may have been cut")
		}
		if err != nil {
			return "", err
		}
		switch t := t.(type) {
		case xml.CharData:
			b.Write(t)
		case xml.EndElement:
			return strings.TrimSpace(b.String()), nil
		case xml.StartElement: // a picture of an editor, in its own name space
			if err := p.skip(); err != nil {
				return "", err
			}
		}
	}
}

// attribute returns an attribute of an element in its default name space.
func attribute(e xml.StartElement, name string) (string, bool) {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value, true
		}
	}
	return "", false
}

// key reads the declaration of an attribute.
func (p *parser) key(e xml.StartElement) error {
	id, ok := attribute(e, "id")
	if !ok {
		return p.fail("key", "has no id", "add one: data elements name it")
	}
	if _, twice := p.keys[id]; twice {
		return p.fail(id, "is declared twice", "give every key an id of its own")
	}
	k := key{of: "all", name: id}
	if of, ok := attribute(e, "for"); ok {
		k.of = of
	}
	if name, ok := attribute(e, "attr.name"); ok {
		k.name = name
	}
	kind, _ := attribute(e, "attr.type")
	switch kind {
	case "int", "long", "float", "double":
		k.numeric = true
	case "", "string", "boolean":
	default:
		return p.fail(kind, "is not a type", "there are boolean, int, long, float, double and string")
	}
	err := p.children(func(e xml.StartElement) error {
		if e.Name.Local != "default" {
			return p.skip()
		}
		v, err := p.text()
		k.fallback = &v
		return err
	})
	p.keys[id] = k
	return err
}
