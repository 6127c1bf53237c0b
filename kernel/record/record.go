package record

import (
	"mercer/data"
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

var _ data.Gatherer[Record] = (*Records)(nil)

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
