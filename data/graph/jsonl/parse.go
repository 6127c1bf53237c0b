package jsonl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
)

// line is what stands on a line.
type line struct {
	ID       string                     `json:"id"`
	Class    *string                    `json:"class"`
	Directed bool                       `json:"directed"`
	Nodes    json.RawMessage            `json:"nodes"`
	Edges    [][]int32                  `json:"edges"`
	Weights  []float64                  `json:"weights"`
	Node     map[string]json.RawMessage `json:"node"`
	Edge     map[string]json.RawMessage `json:"edge"`
}

// mostUnnamed bounds the number of nodes that a line may announce without naming them, so
// that a slip of a few bytes does not ask for all memory.
const mostUnnamed = 1 << 22

// Parse returns the graph of a line; id and class are not looked at. The error is a
// *data.Error without a line.
func Parse(text string) (*graph.Graph, error) {
	l, err := decode("graph", 0, []byte(text))
	if err != nil {
		return nil, err
	}
	return l.graph("graph", 0)
}

// decode reads the JSON of a line.
func decode(source string, at int, text []byte) (*line, error) {
	var l line
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	err := d.Decode(&l)
	if err == nil {
		if rest := bytes.TrimSpace(text[d.InputOffset():]); len(rest) > 0 {
			return nil, &data.Error{Source: source, Line: at, Column: len(text) - len(rest) + 1, Value: string(rest), Reason: "follows the graph on its line", Fix: "write one graph a line"}
		}
		return &l, nil
	}
	bad := &data.Error{Source: source, Line: at, Reason: "is no graph in JSON", Err: err, Fix: `write {"nodes":2,"edges":[[0,1]]}, one graph a line`}
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		bad.Column = int(syntax.Offset)
	case errors.As(err, &kind):
		bad.Column, bad.Err = int(kind.Offset), fmt.Errorf("%s cannot be a %s", kind.Field, kind.Value)
	}
	return nil, bad
}

// graph checks a line as a whole.
func (l *line) graph(source string, at int) (*graph.Graph, error) {
	fail := func(reason, fix string) (*graph.Graph, error) {
		return nil, &data.Error{Source: source, Line: at, Reason: reason, Fix: fix}
	}
	ids, err := l.ids()
	if err != nil {
		return fail(err.Error(), `write "nodes":3, or the list of their ids`)
	}
	edges := make([]graph.Edge, len(l.Edges))
	for e, ends := range l.Edges {
		if len(ends) != 2 {
			return fail(fmt.Sprintf("edge %d has %d ends", e, len(ends)), "write the positions of its two nodes, counted from 0")
		}
		edges[e] = graph.Edge{From: ends[0], To: ends[1]}
		if n := int32(len(ids)); ends[0] < 0 || ends[1] < 0 || ends[0] >= n || ends[1] >= n {
			return fail(fmt.Sprintf("edge %d joins nodes %d and %d, and there are %d, counted from 0", e, ends[0], ends[1], n), "add the node, or remove the edge")
		}
	}
	g, err := graph.New(source, l.Directed, ids, edges, l.Weights)
	if err != nil {
		return nil, &data.Error{Source: source, Line: at, Reason: "is no graph", Err: err}
	}
	if g.Nodes, err = columns(l.Node, len(ids), "node"); err == nil {
		g.Labels, err = columns(l.Edge, len(edges), "edge")
	}
	if err != nil {
		return fail(err.Error(), "give every attribute a list of strings or numbers, null where there is no value")
	}
	return g, nil
}

// ids returns the ids of the nodes.
func (l *line) ids() ([]string, error) {
	if bytes.HasPrefix(l.Nodes, []byte("[")) {
		var ids []string
		if json.Unmarshal(l.Nodes, &ids) != nil {
			return nil, errors.New("nodes is a list, and not of strings")
		}
		return ids, nil
	}
	var n int
	if l.Nodes == nil || json.Unmarshal(l.Nodes, &n) != nil {
		return nil, errors.New("does not say how many nodes there are")
	}
	if n < 0 {
		return nil, fmt.Errorf("has %d nodes", n)
	}
	if n > mostUnnamed {
		return nil, fmt.Errorf("has %d nodes without ids; at most %d are numbered", n, mostUnnamed)
	}
	return numbered(n), nil
}

// numbered returns the ids "0", "1", …, which small graphs share.
func numbered(n int) []string {
	if n <= len(firstIDs) {
		return firstIDs[:n:n]
	}
	return numbers(n)
}

var firstIDs = numbers(256)

func numbers(n int) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
	}
	return ids
}

// columns reads the attributes of n nodes or edges, in the order of their names.
func columns(lists map[string]json.RawMessage, n int, what string) ([]data.Column, error) {
	if len(lists) == 0 {
		return nil, nil
	}
	out := make([]data.Column, 0, len(lists))
	for name, raw := range lists {
		c, err := column(name, raw)
		if err != nil {
			return nil, fmt.Errorf("the attribute %s of the %ss %w", data.Quote(name), what, err)
		}
		if c.Len() != n {
			return nil, fmt.Errorf("the attribute %s has %d values for %d %ss", data.Quote(name), c.Len(), n, what)
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(x, y data.Column) int { return strings.Compare(x.Name, y.Name) })
	return out, nil
}

// column reads a list of strings or of numbers.
func column(name string, raw json.RawMessage) (data.Column, error) {
	c := data.Column{Name: name}
	var texts []*string
	if json.Unmarshal(raw, &texts) == nil {
		var cells data.Texts
		for i, text := range texts {
			if text == nil {
				miss(&c, i, len(texts))
				text = new(string)
			}
			cells.Add([]byte(*text))
		}
		c.Strings = cells.Cells()
		c.Kind, c.Why = cells.Kind(c.Missing)
		return c, nil
	}
	var numbers []*float64
	if err := json.Unmarshal(raw, &numbers); err != nil {
		return c, errors.New("is no list of strings or of numbers")
	}
	c.Kind, c.Numbers = data.Numeric, make([]float64, len(numbers))
	for i, v := range numbers {
		if v == nil {
			miss(&c, i, len(numbers))
			c.Numbers[i] = math.NaN()
			continue
		}
		c.Numbers[i] = *v
	}
	return c, nil
}

// miss marks cell i of n as missing.
func miss(c *data.Column, i, n int) {
	if c.Missing == nil {
		c.Missing = make([]bool, n)
	}
	c.Missing[i] = true
}
