package data

import (
	"slices"
)

// GridTable returns a table laid out like another, with the given numbers in some of its
// columns. What is in the others does not matter: a model that is asked about it looks
// at these only.
func GridTable(like *Table, numbers map[string][]float64) *Table {
	rows := 0
	for _, x := range numbers {
		rows = len(x)
	}
	t := &Table{Source: "a grid", Headed: like.Headed}
	for _, c := range like.Columns {
		column := Column{Name: c.Name, Kind: c.Kind}
		switch x, ok := numbers[c.Name]; {
		case ok:
			column.Numbers = x
		case c.Kind == Numeric:
			column.Numbers = make([]float64, rows)
		default:
			column.Strings = slices.Repeat([]string{""}, rows)
		}
		t.Columns = append(t.Columns, column)
	}
	return t
}
