package record

import (
	"fmt"
	"slices"

	"example.org/mercer/data"
)

// Record is a row of a table. Its cells are in the order of the [Schema], each of the
// type that its language reads; nil is a missing cell.
type Record struct {
	Numbers []float64
	Cells   []any
}

// Records are the rows of a table, column by column.
type Records struct {
	Numbers data.Vectors
	Cells   [][]any // for each slot of the schema, as many as there are rows
	// Text holds what the cells were read from, nil where one is missing; it may be nil as
	// a whole, where records do not come from text.
	Text [][]*string
	Rows int
}

var (
	_ data.Gatherer[Record] = (*Records)(nil)
	_ data.Joiner[Record]   = (*Records)(nil)
)

// Len returns the number of records.
func (r *Records) Len() int { return r.Rows }

// At returns record i.
func (r *Records) At(i int) Record {
	x := Record{Cells: make([]any, len(r.Cells))}
	if r.Numbers.Dim() > 0 {
		x.Numbers = r.Numbers.At(i)
	}
	for c, cells := range r.Cells {
		x.Cells[c] = cells[i]
	}
	return x
}

// Subset returns the records at the given rows, column by column.
func (r *Records) Subset(rows []int) data.Set[Record] {
	return &Records{Numbers: r.Numbers.Gather(rows), Cells: pick(r.Cells, rows), Text: pick(r.Text, rows), Rows: len(rows)}
}

// Join returns these records and then others of the same columns.
func (r *Records) Join(other data.Set[Record]) (data.Set[Record], error) {
	o, ok := other.(*Records)
	if !ok || len(o.Cells) != len(r.Cells) || len(o.Text) != len(r.Text) {
		return nil, fmt.Errorf("record: records of %d columns of cells cannot be joined by a %T", len(r.Cells), other)
	}
	out := &Records{Rows: r.Rows + o.Rows}
	numbers, err := data.Join(r.Numbers, o.Numbers)
	if err != nil {
		return nil, err
	}
	out.Numbers = numbers.(data.Vectors)
	for c := range r.Cells {
		out.Cells = append(out.Cells, slices.Concat(r.Cells[c], o.Cells[c]))
	}
	for c := range r.Text {
		out.Text = append(out.Text, slices.Concat(r.Text[c], o.Text[c]))
	}
	return out, nil
}

// pick returns the chosen rows of columns.
func pick[E any](columns [][]E, rows []int) [][]E {
	out := make([][]E, len(columns))
	for c, column := range columns {
		out[c] = make([]E, len(rows))
		for i, row := range rows {
			out[c][i] = column[row]
		}
	}
	return out
}
