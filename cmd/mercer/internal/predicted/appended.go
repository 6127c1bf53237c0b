package predicted

import (
	"slices"

	"example.org/mercer/data"
)

// Appended puts predictions beside the cells of their table: the columns after the first, which
// names the rows. rows are those of the table that have a line; others get empty cells. A name that
// the table has, too, is written with "predicted" before it.
func Appended(t *data.Table, rows []int, header []string, lines [][]any) ([]string, [][]any) {
	var names []string
	for i := range t.Columns {
		names = append(names, t.Columns[i].Name)
	}
	for _, name := range header[1:] {
		for slices.Contains(names, name) {
			name = "predicted " + name
		}
		names = append(names, name)
	}
	out := make([][]any, t.Rows())
	for i := range out {
		out[i] = make([]any, len(names))
		for j := range out[i] {
			out[i][j] = ""
		}
		for j := range t.Columns {
			out[i][j] = cellOf(&t.Columns[j], i)
		}
	}
	for k, row := range rows {
		copy(out[row][len(t.Columns):], lines[k][1:])
	}
	return names, out
}

// cellOf returns a cell as it is written; a missing one is empty.
func cellOf(c *data.Column, row int) any {
	switch {
	case c.IsMissing(row):
		return ""
	case c.Kind == data.Numeric && c.Unit == "":
		return c.Numbers[row]
	}
	return c.Strings[row]
}
