package data

// Gather returns a table of the given rows, in that order; a row may repeat. Cells
// are copied, the names are shared.
func (t *Table) Gather(rows []int) *Table {
	out := *t
	out.Before = 0
	out.Columns = make([]Column, len(t.Columns))
	for c, column := range t.Columns {
		out.Columns[c] = column
		g := &out.Columns[c]
		g.Numbers, g.Strings, g.Missing = pick(column.Numbers, rows), pick(column.Strings, rows), pick(column.Missing, rows)
	}
	out.Lines = pick(t.Lines, rows)
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
