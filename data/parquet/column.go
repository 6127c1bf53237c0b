package parquet

import (
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"example.org/mercer/data"
)

// column builds one column of the table.
type column struct {
	data.Cells
	source string
	name   string
	index  int
	number func(parquet.Value) float64 // nil for columns of strings
	text   func([]byte, parquet.Value) []byte
	whole  bool // number may lose digits: text tells
	buf    []byte
	passed bool // a block was passed on
	known  bool // Why was, before the first row
	budget *data.Budget
	paid   int64 // letters that are taken from the budget

	file   *parquet.File
	groups Groups              // that are still to be read
	pages  parquet.Pages       // of one of them; nil between two
	page   parquet.Page        // nil between two
	left   parquet.ValueReader // what is left of it
	values []parquet.Value
}

// newColumn returns an empty column for a leaf, or the reason why there is none.
func newColumn(source string, index int, file *parquet.File, leaf *parquet.Column) (*column, error) {
	c := &column{source: source, name: leaf.Name(), index: index, file: file, groups: Groups{To: len(file.RowGroups())}}
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
		c.Texts = new(data.Texts)
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
	return &data.Error{Source: c.source, Row: c.Rows, Column: c.index + 1, Name: c.name, Value: value, Reason: reason, Fix: fix}
}

// add appends one value.
func (c *column) add(v parquet.Value) error {
	if v.IsNull() {
		c.Absent()
		return nil
	}
	if c.Texts != nil {
		c.buf = c.text(c.buf[:0], v)
		if reason := c.Text(c.buf); reason != "" {
			return c.fail(string(c.buf), reason, "leave binary columns out")
		}
		return nil
	}
	x := c.number(v)
	var whole func() string
	if c.whole && data.Inexact(x) {
		whole = func() string { return string(c.text(nil, v)) }
	}
	if reason := c.Number(x, whole); reason != "" {
		return c.fail("", reason, "correct it, or store a null for a missing value")
	}
	return nil
}

// finish decides the kind and returns the column.
func (c *column) finish() data.Column {
	return c.Column(c.name, func(t *data.Texts, name string, missing []bool) data.Column {
		kind, why := t.Kind(missing)
		return data.Column{Name: name, Kind: kind, Strings: t.Cells(), Missing: missing, Why: why}
	})
}
