package npy

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"math"
	"strconv"

	"example.org/mercer/data"
)

// chunk is the number of elements decoded at a time.
const chunk = 1 << 16

// columnLimit is the largest number of columns of a table: an array that has more is
// more likely to lie on its side.
const columnLimit = 1 << 20

// array is a file whose header was read and whose elements come next.
type array struct {
	name       string
	r          io.Reader
	elem       element
	fortran    bool
	rows, cols int
	dims       int
	sized      bool // the source is known to hold all elements
	budget     *data.Budget
}

// columnBytes is what a column of a table takes beside its cells.
const columnBytes = 200

// open reads the header and checks it against the size of the source, where that is known.
func open(name string, r io.Reader, budget *data.Budget) (*array, error) {
	h, err := readHeader(name, r)
	if err != nil {
		return nil, err
	}
	a := &array{name: name, r: r, fortran: h.fortran, dims: len(h.shape), budget: budget}
	if a.elem, err = parseElement(h.descr); err == nil {
		a.rows, a.cols, err = h.matrix(a.elem.size)
	}
	if err != nil {
		return nil, &data.Error{Source: name, Reason: "cannot be read", Err: err}
	}
	if left, ok := remaining(r); ok {
		need := int64(a.rows) * int64(a.cols) * int64(a.elem.size)
		if left < need {
			return nil, a.cut(fmt.Sprintf("holds %d bytes of elements", left))
		}
		if left > need {
			return nil, a.longer()
		}
		a.sized = true
	}
	return a, nil
}

// remaining returns the number of bytes r has left, where it can tell: buffers in memory
// and regular files.
func remaining(r io.Reader) (int64, bool) {
	switch r := r.(type) {
	case interface{ Len() int }:
		return int64(r.Len()), true
	case interface {
		io.Seeker
		Stat() (fs.FileInfo, error)
	}:
		info, err := r.Stat()
		if err != nil || !info.Mode().IsRegular() {
			return 0, false
		}
		at, err := r.Seek(0, io.SeekCurrent)
		return info.Size() - at, err == nil
	}
	return 0, false
}

func (a *array) cut(found string) error {
	return &data.Error{
		Source: a.name,
		Reason: fmt.Sprintf("%s where its header declares %d × %d of %d bytes: it was cut", found, a.rows, a.cols, a.elem.size),
		Fix:    "write or copy it again",
	}
}

func (a *array) longer() error {
	return &data.Error{
		Source: a.name,
		Reason: fmt.Sprintf("goes on after the %d × %d elements its header declares", a.rows, a.cols),
		Fix:    "write one array per file, or an .npz archive",
	}
}

// each decodes the elements in file order and passes them on, chunk by chunk, with the
// index of the first. The slice is reused.
func (a *array) each(ctx context.Context, use func(at int, values []float64) error) error {
	total := a.rows * a.cols
	values := make([]float64, min(total, chunk))
	bytes := make([]byte, len(values)*a.elem.size)
	for at := 0; at < total; at += len(values) {
		if ctx.Err() != nil {
			return fmt.Errorf("%s: reading: %w", a.name, context.Cause(ctx))
		}
		n := min(total-at, chunk)
		values, bytes = values[:n], bytes[:n*a.elem.size]
		if _, err := io.ReadFull(a.r, bytes); err == io.EOF || err == io.ErrUnexpectedEOF {
			return a.cut("ends early")
		} else if err != nil {
			return &data.Error{Source: a.name, Reason: "cannot be read", Err: err}
		}
		if i := a.elem.decode(values, bytes); i >= 0 {
			return a.lossy(at+i, bytes[i*8:])
		}
		if err := use(at, values); err != nil {
			return err
		}
	}
	// One more byte tells whether the source ends here, and lets a compressed one check
	// its sum.
	var one [1]byte
	switch _, err := io.ReadFull(a.r, one[:]); err {
	case io.EOF:
		return nil
	case nil:
		return a.longer()
	default:
		return &data.Error{Source: a.name, Reason: "cannot be read", Err: err}
	}
}

// cell returns the row and column of element k in file order.
func (a *array) cell(k int) (row, col int) {
	if a.fortran {
		return k % a.rows, k / a.rows
	}
	return k / a.cols, k % a.cols
}

// lossy returns the error for an integer beyond what a float64 holds.
func (a *array) lossy(k int, bytes []byte) error {
	row, col := a.cell(k)
	text := strconv.FormatUint(a.elem.order.Uint64(bytes), 10)
	if a.elem.kind == 'i' {
		text = strconv.FormatInt(int64(a.elem.order.Uint64(bytes)), 10)
	}
	return &data.Error{
		Source: a.name, Row: row + 1, Column: col + 1, Value: text,
		Reason: "has more digits than a number can keep", Fix: "leave identifiers out of the array, or give a CSV table",
	}
}

// take takes so many bytes for every element from the budget, and some for every column.
func (a *array) take(each int64, column int64) error {
	bytes := float64(a.rows)*float64(a.cols)*float64(each) + float64(a.cols)*float64(column)
	if bytes >= 1<<62 {
		bytes = -1
	}
	return a.budget.Take(int64(bytes), a.name, 0)
}

// flat returns all elements in file order. Where the size of the source is not known the
// memory grows with what arrives, so that a false header costs nothing.
func (a *array) flat(ctx context.Context) ([]float64, error) {
	copies := int64(1)
	if !a.sized || a.fortran && a.rows > 1 && a.cols > 1 {
		copies = 2
	}
	if err := a.take(8*copies, 0); err != nil {
		return nil, err
	}
	var out []float64
	if a.sized {
		out = make([]float64, 0, a.rows*a.cols)
	}
	err := a.each(ctx, func(_ int, values []float64) error {
		out = append(out, values...)
		return nil
	})
	return out, err
}

// ReadMatrix reads an array of at most two dimensions as a row-major matrix; a vector is one
// column, and a single number 1×1. Elements may be booleans, integers of 1 to 8 bytes or floats of
// 2, 4 or 8 bytes, in either byte order, rows first or columns first. NaN and infinity are passed
// on. name is what messages call the source. Memory is that of the result where r is a file or a
// buffer and rows come first, and up to twice that otherwise; it comes from the budget, nil for
// any.
func ReadMatrix(ctx context.Context, name string, r io.Reader, budget *data.Budget) (rows, cols int, values []float64, err error) {
	a, err := open(name, r, budget)
	if err != nil {
		return 0, 0, nil, err
	}
	if a.dims > 2 {
		return 0, 0, nil, &data.Error{Source: name, Reason: "is no matrix", Err: fmt.Errorf("it has %d dimensions: reshape it to rows and columns", a.dims)}
	}
	values, err = a.flat(ctx)
	if err != nil {
		return 0, 0, nil, err
	}
	if a.fortran && a.rows > 1 && a.cols > 1 {
		values = a.transpose(values)
	}
	return a.rows, a.cols, values, nil
}

// transpose turns columns first into rows first.
func (a *array) transpose(byColumn []float64) []float64 {
	out := make([]float64, len(byColumn))
	for k, v := range byColumn {
		row, col := a.cell(k)
		out[row*a.cols+col] = v
	}
	return out
}

// Read reads an array as a table of numeric columns c1, c2, …; a row is an entry of its first
// dimension.
// NaN marks a missing cell; infinity is an error. See ReadMatrix for the element types.
// Memory comes from the budget, nil for any.
func Read(ctx context.Context, name string, r io.Reader, budget *data.Budget) (*data.Table, error) {
	a, err := open(name, r, budget)
	if err != nil {
		return nil, err
	}
	return a.table(ctx, plainName)
}

// tabular refuses arrays that are no tables.
func (a *array) tabular() error {
	if a.dims == 0 {
		return &data.Error{Source: a.name, Reason: "holds a single number: it is no table", Fix: "give an array with at least one row and one column"}
	}
	if a.rows == 0 || a.cols == 0 {
		return &data.Error{Source: a.name, Reason: fmt.Sprintf("holds an array of %d × %d: it is empty", a.rows, a.cols), Fix: "give an array with at least one row and one column"}
	}
	if a.cols > columnLimit {
		return &data.Error{Source: a.name, Reason: fmt.Sprintf("has %d columns, more than the %d of a table", a.cols, columnLimit), Fix: "transpose it if the points are in its columns"}
	}
	return nil
}

// empty returns a table of zeros.
func (a *array) empty(label func(col int) string, rows int) *data.Table {
	t := &data.Table{Source: a.name, Columns: make([]data.Column, a.cols)}
	for j := range t.Columns {
		t.Columns[j] = data.Column{Name: label(j), Kind: data.Numeric, Numbers: make([]float64, rows)}
	}
	return t
}

// table reads the elements into columns.
func (a *array) table(ctx context.Context, label func(col int) string) (*data.Table, error) {
	if err := a.tabular(); err != nil {
		return nil, err
	}
	if err := a.take(8, columnBytes); err != nil {
		return nil, err
	}
	var known []float64
	if !a.sized {
		var err error
		if known, err = a.flat(ctx); err != nil {
			return nil, err
		}
	}
	t := a.empty(label, a.rows)
	fill := func(at int, values []float64) error { return a.fill(t, at, values) }
	if a.sized {
		return t, a.each(ctx, fill)
	}
	return t, fill(0, known)
}

// fill writes consecutive elements, the first of which is number at, into the columns of a table.
func (a *array) fill(t *data.Table, at int, values []float64) error {
	for k, v := range values {
		row, col := a.cell(at + k)
		c := &t.Columns[col]
		c.Numbers[row] = v
		switch {
		case math.IsNaN(v):
			if c.Missing == nil {
				c.Missing = make([]bool, len(c.Numbers))
			}
			c.Missing[row] = true
		case math.IsInf(v, 0):
			return &data.Error{Source: a.name, Row: t.Before + row + 1, Column: col + 1, Name: c.Name, Reason: "holds infinity", Fix: "correct it, or store NaN for a missing value"}
		}
	}
	return nil
}
