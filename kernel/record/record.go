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
	Rows    int
}

var _ data.Set[Record] = (*Records)(nil)

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

// Gather returns the records at the given rows, column by column.
func (r *Records) Gather(rows []int) *Records {
	g := &Records{Rows: len(rows), Cells: make([][]any, len(r.Cells))}
	if r.Numbers.Dim() > 0 {
		g.Numbers = r.Numbers.Gather(rows)
	}
	for c, cells := range r.Cells {
		g.Cells[c] = make([]any, len(rows))
		for i, row := range rows {
			g.Cells[c][i] = cells[row]
		}
	}
	return g
}
