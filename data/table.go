package data

import "fmt"

// Kind is the type of a column.
type Kind int

const (
	// Numeric columns hold float64 numbers.
	Numeric Kind = iota
	// Categorical columns hold one of a few levels.
	Categorical
	// Text columns hold free strings, kept as they are for kernels on strings.
	Text
)

// String returns "numeric", "categorical" or "text".
func (k Kind) String() string {
	switch k {
	case Numeric:
		return "numeric"
	case Categorical:
		return "categorical"
	case Text:
		return "text"
	}
	return fmt.Sprintf("data.Kind(%d)", int(k))
}

// Column is one named column of a table. Numeric columns fill Numbers, the others
// Strings. Missing is nil when no cell is missing; a missing number is NaN and a
// missing string is empty, so that nobody can mistake it for a value.
type Column struct {
	Name    string
	Kind    Kind
	Numbers []float64
	Strings []string
	Missing []bool
	// Unit is what the cells write beside every number. Strings then has the cells as they are.
	Unit Unit
	// Why says how the reader came to the Kind where a user may wonder: `line 17
	// holds "12,5"` for a column of numbers that became text. Empty where the Kind
	// is plain to see or was asked for.
	Why string
}

// Len returns the number of rows.
func (c *Column) Len() int {
	if c.Kind == Numeric {
		return len(c.Numbers)
	}
	return len(c.Strings)
}

// IsMissing reports whether the cell in row i has no value.
func (c *Column) IsMissing(i int) bool { return c.Missing != nil && c.Missing[i] }

// Table is a file after reading: named columns of equal length, in file order.
type Table struct {
	Source  string // what to call it in messages: a file name, "standard input"
	Columns []Column
	// Lines holds the line of the source each row came from, counted from 1;
	// nil where the format has no lines.
	Lines []int
	// Files holds the file each row came from, whose lines Lines are, where they are several;
	// nil: all came from the source.
	Files []string
	// Before is the number of rows of the source in front of these, for a table that is a block
	// of a larger one.
	Before int
	// Earlier is how many of these are rows of other files, where the source is several: see
	// [JoinBlocks].
	Earlier int
	// Headed says that the column names come from the source and were not made up.
	Headed bool
	// Target names the column that the format itself declares to be predicted, such
	// as the label of a LIBSVM file; empty where the format declares none.
	Target string
	// ID names the column that the format itself declares to name the rows, such as the
	// ids of the nodes of a graph; empty where the format declares none.
	ID string
	// Sparse says that the source leaves out zeros, so that a column which another
	// table of the same kind has and this one lacks is zero in every row.
	Sparse bool
}

// Rows returns the number of rows.
func (t *Table) Rows() int {
	if len(t.Columns) == 0 {
		return 0
	}
	return t.Columns[0].Len()
}

// Column returns the column of the given name and its position, or nil and −1.
func (t *Table) Column(name string) (*Column, int) {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i], i
		}
	}
	return nil, -1
}

// Where names a cell for a message: "train.csv: line 7, column 3 (price)", with the
// row in place of the line where the format has no lines.
func (t *Table) Where(row, col int) string {
	e := t.at(row, col)
	return e.where()
}

// at returns an Error that points at a cell and has yet to say what is wrong.
func (t *Table) at(row, col int) *Error {
	e := &Error{Row: t.Before - t.Earlier + row + 1, Column: col + 1, Name: t.Columns[col].Name}
	e.Source, e.Line = t.Place(row)
	return e
}

// Place returns the file and the line that a row came from; 0 where the format has no lines.
func (t *Table) Place(row int) (file string, line int) {
	file = t.Source
	if t.Files != nil {
		file = t.Files[row]
	}
	if t.Lines != nil {
		line = t.Lines[row]
	}
	return file, line
}

// ParseKind returns the kind of the given name: numeric, categorical or text.
func ParseKind(name string) (Kind, error) {
	for _, k := range []Kind{Numeric, Categorical, Text} {
		if k.String() == name {
			return k, nil
		}
	}
	return 0, fmt.Errorf("data: kind %q is not known: use numeric, categorical or text", name)
}

// Gather returns a table of the given rows, in that order; a row may repeat. Cells
// are copied, the names are shared.
func (t *Table) Gather(rows []int) *Table {
	out := *t
	out.Before, out.Earlier = 0, 0
	out.Columns = make([]Column, len(t.Columns))
	for c, column := range t.Columns {
		out.Columns[c] = column
		g := &out.Columns[c]
		g.Numbers, g.Strings, g.Missing = pick(column.Numbers, rows), pick(column.Strings, rows), pick(column.Missing, rows)
	}
	out.Lines, out.Files = pick(t.Lines, rows), pick(t.Files, rows)
	return &out
}

// pick returns chosen elements; nil stays nil.
func pick[E any](xs []E, index []int) []E {
	if xs == nil {
		return nil
	}
	out := make([]E, len(index))
	for i, j := range index {
		out[i] = xs[j]
	}
	return out
}
