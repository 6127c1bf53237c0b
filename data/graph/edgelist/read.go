package edgelist

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/data/lines"
)

// Options say what a file does not.
type Options struct {
	// Directed says that an edge leads from its first node to its second.
	Directed bool
	// Budget is the memory that reading may take; nil: any.
	Budget *data.Budget
}

// What a graph takes from the budget without the letters of its ids: an edge and a node.
const (
	edgeBytes = 120
	nodeBytes = 120
)

// checkLines is the number of lines between two checks of the context.
const checkLines = 64

// Read returns the graph of a file; name is what messages call the source. Errors are
// *data.Error with line and column, except that of ctx. Time and memory are linear in the
// file.
func Read(ctx context.Context, name string, r io.Reader, o Options) (*graph.Graph, error) {
	p := &parser{source: name, b: graph.NewBuilder(name, o.Directed)}
	for in := lines.New(name, r, o.Budget); ; {
		if in.Line()%checkLines == 0 && ctx.Err() != nil {
			return nil, fmt.Errorf("%s: reading: %w", name, context.Cause(ctx))
		}
		line, err := in.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		edges, nodes := p.edges, p.b.Nodes()
		if err := p.line(line, in.Line()); err != nil {
			return nil, err
		}
		bytes := 3*int64(len(line)) + 1 + edgeBytes*int64(p.edges-edges) + nodeBytes*int64(p.b.Nodes()-nodes)
		if err := o.Budget.Take(bytes, name, in.Line()); err != nil {
			return nil, err
		}
	}
	if p.edges == 0 {
		return nil, &data.Error{Source: name, Reason: "holds no edges", Fix: "write two ids on a line"}
	}
	return p.b.Build()
}

// parser adds line after line to a graph.
type parser struct {
	source string
	b      *graph.Builder
	edges  int
	header bool // one was seen
	words  int  // on every line
	first  int  // the line that set words
}

// field is one word of a line.
type field struct {
	text string
	at   graph.Place
}

// mostWords is how many words of a line are looked at: one more than an edge can have.
const mostWords = 4

// separates reports whether a byte stands between words.
func separates(c byte) bool { return strings.IndexByte(" \t,;\r\n", c) >= 0 }

// fields cuts a line, without its comment, into words.
func fields(line []byte, at int) []field {
	if i := bytes.IndexAny(line, "#%"); i >= 0 {
		line = line[:i]
	}
	var out []field
	for i := 0; i < len(line) && len(out) < mostWords; {
		if separates(line[i]) {
			i++
			continue
		}
		begin := i
		for i < len(line) && !separates(line[i]) {
			i++
		}
		out = append(out, field{string(line[begin:i]), graph.Place{Line: at, Column: begin + 1}})
	}
	return out
}

// headers are the pairs of words that name the two columns of a header.
var headers = [][2]string{{"source", "target"}, {"from", "to"}}

func isHeader(f []field) bool {
	if len(f) < 2 || len(f) > 3 || len(f) == 3 && !strings.EqualFold(f[2].text, "weight") {
		return false
	}
	for _, h := range headers {
		if strings.EqualFold(f[0].text, h[0]) && strings.EqualFold(f[1].text, h[1]) {
			return true
		}
	}
	return false
}

// line adds the edge of a line.
func (p *parser) line(text []byte, at int) error {
	f := fields(text, at)
	if len(f) == 0 {
		return nil
	}
	if p.edges == 0 && !p.header && isHeader(f) {
		p.header = true
		return nil
	}
	if !utf8.Valid(text) {
		return p.fail(f[0], "stands on a line that is not UTF-8 text", "save the file as UTF-8")
	}
	switch {
	case len(f) == 1:
		return p.fail(f[0], "is alone on its line, and an edge has two nodes", "write two ids; a format with nodes of their own, such as GML, has nodes without edges")
	case len(f) > 3:
		return p.fail(f[3], "is one word too many: an edge is two ids and perhaps a weight", "keep three columns; ids hold no blanks")
	case p.words == 0:
		p.words, p.first = len(f), at
	case p.words != len(f):
		return p.fail(f[len(f)-1], fmt.Sprintf("ends a line of %d words, and line %d has %d", len(f), p.first, p.words), "give a weight to every edge, or to none")
	}
	for _, end := range f[:2] {
		if _, err := p.b.Known(end.text, end.at); err != nil {
			return err
		}
	}
	edge := p.b.Edge(f[0].text, f[1].text, f[0].at)
	p.edges++
	if len(f) == 3 {
		return p.b.Weigh(edge, f[2].text, f[2].at)
	}
	return nil
}

func (p *parser) fail(f field, reason, fix string) error {
	return &data.Error{Source: p.source, Line: f.at.Line, Column: f.at.Column, Value: f.text, Reason: reason, Fix: fix}
}
