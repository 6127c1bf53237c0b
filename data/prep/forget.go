package prep

import (
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
)

// forgottenMark ends the name of a level that no row has any more. The rest of it is that of the
// level before, so that levels stay sorted and features keep their places.
const forgottenMark = "\x00"

// isForgotten reports whether a level has lost its name.
func isForgotten(level string) bool { return strings.HasSuffix(level, forgottenMark) }

// Forget returns a pipeline without the names of levels and labels that none of some prepared
// rows has. A cell with such a level is one that training did not see.
func (p *Pipeline) Forget(xs data.Vectors, y *mat.Dense) *Pipeline {
	q := *p
	q.columns = slices.Clone(p.columns)
	feature0, output := 0, 0
	for j := range q.columns {
		c := &q.columns[j]
		switch {
		case c.Role == feature:
			if at := feature0 + c.firstLevel(); c.Levels != nil && xs.Dim() >= feature0+c.width() {
				c.forget(func(level int) bool {
					return slices.ContainsFunc(data.Range(0, xs.Len()), func(i int) bool { return c.marked(xs.At(i)[at:]) == level })
				})
			}
			feature0 += c.width()
		case c.Role == target:
			to := c.target()
			if at := output; to.Labels != nil && y != nil {
				c.forget(func(level int) bool { return to.has(y, at, level) })
			} else if to.Transform != nil && y != nil {
				c.Transform = to.Transform.Of(mat.Col(nil, at, y))
			}
			output += to.Outputs()
		}
	}
	return &q
}

// has reports whether a row of outputs, from column at on, has a label.
func (t Target) has(y *mat.Dense, at, label int) bool {
	code := make([]float64, t.Outputs())
	t.encode(code, label)
	rows, _ := y.Dims()
	for i := range rows {
		if slices.Equal(y.RawRowView(i)[at:at+len(code)], code) {
			return true
		}
	}
	return false
}

// forget takes the names of levels that are not used.
func (c *column) forget(used func(level int) bool) {
	levels, filled := slices.Clone(c.Levels), c.FillLevel
	for i, level := range levels {
		if isForgotten(level) || used(i) {
			continue
		}
		before := ""
		if i > 0 {
			before = levels[i-1]
		}
		levels[i] = before + forgottenMark
	}
	if isForgotten(levels[filled]) {
		filled = max(0, slices.IndexFunc(levels, func(level string) bool { return !isForgotten(level) }))
	}
	c.Levels, c.FillLevel = levels, filled
}

// Relevel gives cells of made up rows whose level was forgotten another one.
func (p *Pipeline) Relevel(t *data.Table) {
	at := t.Positions()
	for i := range p.columns {
		c := &p.columns[i]
		j, ok := at[c.Name]
		if !ok || c.Role != feature || c.Kind != categorical {
			continue
		}
		cells := slices.Clone(t.Columns[j].Strings)
		for row, level := range cells {
			if _, known := slices.BinarySearch(c.Levels, level); !known {
				cells[row] = c.Levels[c.FillLevel]
			}
		}
		t.Columns[j].Strings = cells
	}
}
