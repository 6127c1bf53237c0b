package bag

import (
	"slices"
	"strconv"

	"example.org/mercer/data"
)

// Column is the name of the column of vectors in a table that [Group] has made; where a column
// that is kept has it, underscores follow. The column that names the bags is called ID if it has
// this name, so that the name means the vectors.
const (
	Column = "bag"
	ID     = "id"
)

// Group returns a table with one row for each value of the column named by ref, in the order in
// which the values come first: the rows with one value are a bag. That column names the rows.
// The columns that keep names, and the target that the format declares, must have one value in
// every bag, which they keep; names that the table does not have are ignored. All other
// columns of numbers together become one column of bags of vectors, in their order, and each
// other column of strings becomes a column of bags of words. Lines are those where the bags begin.
//
// The error names the first cell of a bag that is missing or not finite, or that differs where
// it must not. Cost: O(cells).
func Group(t *data.Table, ref string, keep ...string) (*data.Table, error) {
	by, err := t.Find(ref)
	if err != nil {
		return nil, err
	}
	g, err := newGrouping(t, by)
	if err != nil {
		return nil, err
	}
	kept := map[int]bool{by: true}
	for _, name := range append(keep, t.Target) {
		if at, err := t.Find(name); err == nil {
			kept[at] = true
		}
	}
	out := &data.Table{Source: t.Source, Headed: true, ID: idName(t, by), Target: t.Target}
	for _, rows := range g.bags {
		if t.Lines != nil {
			out.Lines = append(out.Lines, t.Lines[rows[0]])
		}
		if t.Files != nil {
			out.Files = append(out.Files, t.Files[rows[0]])
		}
	}
	var numbers []int
	place := 0
	for c := range t.Columns {
		var column data.Column
		switch {
		case kept[c]:
			if column, err = g.common(c); c == by {
				column.Name = out.ID
			}
		case t.Columns[c].Kind == data.Numeric:
			if numbers == nil {
				place = len(out.Columns)
			}
			numbers = append(numbers, c)
			continue
		default:
			column, err = g.texts(c)
		}
		if err != nil {
			return nil, err
		}
		out.Columns = append(out.Columns, column)
	}
	if numbers == nil {
		return out, nil
	}
	vectors, err := g.vectors(numbers)
	for _, at := out.Column(vectors.Name); at >= 0; _, at = out.Column(vectors.Name) {
		vectors.Name += "_"
	}
	out.Columns = slices.Insert(out.Columns, place, vectors)
	return out, err
}

// idName returns the name of the column that names the bags.
func idName(t *data.Table, by int) string {
	name := t.Columns[by].Name
	if name != Column {
		return name
	}
	name = ID
	for _, at := t.Column(name); at >= 0; _, at = t.Column(name) {
		name += "_"
	}
	return name
}

// grouping is the rows of the bags of a table.
type grouping struct {
	table *data.Table
	bags  [][]int
}

func newGrouping(t *data.Table, by int) (*grouping, error) {
	g := &grouping{table: t}
	at := map[string]int{}
	for i := range t.Rows() {
		if t.Columns[by].IsMissing(i) {
			return nil, g.fail(i, by, "is missing, and it says to which bag the row belongs", "complete it, or remove the row")
		}
		name := g.text(i, by)
		bag, known := at[name]
		if !known {
			bag = len(g.bags)
			at[name] = bag
			g.bags = append(g.bags, nil)
		}
		g.bags[bag] = append(g.bags[bag], i)
	}
	return g, nil
}

// text returns a cell as text.
func (g *grouping) text(row, col int) string {
	c := &g.table.Columns[col]
	if c.Kind == data.Numeric && c.Unit == "" {
		return strconv.FormatFloat(c.Numbers[row], 'g', -1, 64)
	}
	return c.Strings[row]
}

// common returns the value that a column has in each bag.
func (g *grouping) common(col int) (data.Column, error) {
	c := &g.table.Columns[col]
	first := make([]int, len(g.bags))
	for b, rows := range g.bags {
		first[b] = rows[0]
		for _, i := range rows[1:] {
			if c.IsMissing(i) != c.IsMissing(rows[0]) || !c.IsMissing(i) && g.text(i, col) != g.text(rows[0], col) {
				return *c, g.fail(i, col, "is not what the first row of its bag has, "+data.Quote(g.text(rows[0], col)), "a bag has one value in this column: correct it, or leave the column out")
			}
		}
	}
	only := data.Table{Columns: g.table.Columns[col : col+1]}
	return only.Gather(first).Columns[0], nil
}

// texts makes a column of bags of the cells of one.
func (g *grouping) texts(col int) (data.Column, error) {
	out := data.Column{Name: g.table.Columns[col].Name, Kind: data.Text, Why: "it holds bags"}
	for _, rows := range g.bags {
		elements := make([]string, len(rows))
		for e, i := range rows {
			if g.table.Columns[col].IsMissing(i) {
				return out, g.fail(i, col, "is missing", "an element of a bag is never filled in: complete it, or remove the row")
			}
			elements[e] = g.text(i, col)
		}
		out.Strings = append(out.Strings, Join(elements))
	}
	return out, nil
}

// vectors makes a column of bags of the cells of several columns of numbers.
func (g *grouping) vectors(cols []int) (data.Column, error) {
	out := data.Column{Name: Column, Kind: data.Text, Why: "it holds bags"}
	for _, rows := range g.bags {
		vectors := make([][]float64, len(rows))
		for e, i := range rows {
			vectors[e] = make([]float64, len(cols))
			for j, col := range cols {
				v := g.table.Columns[col].Numbers[i]
				if g.table.Columns[col].IsMissing(i) || v-v != 0 { // ±Inf, NaN
					return out, g.fail(i, col, "is missing or not finite", "an element of a bag is never filled in: complete it, or remove the row")
				}
				vectors[e][j] = v
			}
		}
		out.Strings = append(out.Strings, joinVectors(vectors))
	}
	return out, nil
}

// fail returns the error for one cell.
func (g *grouping) fail(row, col int, reason, fix string) error {
	e := &data.Error{Row: row + 1, Column: col + 1, Name: g.table.Columns[col].Name, Value: g.text(row, col), Reason: reason, Fix: fix}
	e.Source, e.Line = g.table.Place(row)
	return e
}
