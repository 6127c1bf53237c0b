package jsonl

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/data/lines"
)

// mostColumns bounds the names of a file, of which every one takes a cell in every row.
const mostColumns = 1 << 14

// Read returns the table of a file; name is what messages call it. Empty lines are skipped.
// Errors are *data.Error with the line, except that of ctx. Time is linear in the file, memory
// in rows × columns; it comes from the budget, nil for any.
func Read(ctx context.Context, name string, r io.Reader, budget *data.Budget) (*data.Table, error) {
	p := &parser{source: name, at: map[string]int{}, budget: budget}
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
		if text = bytes.TrimSpace(text); len(text) == 0 {
			err = in.Skip()
		} else {
			err = p.row(text)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(p.lines) == 0 {
		return nil, &data.Error{Source: name, Reason: "holds no rows", Fix: `write one object a line, {"age": 31, "kind": "a"}`}
	}
	return p.table()
}

// parser collects columns.
type parser struct {
	source  string
	line    int
	lines   []int // of the rows
	at      map[string]int
	columns []column
	budget  *data.Budget
}

// What a table takes from the budget: a row and a column without cells, and a cell without letters,
// which is text until the end, when it becomes a number or a text once more.
const (
	rowBytes    = 10
	columnBytes = 500
	cellBytes   = 48
)

// column is the cells of one name, as far as rows had one.
type column struct {
	name    string
	cells   []string
	present []bool
	kind    data.Kind
	first   int // the line of the first cell that is no number
}

func (p *parser) fail(reason string, cause error, fix string) error {
	return &data.Error{Source: p.source, Line: p.line, Reason: reason, Err: cause, Fix: fix}
}

// row adds the values of one object.
func (p *parser) row(text []byte) error {
	const fix = `write one object a line, {"age": 31, "kind": "a"}`
	d := json.NewDecoder(bytes.NewReader(text))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return p.fail("is no object in JSON", err, fix)
	}
	if err := p.budget.Take(rowBytes, p.source, p.line); err != nil {
		return err
	}
	p.lines = append(p.lines, p.line)
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return p.fail("is no object in JSON", err, fix)
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return p.fail("has no value for "+data.Quote(key.(string)), err, fix)
		}
		if err := p.cell(key.(string), value); err != nil {
			return err
		}
	}
	if _, err := d.Token(); err != nil {
		return p.fail("is an object in JSON that does not end", err, fix)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return p.fail("goes on after its object", nil, fix)
	}
	return nil
}

// cell adds one value of the present row.
func (p *parser) cell(name string, raw json.RawMessage) error {
	at, known := p.at[name]
	if !known {
		if len(p.columns) == mostColumns {
			return p.fail(fmt.Sprintf("brings more than %d names", mostColumns), nil, "leave out what is no column")
		}
		if err := p.budget.Take(columnBytes+2*int64(len(name)), p.source, p.line); err != nil {
			return err
		}
		at = len(p.columns)
		p.at[name] = at
		p.columns = append(p.columns, column{name: name})
	}
	c := &p.columns[at]
	if len(c.cells) == len(p.lines) {
		return p.fail("has "+data.Quote(name)+" twice", nil, "keep one of the two")
	}
	if err := p.budget.Take(cellBytes*int64(len(p.lines)-len(c.cells))+2*int64(len(raw)), p.source, p.line); err != nil {
		return err
	}
	c.grow(len(p.lines))
	value, kind, err := read(raw)
	if err != nil {
		return p.fail("has a value of "+data.Quote(name)+" that cannot be used", err, "correct it")
	}
	last := len(c.cells) - 1
	c.cells[last], c.present[last] = value, string(raw) != "null"
	if c.present[last] && kind > c.kind {
		c.kind = kind
		if c.first == 0 {
			c.first = p.line
		}
	}
	return nil
}

// read returns the cell of a value, and the least kind of a column that can hold it.
func read(raw json.RawMessage) (cell string, kind data.Kind, err error) {
	switch raw[0] {
	case '"':
		return cell, data.Categorical, json.Unmarshal(raw, &cell)
	case 't', 'f':
		return string(raw), data.Categorical, nil
	case 'n':
		return "", data.Numeric, nil
	case '[', '{':
		var text bytes.Buffer
		err := json.Compact(&text, raw)
		return text.String(), data.Text, err
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	if err == nil && math.IsInf(v, 0) {
		err = fmt.Errorf("%s is too large", data.Quote(string(raw)))
	}
	return string(raw), data.Numeric, err
}

func (c *column) grow(rows int) {
	c.cells = append(c.cells, make([]string, rows-len(c.cells))...)
	c.present = append(c.present, make([]bool, rows-len(c.present))...)
}

func (p *parser) table() (*data.Table, error) {
	t := &data.Table{Source: p.source, Lines: p.lines, Headed: true}
	for i := range p.columns {
		if err := p.budget.Take(cellBytes*int64(len(p.lines)-len(p.columns[i].cells)), p.source, 0); err != nil {
			return nil, err
		}
		p.columns[i].grow(len(p.lines))
		t.Columns = append(t.Columns, p.columns[i].column())
	}
	if len(t.Columns) == 0 {
		return nil, &data.Error{Source: p.source, Reason: "holds objects without names", Fix: `write {"age": 31, "kind": "a"}`}
	}
	return t, nil
}

// column makes a column of the table.
func (c *column) column() data.Column {
	out := data.Column{Name: c.name, Kind: c.kind}
	if slices.Contains(c.present, false) {
		out.Missing = make([]bool, len(c.cells))
		for i, has := range c.present {
			out.Missing[i] = !has
		}
	}
	if c.kind == data.Numeric {
		out.Numbers = make([]float64, len(c.cells))
		for i, text := range c.cells {
			if out.Numbers[i] = math.NaN(); c.present[i] {
				out.Numbers[i], _ = strconv.ParseFloat(text, 64) // read before
			}
		}
		return out
	}
	var texts data.Texts
	for _, text := range c.cells {
		texts.Add([]byte(text))
	}
	if c.kind == data.Text {
		out.Strings, out.Why = texts.Cells(), fmt.Sprintf("line %d holds a list or an object", c.first)
		return out
	}
	return texts.Column(c.name, out.Missing)
}
