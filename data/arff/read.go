package arff

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/data/lines"
)

// What a table takes from the budget: a column without cells, a row, and a cell without letters.
const (
	columnBytes = 500
	rowBytes    = 10
	cellBytes   = 32
)

// Read returns the table of a file; name is what messages call it. Errors are *data.Error with the
// line, except that of ctx. Time is linear in the file, memory in rows × columns; it comes from the
// budget, nil for any.
func Read(ctx context.Context, name string, r io.Reader, budget *data.Budget) (*data.Table, error) {
	p := &parser{source: name, budget: budget}
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
		p.line = in.Line()
		text = bytes.TrimSpace(text)
		switch {
		case len(text) == 0 || text[0] == '%':
			err = in.Skip()
		case p.data:
			err = p.row(string(text))
		default:
			err = p.declaration(string(text))
		}
		if err != nil {
			return nil, err
		}
	}
	switch {
	case !p.data:
		return nil, &data.Error{Source: name, Reason: "has no line @data", Fix: "write @attribute lines, @data, and then a line for each row"}
	case len(p.rows) == 0:
		return nil, &data.Error{Source: name, Reason: "holds no rows", Fix: "write them after @data"}
	}
	t := &data.Table{Source: name, Lines: p.rows, Headed: true}
	for i := range p.columns {
		t.Columns = append(t.Columns, p.columns[i].column())
	}
	return t, nil
}

// attribute is a column while it is read.
type attribute struct {
	name    string
	numeric bool
	levels  map[string]bool // of a nominal one; nil: it has none
	first   string          // of them
	numbers []float64
	texts   data.Texts
	missing []bool
	some    bool // a cell is missing
}

// column returns that of the table.
func (a *attribute) column() data.Column {
	missing := a.missing
	if !a.some {
		missing = nil
	}
	switch {
	case a.numeric:
		return data.Column{Name: a.name, Kind: data.Numeric, Numbers: a.numbers, Missing: missing}
	case a.levels != nil:
		return data.Column{Name: a.name, Kind: data.Categorical, Strings: a.texts.Cells(), Missing: missing}
	}
	return a.texts.Column(a.name, missing)
}

// absent is what a sparse row has of an attribute that it leaves out.
func (a *attribute) absent() string {
	switch {
	case a.numeric:
		return "0"
	case a.levels != nil:
		return a.first
	}
	return "?"
}

// parser collects columns.
type parser struct {
	source  string
	line    int
	data    bool // the declarations are over
	rows    []int
	columns []attribute
	budget  *data.Budget
}

func (p *parser) fail(reason, fix string) error {
	return &data.Error{Source: p.source, Line: p.line, Reason: reason, Fix: fix}
}

// declaration reads a line before the rows.
func (p *parser) declaration(text string) error {
	word, rest, _ := strings.Cut(strings.ReplaceAll(text, "\t", " "), " ")
	switch strings.ToLower(word) {
	case "@relation":
		return nil
	case "@attribute":
		return p.attribute(strings.TrimSpace(rest))
	case "@data":
		if len(p.columns) == 0 {
			return p.fail("begins the rows, and there is no attribute", "write @attribute lines before")
		}
		p.data = true
		return nil
	}
	return p.fail("begins with "+data.Quote(word)+" before @data", "write @relation, @attribute, @data, or a comment behind %")
}

// attribute declares a column.
func (p *parser) attribute(text string) error {
	name, kind, err := word(text)
	if kind = strings.TrimSpace(kind); err != nil || kind == "" {
		return p.fail("declares no attribute", "write @attribute NAME numeric, string, date or {value, value}; a name with blanks stands in quotes")
	}
	if slices.ContainsFunc(p.columns, func(a attribute) bool { return a.name == name }) {
		return p.fail("declares "+data.Quote(name)+" twice", "rename one of the two")
	}
	if err := p.budget.Take(columnBytes+2*int64(len(text)), p.source, p.line); err != nil {
		return err
	}
	a := attribute{name: name}
	first, _, _ := strings.Cut(kind, " ")
	switch strings.ToLower(first) {
	case "numeric", "real", "integer":
		a.numeric = true
	case "string", "date":
	default:
		inner, ok := strings.CutPrefix(kind, "{")
		inner, closed := strings.CutSuffix(inner, "}")
		if !ok || !closed {
			return p.fail("has the attribute "+data.Quote(name)+" of the type "+data.Quote(kind), "write numeric, string, date or {value, value}")
		}
		cells, err := split(inner)
		if err != nil {
			return p.fail("has values of "+data.Quote(name)+" that cannot be read: "+err.Error(), "close the quotes")
		}
		a.levels, a.first = make(map[string]bool, len(cells)), cells[0].text
		for _, c := range cells {
			a.levels[c.text] = true
		}
		if len(cells) == 1 && a.first == "" {
			return p.fail("has no values of "+data.Quote(name), "write them in the braces, {value, value}")
		}
	}
	p.columns = append(p.columns, a)
	return nil
}

// row adds one, dense or in braces.
func (p *parser) row(text string) error {
	if err := p.budget.Take(rowBytes+cellBytes*int64(len(p.columns)), p.source, p.line); err != nil {
		return err
	}
	if inner, ok := strings.CutPrefix(text, "{"); ok {
		return p.sparse(inner)
	}
	cells, err := split(text)
	if err != nil {
		return p.fail("cannot be read: "+err.Error(), "close the quotes")
	}
	if len(cells) != len(p.columns) {
		return p.fail(fmt.Sprintf("has %d values, and there are %d attributes", len(cells), len(p.columns)), "give every attribute one value, ? where it is missing; weights of rows are not read")
	}
	return p.cells(func(i int) (cell, bool) { return cells[i], true })
}

// sparse adds a row of pairs of an index and a value.
func (p *parser) sparse(text string) error {
	inner, closed := strings.CutSuffix(text, "}")
	if !closed {
		return p.fail("is a sparse row that does not end with }", "close the brace; weights of rows are not read")
	}
	given := map[int]cell{}
	pairs, err := split(inner)
	if err != nil {
		return p.fail("cannot be read: "+err.Error(), "close the quotes")
	}
	for _, pair := range pairs {
		if pair.text == "" && len(pairs) == 1 {
			break // no pair at all
		}
		index, value, ok := strings.Cut(pair.whole, " ")
		i, err := strconv.Atoi(index)
		parts, bad := split(value)
		if !ok || err != nil || i < 0 || i >= len(p.columns) || bad != nil || len(parts) != 1 {
			return p.fail("holds the pair "+data.Quote(pair.whole), fmt.Sprintf("write an index from 0 to %d, a blank, and a value", len(p.columns)-1))
		}
		if _, twice := given[i]; twice {
			return p.fail(fmt.Sprintf("has the index %d twice", i), "keep one of the two")
		}
		given[i] = parts[0]
	}
	return p.cells(func(i int) (cell, bool) { c, ok := given[i]; return c, ok })
}

// cells adds a row of which a function returns the cells.
func (p *parser) cells(of func(i int) (cell, bool)) error {
	p.rows = append(p.rows, p.line)
	for i := range p.columns {
		a := &p.columns[i]
		c, given := of(i)
		if !given {
			c = cell{text: a.absent()}
		}
		if err := p.cell(a, i, c); err != nil {
			return err
		}
	}
	return nil
}

// cell adds one value to an attribute.
func (p *parser) cell(a *attribute, i int, c cell) error {
	missing := c.text == "?" && !c.quoted
	a.missing, a.some = append(a.missing, missing), a.some || missing
	bad := func(reason, fix string) error {
		return &data.Error{Source: p.source, Line: p.line, Column: i + 1, Name: a.name, Value: c.text, Reason: reason, Fix: fix}
	}
	switch {
	case a.numeric && missing:
		a.numbers = append(a.numbers, math.NaN())
	case a.numeric:
		v, err := strconv.ParseFloat(c.text, 64)
		if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
			return bad("is not a number", "correct it, or write ? for a missing value")
		}
		a.numbers = append(a.numbers, v)
	case missing:
		a.texts.Add(nil)
	case a.levels != nil && !a.levels[c.text]:
		return bad("is none of the values that the attribute declares", "correct it, or declare it")
	default:
		return p.budget.Take(2*int64(a.texts.Add([]byte(c.text))), p.source, p.line)
	}
	return nil
}
