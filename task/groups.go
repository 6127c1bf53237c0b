package task

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"example.org/mercer/data"
)

// Groups returns the name of a column of the table, its different cells, sorted, numbers by
// size, and for every row of the problem which of them it has: labels that a method without a
// target was not told, to compare with what it found.
func (p *Task) Groups(ref string) (column string, names []string, group []int, err error) {
	var cells []string
	at, err := p.Raw.Find(ref)
	if err != nil {
		return "", nil, nil, err
	}
	c := &p.Raw.Columns[at]
	for b, rest := 0, p.Rows.Rows; len(rest) > 0; b++ {
		block, err := p.Blocks.Block(b, []int{at})
		if err != nil {
			return "", nil, nil, err
		}
		for ; len(rest) > 0 && rest[0] < p.Blocks.Starts()[b+1]; rest = rest[1:] {
			cells = append(cells, groupOf(&block.Columns[at], rest[0]-block.Before))
		}
	}
	names = slices.Clone(cells)
	slices.SortFunc(names, func(a, b string) int {
		if c.Kind != data.Numeric {
			return strings.Compare(a, b)
		}
		x, _ := strconv.ParseFloat(a, 64) // what is missing comes first, as 0 does
		y, _ := strconv.ParseFloat(b, 64)
		return cmp.Or(cmp.Compare(x, y), strings.Compare(a, b))
	})
	names = slices.Compact(names)
	number := map[string]int{}
	for i, name := range names {
		number[name] = i
	}
	for _, cell := range cells {
		group = append(group, number[cell])
	}
	return c.Name, names, group, nil
}

// groupOf returns the cell of a row as the name of a group.
func groupOf(c *data.Column, row int) string {
	switch {
	case c.IsMissing(row):
		return "(missing)"
	case c.Kind == data.Numeric:
		return strconv.FormatFloat(c.Numbers[row], 'g', -1, 64)
	}
	return c.Strings[row]
}
