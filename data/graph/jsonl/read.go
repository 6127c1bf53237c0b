package jsonl

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/data/graph"
	"example.org/mercer/data/lines"
)

// The columns of a table of graphs.
const (
	IDColumn    = "id"
	GraphColumn = "graph"
	ClassColumn = "class"
)

// Read returns the graphs of a file as a table with the columns id, graph and, where the
// lines have one, class, which is the target. A line without an id is called by its
// number. Empty lines are skipped. Errors are *data.Error with the line, except that of ctx.
// Memory comes from the budget, nil for any.
func Read(ctx context.Context, name string, r io.Reader, budget *data.Budget) (*data.Table, error) {
	var ids, cells []string
	var classes data.Texts
	var missing []bool
	var at []int
	classed := 0
	for in := lines.New(name, r, budget); ; {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s: reading: %w", name, context.Cause(ctx))
		}
		text, err := in.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			return nil, err
		}
		n, trimmed := in.Line(), bytes.TrimSpace(text)
		if len(trimmed) == 0 {
			if err := in.Skip(); err != nil {
				return nil, err
			}
		} else {
			cell, l, bad := within(budget, name, n, trimmed)
			if bad != nil {
				return nil, bad
			}
			if l.ID == "" {
				l.ID = strconv.Itoa(len(ids) + 1)
			}
			ids, cells, at, missing = append(ids, l.ID), append(cells, cell), append(at, n), append(missing, l.Class == nil)
			if l.Class == nil {
				l.Class = new(string)
			} else {
				classed++
			}
			classes.Add([]byte(*l.Class))
			if err := budget.Take(rowBytes+int64(len(cell)+len(l.ID)+len(*l.Class)), name, n); err != nil {
				return nil, err
			}
		}
	}
	if len(cells) == 0 {
		return nil, &data.Error{Source: name, Reason: "holds no graphs", Fix: "write one graph a line"}
	}
	t := newTable(name, ids, cells)
	t.Lines = at
	if classed > 0 {
		if classed == len(cells) {
			missing = nil
		}
		c := data.Column{Name: ClassColumn, Kind: data.Categorical, Strings: classes.Cells(), Missing: missing, Why: "it holds the classes of the graphs"}
		t.Columns, t.Target = append(t.Columns, c), ClassColumn
	}
	return t, nil
}

// What lines take from the budget: a row without its text and, while it is read, every byte of its
// text (a null that may become a number) and every node that has no name.
const (
	rowBytes  = 80
	textTimes = 16
	nodeBytes = 100
)

// within decodes a line and returns it with its canonical text.
func within(budget *data.Budget, source string, at int, text []byte) (cell string, l *line, err error) {
	bytes := textTimes * int64(len(text))
	if err := budget.Take(bytes, source, at); err != nil {
		return "", nil, err
	}
	defer func() { budget.Give(bytes) }()
	if l, err = decode(source, at, text); err != nil {
		return "", nil, err
	}
	if n, err := strconv.Atoi(string(l.Nodes)); err == nil && n > 0 && n <= mostUnnamed {
		if err := budget.Take(nodeBytes*int64(n), source, at); err != nil {
			return "", nil, err
		}
		bytes += nodeBytes * int64(n)
	}
	cell, err = l.cell(source, at)
	return cell, l, err
}

// cell checks the graph of a line and returns its canonical text.
func (l *line) cell(source string, at int) (string, error) {
	g, err := l.graph(source, at)
	if err != nil {
		return "", err
	}
	return Format(g)
}

// Table returns graphs as a table with the columns id and graph, to which the caller may
// add others.
func Table(source string, ids []string, graphs []*graph.Graph) (*data.Table, error) {
	cells := make([]string, len(graphs))
	for i, g := range graphs {
		var err error
		if cells[i], err = Format(g); err != nil {
			return nil, err
		}
	}
	return newTable(source, ids, cells), nil
}

func newTable(source string, ids, cells []string) *data.Table {
	return &data.Table{Source: source, Headed: true, ID: IDColumn, Columns: []data.Column{
		{Name: IDColumn, Kind: data.Text, Strings: ids, Why: "it holds the ids of the graphs"},
		{Name: GraphColumn, Kind: data.Text, Strings: cells, Why: "it holds graphs"},
	}}
}

// Write writes graphs, one a line. ids and classes may be nil.
func Write(w io.Writer, graphs []*graph.Graph, ids, classes []string) error {
	if ids != nil && len(ids) != len(graphs) || classes != nil && len(classes) != len(graphs) {
		return fmt.Errorf("jsonl: %d graphs, %d ids and %d classes; give one for each, or none", len(graphs), len(ids), len(classes))
	}
	out := bufio.NewWriter(w)
	for i, g := range graphs {
		text, err := Format(g)
		if err != nil {
			return err
		}
		var head []byte
		for _, part := range []struct {
			key    string
			values []string
		}{{"id", ids}, {"class", classes}} {
			if part.values != nil {
				head = append(quoted(append(quoted(head, part.key), ':'), part.values[i]), ',')
			}
		}
		fmt.Fprintf(out, "{%s%s\n", head, text[1:])
	}
	return out.Flush()
}
