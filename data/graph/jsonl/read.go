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
func Read(ctx context.Context, name string, r io.Reader) (*data.Table, error) {
	var ids, cells []string
	var classes data.Texts
	var missing []bool
	var at []int
	classed := 0
	lines := bufio.NewReaderSize(r, 1<<16)
	for n := 1; ; n++ {
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s: reading: %w", name, context.Cause(ctx))
		}
		text, err := lines.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, &data.Error{Source: name, Line: n, Reason: "cannot be read", Err: err}
		}
		if trimmed := bytes.TrimSpace(text); len(trimmed) > 0 {
			l, bad := decode(name, n, trimmed)
			if bad != nil {
				return nil, bad
			}
			cell, bad := l.cell(name, n)
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
		}
		if err == io.EOF {
			break
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
