package idx

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strings"

	"example.org/mercer/data"
)

// columnLimit is the largest number of columns of a table, as for arrays of NumPy.
const columnLimit = 1 << 20

// columnBytes is what a column takes beside its cells.
const columnBytes = 200

// element is a type of elements.
type element struct {
	size   int
	decode func(b []byte) float64
}

var elements = map[byte]element{
	0x08: {1, func(b []byte) float64 { return float64(b[0]) }},
	0x09: {1, func(b []byte) float64 { return float64(int8(b[0])) }},
	0x0b: {2, func(b []byte) float64 { return float64(int16(binary.BigEndian.Uint16(b))) }},
	0x0c: {4, func(b []byte) float64 { return float64(int32(binary.BigEndian.Uint32(b))) }},
	0x0d: {4, func(b []byte) float64 { return float64(math.Float32frombits(binary.BigEndian.Uint32(b))) }},
	0x0e: {8, func(b []byte) float64 { return math.Float64frombits(binary.BigEndian.Uint64(b)) }},
}

// Is reports whether a file that begins with these bytes looks like one of this format:
// few others begin with two zeros.
func Is(start []byte) bool {
	if len(start) < 4 || start[0] != 0 || start[1] != 0 {
		return false
	}
	_, known := elements[start[2]]
	return known && start[3] >= 1 && start[3] <= 8
}

// array is a file whose header was read.
type array struct {
	name       string
	dims       []int
	rows, cols int
	elem       element
	header     int // bytes of the header
}

// Read reads a file. name is what messages call it; they also say at which byte, counted
// from 0 after decompression, something is wrong. NaN marks a missing cell, infinity is an
// error. Memory comes from the budget, nil for any.
func Read(ctx context.Context, name string, r io.Reader, budget *data.Budget) (*data.Table, error) {
	a, err := readHeader(name, r)
	if err != nil {
		return nil, err
	}
	need := int64(a.rows) * int64(a.cols) * int64(a.elem.size)
	// Of every element its bytes, in a buffer that doubles, and a number; of every column a header.
	if err := budget.Take(int64(a.rows)*int64(a.cols)*int64(8+2*a.elem.size)+columnBytes*int64(a.cols), name, 0); err != nil {
		return nil, err
	}
	var raw bytes.Buffer
	got, err := io.Copy(&raw, io.LimitReader(r, need+1))
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s: reading: %w", name, context.Cause(ctx))
	case err != nil:
		return nil, &data.Error{Source: name, Reason: "cannot be read", Err: err}
	case got < need:
		return nil, a.bad("ends at byte %d, and %s take it to byte %d: it was cut", int64(a.header)+got, a.shape(), int64(a.header)+need)
	case got > need:
		return nil, a.bad("goes on at byte %d after the %s that its header declares", int64(a.header)+need, a.shape())
	}
	return a.table(ctx, raw.Bytes())
}

func readHeader(name string, r io.Reader) (*array, error) {
	a := &array{name: name, cols: 1, header: 4}
	var start [4]byte
	if n, err := io.ReadFull(r, start[:]); err != nil {
		return nil, a.short(n, err)
	}
	if start[0] != 0 || start[1] != 0 {
		return nil, a.bad("begins with the bytes %#x and not with two zeros: it is no idx file", start)
	}
	var known bool
	if a.elem, known = elements[start[2]]; !known {
		return nil, a.bad("has elements of the type %#02x at byte 2, which is none of the format", start[2])
	}
	if start[3] == 0 {
		return nil, a.bad("has no dimensions, by byte 3")
	}
	sizes := make([]byte, 4*int(start[3]))
	a.header += len(sizes)
	if n, err := io.ReadFull(r, sizes); err != nil {
		return nil, a.short(4+n, err)
	}
	high := false
	for at := 0; at < len(sizes); at += 4 {
		size := int(binary.BigEndian.Uint32(sizes[at:]))
		a.dims = append(a.dims, size)
		if size == 0 {
			return nil, a.bad("has a dimension of 0 at byte %d: it holds nothing", 4+at)
		}
		if at == 0 {
			a.rows = size
		} else {
			over, product := bits.Mul64(uint64(a.cols), uint64(size))
			high = high || over > 0 || product > columnLimit
			a.cols = int(min(product, columnLimit))
		}
	}
	if high {
		return nil, a.bad("declares %s, more numbers in a row than the %d of a table", a.shape(), columnLimit)
	}
	return a, nil
}

func (a *array) bad(format string, args ...any) error {
	return &data.Error{Source: a.name, Reason: fmt.Sprintf(format, args...), Fix: "write or copy it again"}
}

// short is the error for a header of which only some bytes could be read.
func (a *array) short(n int, err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return a.bad("ends at byte %d, within its header", n)
	}
	return &data.Error{Source: a.name, Reason: "cannot be read", Err: err}
}

// shape prints the dimensions: "60000 × 28 × 28 numbers".
func (a *array) shape() string {
	words := make([]string, len(a.dims))
	for i, d := range a.dims {
		words[i] = fmt.Sprint(d)
	}
	return strings.Join(words, " × ") + " numbers"
}

// table decodes the elements into columns.
func (a *array) table(ctx context.Context, raw []byte) (*data.Table, error) {
	t := &data.Table{Source: a.name, Columns: make([]data.Column, a.cols)}
	for j := range t.Columns {
		c := &t.Columns[j]
		*c = data.Column{Name: fmt.Sprintf("p%d", j+1), Kind: data.Numeric, Numbers: make([]float64, a.rows)}
		if len(a.dims) == 1 {
			c.Name = label
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("%s: reading: %w", a.name, context.Cause(ctx))
		}
		for i := range c.Numbers {
			at := (i*a.cols + j) * a.elem.size
			v := a.elem.decode(raw[at:])
			c.Numbers[i] = v
			switch {
			case math.IsNaN(v):
				if c.Missing == nil {
					c.Missing = make([]bool, a.rows)
				}
				c.Missing[i] = true
			case math.IsInf(v, 0):
				return nil, &data.Error{Source: a.name, Row: i + 1, Column: j + 1, Name: c.Name,
					Reason: fmt.Sprintf("holds infinity at byte %d", a.header+at), Fix: "correct it, or store NaN for a missing value"}
			}
		}
	}
	return t, nil
}
