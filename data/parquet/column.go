package parquet

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"example.org/mercer/data"
)

// column builds one column of the table. It holds numbers until an integer comes that a
// float64 cannot hold; then, and for columns of strings, texts.
type column struct {
	source  string
	name    string
	index   int
	number  func(parquet.Value) float64 // nil for columns of strings
	text    func([]byte, parquet.Value) []byte
	whole   bool // number may lose digits: text tells
	rows    int
	numbers []float64
	texts   *data.Texts
	missing []bool
	some    bool // a cell is missing
	why     string
	buf     []byte
	passed  bool // a block was passed on
	budget  *data.Budget
	letters int64 // that texts hold
	paid    int64 // of them, taken from the budget

	leaf   *parquet.Column
	pages  parquet.Pages       // nil before the first value
	page   parquet.Page        // nil between two
	left   parquet.ValueReader // what is left of it
	values []parquet.Value
}

// newColumn returns an empty column for a leaf, or the reason why there is none.
func newColumn(source string, index int, leaf *parquet.Column) (*column, error) {
	c := &column{source: source, name: leaf.Name(), index: index, leaf: leaf}
	if !leaf.Leaf() || leaf.Repeated() {
		return nil, c.fail("", "is nested: it holds "+shape(leaf)+" and not one value per row", "write its parts as columns of their own, or leave it out")
	}
	// The decoder of parquet-go doubles its buffer for as long as an LZ4 page does not
	// decompress, so that a damaged page ends the program for want of memory.
	if leaf.Compression().CompressionCodec() == format.Lz4Raw {
		return nil, c.fail("", "is compressed with LZ4, which cannot be read safely", "write the file with Snappy, Zstd, gzip or Brotli")
	}
	if reason := c.convert(leaf.Type()); reason != "" {
		return nil, c.fail("", reason, "convert it before writing the file, or leave it out")
	}
	if c.number == nil {
		c.texts = new(data.Texts)
	}
	return c, nil
}

// shape names a nested column.
func shape(leaf *parquet.Column) string {
	if leaf.Repeated() || leaf.Type().String() == "LIST" {
		return "lists"
	}
	return "records"
}

func (c *column) fail(value, reason, fix string) *data.Error {
	return &data.Error{Source: c.source, Row: c.rows, Column: c.index + 1, Name: c.name, Value: value, Reason: reason, Fix: fix}
}

// add appends one value.
func (c *column) add(v parquet.Value) error {
	c.rows++
	c.missing = append(c.missing, v.IsNull())
	if v.IsNull() {
		c.some = true
		if c.texts != nil {
			c.texts.Add(nil)
		} else {
			c.numbers = append(c.numbers, math.NaN())
		}
		return nil
	}
	if c.texts != nil {
		return c.addText(v)
	}
	x := c.number(v)
	switch {
	case math.IsInf(x, 0):
		return c.fail("", "holds infinity", "correct it, or store a null for a missing value")
	case math.IsNaN(x):
		c.missing[len(c.missing)-1], c.some = true, true
	case c.whole && math.Abs(x) >= 1<<53 && string(c.text(c.buf[:0], v)) != strconv.FormatFloat(x, 'f', 0, 64):
		c.becomeText(v)
		return c.addText(v)
	}
	c.numbers = append(c.numbers, x)
	return nil
}

func (c *column) addText(v parquet.Value) error {
	c.buf = c.text(c.buf[:0], v)
	if !utf8.Valid(c.buf) {
		return c.fail(string(c.buf), "is not UTF-8 text", "leave binary columns out")
	}
	c.letters += int64(c.texts.Add(c.buf))
	return nil
}

// becomeText turns the integers so far, which are exact, into strings because of v.
func (c *column) becomeText(v parquet.Value) {
	c.why = fmt.Sprintf("row %d holds %s, more digits than a number can keep", c.rows, c.text(nil, v))
	c.texts = new(data.Texts)
	for i, x := range c.numbers {
		c.buf = c.buf[:0]
		if !c.missing[i] {
			c.buf = strconv.AppendFloat(c.buf, x, 'f', 0, 64)
		}
		c.letters += int64(c.texts.Add(c.buf))
	}
	c.numbers = nil
}

// finish decides the kind and returns the column.
func (c *column) finish() data.Column {
	out := data.Column{Name: c.name, Kind: data.Numeric, Numbers: c.numbers}
	if c.some {
		out.Missing = c.missing
	}
	switch {
	case c.texts == nil:
	case c.why != "":
		out.Kind, out.Strings, out.Why = data.Text, c.texts.Cells(), c.why
	default:
		out.Strings = c.texts.Cells()
		out.Kind, out.Why = c.texts.Kind(out.Missing)
	}
	return out
}
