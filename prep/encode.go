package prep

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
)

// encode applies the steps to the given rows of a table. It is the one path from
// cells to features, for the training table and for every later one.
func (p *Pipeline) encode(v view, rows []int) (*Prepared, error) {
	width := 0
	for _, c := range p.columns {
		if c.Role == feature {
			width += c.width()
		}
	}
	out := &Prepared{X: data.MakeVectors(len(rows), width), Rows: rows}
	offset := 0
	for j := range p.columns {
		c := &p.columns[j]
		if c.Role != feature {
			continue
		}
		var note string
		var err error
		switch {
		case !v.has(j): // a sparse table without this column
			c.encodeZeros(out.X, offset)
		case c.Kind == numeric:
			note, err = c.encodeNumbers(out.X, offset, v.cells(j), rows)
		default:
			note = c.encodeLevels(out.X, offset, v.cells(j), rows)
		}
		if err != nil {
			return nil, err
		}
		if note != "" {
			out.Notes = append(out.Notes, note)
		}
		offset += c.width()
	}
	var err error
	if out.W, err = p.rowWeights(v, rows); err != nil {
		return nil, err
	}
	out.IDs = p.rowIDs(v, rows)
	out.Cells = p.rowCells(v, rows)
	out.Y, err = p.encodeTargets(v, rows)
	return out, err
}

// encodeNumbers stores (x − Center)/Scale in one coordinate of every row, and the
// mark of missing cells in the next if there is one.
func (c *column) encodeNumbers(xs data.Vectors, at int, from cells, rows []int) (note string, err error) {
	unmarked := 0
	for i, row := range rows {
		x := c.Fill
		if from.missing(row) && c.Keep {
			x = math.NaN()
		} else if from.missing(row) {
			if c.Indicator {
				xs.At(i)[at+1] = 1
			} else {
				unmarked++
			}
		} else if x, err = from.number(row); err != nil {
			return "", err
		}
		xs.At(i)[at] = (x - c.Center) / c.Scale
	}
	return c.filledNote(unmarked, plainNumber(c.Fill)), nil
}

// encodeZeros stores in every row what the number 0 becomes.
func (c *column) encodeZeros(xs data.Vectors, at int) {
	for i := range xs.Len() {
		xs.At(i)[at] = (0 - c.Center) / c.Scale
	}
}

// encodeLevels stores 1 in the coordinate of each row's level, and the mark of
// missing cells behind them if there is one. A level that training did not see
// leaves all of them 0.
func (c *column) encodeLevels(xs data.Vectors, at int, from cells, rows []int) (note string) {
	unmarked, unseen, first := 0, 0, -1
	for i, row := range rows {
		level, known := c.FillLevel, true
		if from.missing(row) && c.Keep {
			for l := range c.Levels {
				xs.At(i)[at+l] = math.NaN()
			}
			continue
		}
		if from.missing(row) {
			if c.Indicator {
				xs.At(i)[at+len(c.Levels)] = 1
			} else {
				unmarked++
			}
		} else if level, known = from.levelIndex(row, c.Levels); !known {
			if unseen++; first < 0 {
				first = row
			}
			continue
		}
		xs.At(i)[at+level] = 1
	}
	if unseen > 0 {
		note = fmt.Sprintf("%s: level %q was not seen in training and counts as none of the %d levels (the first of %s)", from.where(first), from.level(first), len(c.Levels), count(unseen, "such cell"))
	}
	if filled := c.filledNote(unmarked, c.Levels[c.FillLevel]); note != "" && filled != "" {
		return note + "; " + filled
	} else if filled != "" {
		return filled
	}
	return note
}

// filledNote says how many cells were filled in without a mark.
func (c *column) filledNote(n int, with string) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("column %s: filled %s with %s", c.Name, count(n, "missing cell"), with)
}

// rowWeights returns the weights of the rows, or nil where the table has none.
func (p *Pipeline) rowWeights(v view, rows []int) ([]float64, error) {
	j := p.only(v, weights)
	if j < 0 {
		return nil, nil
	}
	ws := make([]float64, len(rows))
	for i, row := range rows {
		w, err := v.cells(j).number(row)
		if err != nil {
			return nil, err
		}
		if w < 0 {
			return nil, v.cells(j).refuse(row, "is a negative weight", "a weight says how often a row counts and must be ≥ 0")
		}
		ws[i] = w
	}
	return ws, nil
}

// rowIDs returns the ids of the rows, or nil where the table has none.
func (p *Pipeline) rowIDs(v view, rows []int) []string {
	j := p.only(v, id)
	if j < 0 {
		return nil
	}
	ids := make([]string, len(rows))
	for i, row := range rows {
		ids[i] = v.cells(j).level(row)
	}
	return ids
}

// rowCells returns the columns that are compared as they are.
func (p *Pipeline) rowCells(v view, rows []int) (all []Cells) {
	for j, c := range p.columns {
		if c.Role != cell {
			continue
		}
		of := Cells{Name: c.Name, Text: make([]string, len(rows))}
		for i, row := range rows {
			if !v.cells(j).missing(row) {
				of.Text[i] = v.cells(j).level(row)
				continue
			}
			if of.Missing == nil {
				of.Missing = make([]bool, len(rows))
			}
			of.Missing[i] = true
		}
		all = append(all, of)
	}
	return all
}

// only returns the one column of a role that the table has, or −1.
func (p *Pipeline) only(v view, r role) int {
	for j, c := range p.columns {
		if c.Role == r && v.has(j) {
			return j
		}
	}
	return -1
}

// encodeTargets returns the outputs of the rows, or nil where the table has no
// targets.
func (p *Pipeline) encodeTargets(v view, rows []int) (*mat.Dense, error) {
	if p.only(v, target) < 0 || len(rows) == 0 {
		return nil, nil
	}
	y := mat.NewDense(len(rows), len(p.Outputs()), nil)
	offset := 0
	for j, c := range p.columns {
		if c.Role != target {
			continue
		}
		to := c.target()
		for i, row := range rows {
			if err := to.encodeCell(y.RawRowView(i)[offset:offset+to.Outputs()], v.cells(j), row); err != nil {
				return nil, err
			}
		}
		offset += to.Outputs()
	}
	return y, nil
}

// encodeCell stores the outputs for one cell of the target column.
func (t Target) encodeCell(dst []float64, from cells, row int) (err error) {
	if t.Form != One {
		if reason := t.parts(dst, from.level(row)); reason != "" {
			return from.refuse(row, reason, fmt.Sprintf("this target is a %s of %q", t.Form, t.Items))
		}
		return nil
	}
	if t.Labels == nil {
		dst[0], err = from.number(row)
		return err
	}
	label, known := from.levelIndex(row, t.Labels)
	if !known {
		return from.refuse(row, "is a label that was not seen in training", fmt.Sprintf("the %d labels are %q", len(t.Labels), t.Labels))
	}
	t.encode(dst, label)
	return nil
}
