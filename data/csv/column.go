package csv

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"

	"example.org/mercer/data"
)

// final is the number of numbers from which on the cells of a column are kept as numbers only, and
// a cell that is none is an error.
const final = data.SettledNumbers

const (
	notUTF8     = "is not UTF-8"
	convertUTF8 = "say how it is written (--encoding), for example in ISO 8859-1 (latin1)"
)

// column builds one column cell by cell. It begins as numbers, remembering their text,
// and turns into strings at the first cell that is no number, unless it is final.
type column struct {
	source  string
	name    string
	index   int // from 0
	missing *missing
	style   Style
	forced  bool
	unused  bool      // an error is none
	kind    data.Kind // the forced one

	numbers []float64   // NaN where missing; nil once the column holds strings
	text    []byte      // the cells so far, back to back, until the column is final
	ends    []int       // where each of them ends
	texts   *data.Texts // not nil once the column holds strings
	absent  []bool      // of texts: the cell is a token for "no value"
	values  int         // cells that are numbers
	words   int         // cells that are neither numbers nor missing
	commas  int         // words that are numbers but for a decimal comma

	passed bool // a block was passed on

	// measure is of cells that are so far all amounts or dates; nil once one is neither.
	measure *data.Measure

	first data.FirstText // the cell that made the column strings
	known bool           // it was, before this column began

	inf  *data.Error // the first infinite number
	fail *data.Error // the first cell that cannot be used

	held *int64 // counts what columns keep beside 8 bytes a cell
}

// newColumn returns an empty column, of a forced kind if types names it.
func newColumn(source, name string, index int, m *missing, types map[string]data.Kind) *column {
	c := &column{source: source, name: name, index: index, missing: m}
	c.kind, c.forced = types[name]
	if c.forced && c.kind != data.Numeric {
		c.texts = new(data.Texts)
	}
	return c
}

// add appends a cell.
func (c *column) add(cell []byte, line int) {
	if c.missing.has(cell) {
		c.addMissing(cell)
		return
	}
	if c.texts != nil {
		c.addText(cell, line)
		return
	}
	v, kind := c.style.parse(cell)
	switch {
	case kind == number || kind == inexact && c.forced:
		c.addNumber(v, cell)
	case kind == infinite:
		c.note(&c.inf, cell, line, "is not a finite number", "correct it, or say that it means a missing value (--missing-token)")
		c.addNumber(math.Inf(1), cell)
	case c.forced || c.values >= final:
		c.refuse(cell, line, kind)
		c.addNumber(math.NaN(), cell)
	default:
		c.becomeText(cell, line, kind)
		c.addText(cell, line)
	}
}

func (c *column) addMissing(cell []byte) {
	if c.texts == nil {
		c.keep(cell)
		c.numbers = append(c.numbers, math.NaN())
		return
	}
	*c.held += textBytes + int64(c.texts.Add(cell))
	c.absent = append(c.absent, true)
	if c.measure != nil {
		c.measure.Skip()
		*c.held += numberBytes
	}
}

func (c *column) addNumber(v float64, cell []byte) {
	c.keep(cell)
	c.numbers = append(c.numbers, v)
	if c.values++; c.values >= final && c.ends != nil {
		*c.held -= int64(len(c.text)) + numberBytes*int64(len(c.ends))
		c.text, c.ends = nil, nil
	}
}

// keep remembers the text of a cell while the column may still become strings.
func (c *column) keep(cell []byte) {
	if !c.forced && c.values < final {
		c.text = append(c.text, cell...)
		c.ends = append(c.ends, len(c.text))
		*c.held += int64(len(cell)) + numberBytes
	}
}

func (c *column) addText(cell []byte, line int) {
	if !utf8.Valid(cell) {
		c.note(&c.fail, cell, line, notUTF8, convertUTF8)
	}
	switch _, kind := c.style.parse(cell); {
	case kind != word:
		c.values++
	case decimalComma(cell):
		c.commas++
		c.words++
	default:
		c.words++
	}
	*c.held += textBytes + int64(c.texts.Add(cell))
	c.absent = append(c.absent, false)
	c.measureCell(cell)
}

// measureCell keeps the number of a cell with a unit beside its text, as long as all have one.
func (c *column) measureCell(cell []byte) {
	switch {
	case c.measure == nil:
	case c.measure.Add(string(cell)):
		*c.held += numberBytes
	default:
		*c.held -= numberBytes * int64(len(c.absent)-1)
		c.measure = nil
	}
}

// becomeText turns the column into strings because of a cell.
func (c *column) becomeText(cell []byte, line int, kind class) {
	c.first = data.FirstText{Line: line, Why: "holds " + data.Quote(string(cell)), Before: c.values}
	switch {
	case kind == inexact:
		c.first.Why += ", more digits than a number can keep"
	case decimalComma(cell):
		c.first.Why += ", which has a decimal comma (--decimal),"
	}
	c.texts = new(data.Texts)
	if c.values == 0 {
		c.measure = data.NewMeasure(c.style.Decimal, c.style.Thousands)
	}
	begin := 0
	for i, end := range c.ends {
		*c.held += textBytes + int64(c.texts.Add(c.text[begin:end]))
		c.absent = append(c.absent, math.IsNaN(c.numbers[i]))
		if c.measure != nil { // all are missing
			c.measure.Skip()
			*c.held += numberBytes
		}
		begin = end
	}
	*c.held -= int64(len(c.text)) + numberBytes*int64(len(c.ends))
	c.numbers, c.text, c.ends, c.inf = nil, nil, nil, nil
}

// refuse notes a cell that is no number in a column of numbers.
func (c *column) refuse(cell []byte, line int, kind class) {
	reason := "is not a number, but every cell of the column above it is"
	if c.forced {
		reason = "is not a number, but the column was declared numeric"
	}
	fix := "correct it, say that it means a missing value (--missing-token), or name the type of the column (--type)"
	switch {
	case kind == inexact:
		reason, fix = "has more digits than a number can keep", "name the type of the column (--type): text if it holds identifiers, numeric if the digits do not matter"
	case decimalComma(cell):
		fix = "write a decimal point instead of the comma, or name the comma (--decimal)"
	}
	c.note(&c.fail, cell, line, reason, fix)
}

// note makes the first error of its sort and counts the others.
func (c *column) note(at **data.Error, cell []byte, line int, reason, fix string) {
	if *at != nil {
		(*at).More++
		return
	}
	*at = &data.Error{Source: c.source, Line: line, Column: c.index + 1, Name: c.name, Value: string(cell), Reason: reason, Fix: fix}
}

// decimalComma reports whether a cell is a number written with a decimal comma.
func decimalComma(cell []byte) bool {
	i := bytes.IndexByte(cell, ',')
	if i < 0 {
		return false
	}
	_, kind := parse(append(append(append([]byte(nil), cell[:i]...), '.'), cell[i+1:]...))
	return kind == number
}

// finish decides the kind and returns the column.
func (c *column) finish() (data.Column, error) {
	switch {
	case c.unused && c.fail != nil:
		return c.empty(c.fail), nil
	case c.unused && c.texts == nil && c.inf != nil:
		return c.empty(c.inf), nil
	case c.fail != nil:
		return data.Column{}, c.fail
	case c.texts == nil && c.inf != nil:
		return data.Column{}, c.inf
	case c.texts == nil:
		return c.finishNumbers(), nil
	}
	return c.finishTexts(), nil
}

// empty is the column without its cells.
func (c *column) empty(why *data.Error) data.Column {
	rows := max(len(c.numbers), len(c.absent))
	return data.Column{Name: c.name, Kind: data.Text, Strings: make([]string, rows), Missing: slices.Repeat([]bool{true}, rows),
		Why: fmt.Sprintf("line %d holds %s, which %s", why.Line, data.Quote(why.Value), why.Reason)}
}

func (c *column) finishNumbers() data.Column {
	out := data.Column{Name: c.name, Kind: data.Numeric, Numbers: c.numbers}
	for i, v := range c.numbers {
		if math.IsNaN(v) {
			if out.Missing == nil {
				out.Missing = make([]bool, len(c.numbers))
			}
			out.Missing[i] = true
		}
	}
	if c.values == 0 {
		out.Why = "no cell has a value"
	}
	return out
}

// finishTexts decides between categories and text, see [data.Tally.Kind]. Text keeps the words of
// the default list of missing tokens: "NA" may be a name there.
func (c *column) finishTexts() data.Column {
	out := data.Column{Name: c.name, Kind: c.kind, Strings: c.texts.Cells()}
	if c.measure != nil && c.measured(&out) {
		return out
	}
	if !c.forced {
		t := c.tally()
		t.First = c.first
		out.Kind, out.Why = t.Kind()
	}
	if c.measure != nil {
		if _, _, why := c.measure.Found(); why != "" {
			out.Kind, out.Why = data.Text, why
		}
	}
	some := false
	for i, s := range out.Strings {
		if c.absent[i] && out.Kind == data.Text && !c.missing.given {
			c.absent[i] = s == ""
		}
		if c.absent[i] {
			out.Strings[i], some = "", true
		}
	}
	if some {
		out.Missing = c.absent
	}
	return out
}

// tally is what the cells so far say of the kind of the column.
func (c *column) tally() data.Tally {
	t := data.Tally{Numbers: c.values, Words: c.words, Commas: c.commas}
	if c.texts != nil {
		t.Counts = c.texts.Counts(c.absent)
	}
	if !c.known {
		t.First = c.first
	}
	return t
}

// measured makes a column of numbers of cells that are all amounts of one unit, or dates.
func (c *column) measured(out *data.Column) bool {
	numbers, unit, _ := c.measure.Found()
	if unit == "" {
		return false
	}
	out.Kind, out.Numbers, out.Unit = data.Numeric, numbers, unit
	for i, missing := range c.absent {
		if missing {
			out.Missing, out.Strings[i] = c.absent, ""
		}
	}
	return true
}
