package prep

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
)

// encode applies the steps to the kept rows of a table, block by block. It is the one path from
// cells to features, for the training table and for every later one.
func (p *Pipeline) encode(s *source) (*Prepared, error) {
	out, counts := p.prepared(s), make([]encodeCounts, len(p.columns))
	made, err := p.encodeElsewhere(s, out, counts)
	if err == nil && !made {
		err = p.encodeHere(s, out, counts)
	}
	if err != nil {
		return nil, err
	}
	for j := range counts {
		note, err := p.encodeNote(s, j, counts[j])
		if err != nil {
			return nil, err
		}
		if note != "" {
			out.Notes = append(out.Notes, note)
		}
	}
	if s.here != "" {
		out.Notes = append(out.Notes, "rows were prepared by this command, and not by workers: "+s.here)
	}
	if s.streamed {
		out.Streamed = newStreamed(p, s, p.width())
	}
	return out, nil
}

// prepared returns the kept rows of a source without what is to be encoded.
func (p *Pipeline) prepared(s *source) *Prepared {
	n := len(s.rows)
	out := &Prepared{Rows: s.rows}
	if !s.streamed {
		out.X = data.MakeVectors(n, p.width())
	}
	if p.only(s, weights) >= 0 {
		out.W = make([]float64, 0, n)
	}
	if p.only(s, id) >= 0 {
		out.IDs = make([]string, 0, n)
	}
	if p.only(s, target) >= 0 && n > 0 {
		out.Y = mat.NewDense(n, len(p.Outputs()), nil)
	}
	return out
}

// encodeHere encodes the rows of a source.
func (p *Pipeline) encodeHere(s *source, out *Prepared, counts []encodeCounts) error {
	return s.eachKept(p.uses, func(v view, rows []int, first int) error {
		xs := out.X
		if s.streamed { // the vectors are made again when they are read
			xs = data.MakeVectors(len(rows), p.width())
		}
		if err := p.encodeFeatures(xs, v, rows, counts); err != nil {
			return err
		}
		return p.encodeRest(out, v, rows, first)
	})
}

// width returns the number of features of all columns.
func (p *Pipeline) width() int {
	width := 0
	for _, c := range p.columns {
		if c.Role == feature {
			width += c.width()
		}
	}
	return width
}

// encodeCounts counts the cells of a column that were encoded in a way that the user should know
// of.
type encodeCounts struct {
	Filled, Unseen int
	First          int // the row of the table with the first unseen level
}

// merge adds the cells of the rows behind.
func (c *encodeCounts) merge(next encodeCounts) {
	if c.Unseen == 0 {
		c.First = next.First
	}
	c.Filled, c.Unseen = c.Filled+next.Filled, c.Unseen+next.Unseen
}

// encodeNote is the note on those of column j.
func (p *Pipeline) encodeNote(s *source, j int, t encodeCounts) (note string, err error) {
	c := &p.columns[j]
	if t.Unseen > 0 {
		first, row, err := s.cell(j, t.First)
		if err != nil {
			return "", err
		}
		note = fmt.Sprintf("%s: level %q was not seen in training and counts as none of the %d levels (the first of %s)", first.where(row), first.level(row), len(c.Levels), count(t.Unseen, "such cell"))
	}
	if t.Filled == 0 {
		return note, nil
	}
	with := plainNumber(c.Fill)
	if c.Unit.IsDate() {
		with = data.Time(c.Fill).Format(time.DateOnly)
	}
	if c.Kind == categorical {
		with = c.Levels[c.FillLevel]
	}
	filled := fmt.Sprintf("column %s: filled %s with %s", c.Name, count(t.Filled, "missing cell"), with)
	if note != "" {
		return note + "; " + filled, nil
	}
	return filled, nil
}

// encodeFeatures stores the features of the given rows in xs.
func (p *Pipeline) encodeFeatures(xs data.Vectors, v view, rows []int, counts []encodeCounts) error {
	offset := 0
	for j := range p.columns {
		c := &p.columns[j]
		if c.Role != feature {
			continue
		}
		switch {
		case !v.has(j): // a sparse table without this column
			c.encodeZeros(xs, offset)
		case c.Kind == numeric:
			if err := c.encodeNumbers(xs, offset, v.cells(j), rows, &counts[j]); err != nil {
				return err
			}
		default:
			c.encodeLevels(xs, offset, v.cells(j), rows, &counts[j])
		}
		offset += c.width()
	}
	return nil
}

// encodeRest adds the weights, ids, cells and targets of the given rows, of which first rows
// stand in front.
func (p *Pipeline) encodeRest(out *Prepared, v view, rows []int, first int) error {
	if j := p.only(v, weights); j >= 0 {
		ws, err := v.cells(j).weights(rows)
		if err != nil {
			return err
		}
		out.W = append(out.W, ws...)
	}
	if j := p.only(v, id); j >= 0 {
		for _, row := range rows {
			out.IDs = append(out.IDs, v.cells(j).level(row))
		}
	}
	p.addCells(out, v, rows)
	if out.Y == nil {
		return nil
	}
	_, outputs := out.Y.Dims()
	return p.encodeTargets(out.Y.Slice(first, first+len(rows), 0, outputs).(*mat.Dense), v, rows)
}

// encodeNumbers stores (x − Center)/Scale in one coordinate of every row. Behind it are the parts
// of a date, for one that is missing 0, the centre of the circle; 1 in the coordinate of its level
// where there are levels; and the mark of missing cells if there is one.
func (c *column) encodeNumbers(xs data.Vectors, at int, from cells, rows []int, counts *encodeCounts) (err error) {
	column, out, width := from.column(), xs.Raw(), xs.Dim()
	for i, row := range rows {
		x := c.Fill
		missing := column.IsMissing(row)
		switch {
		case missing && c.Keep:
			x = math.NaN()
		case missing && c.Indicator:
			out[i*width+at+c.width()-1] = 1
		case missing:
			counts.Filled++
		case column.Kind == data.Numeric && column.Unit == c.Unit && math.Abs(column.Numbers[row]) <= math.MaxFloat64:
			x = column.Numbers[row]
		default:
			if x, err = from.number(row); err != nil {
				return err
			}
		}
		to := out[i*width+at : i*width+at+c.width()]
		to[0] = (x - c.Center) / c.Scale
		for k, p := range c.Parts {
			if missing && c.Keep {
				to[1+2*k], to[2+2*k] = x, x
			} else if !missing {
				p.encode(to[1+2*k:], x)
			}
		}
		if c.Levels != nil && !missing {
			if level, known := indexOf(plainNumber(x), c.Levels); known {
				c.mark(to[c.firstLevel():], level)
			}
		}
	}
	return nil
}

// encodeZeros stores in every row what the number 0 becomes.
func (c *column) encodeZeros(xs data.Vectors, at int) {
	level, known := slices.BinarySearch(c.Levels, plainNumber(0))
	for i := range xs.Len() {
		xs.At(i)[at] = (0 - c.Center) / c.Scale
		if known {
			xs.At(i)[at+1+level] = 1
		}
	}
}

// encodeLevels stores the features of each row's level, [column.mark], and the mark of
// missing cells behind them if there is one. A level that training did not see
// leaves all of them 0.
func (c *column) encodeLevels(xs data.Vectors, at int, from cells, rows []int, counts *encodeCounts) {
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
				counts.Filled++
			}
		} else if level, known = from.levelIndex(row, c.Levels); !known {
			if counts.Unseen++; counts.Unseen == 1 {
				counts.First = from.of.Before + row
			}
			continue
		}
		c.mark(xs.At(i)[at:], level)
	}
}

// weights returns the weights of some rows.
func (c cells) weights(rows []int) ([]float64, error) {
	ws := make([]float64, len(rows))
	for i, row := range rows {
		w, err := c.number(row)
		if err != nil {
			return nil, err
		}
		if w < 0 {
			return nil, c.refuse(row, "is a negative weight", "a weight says how often a row counts and must be ≥ 0")
		}
		ws[i] = w
	}
	return ws, nil
}

// addCells adds the columns that are compared as they are.
func (p *Pipeline) addCells(out *Prepared, v view, rows []int) {
	k := 0
	for j, c := range p.columns {
		if c.Role != cell {
			continue
		}
		if k == len(out.Cells) {
			out.Cells = append(out.Cells, Cells{Name: c.Name})
		}
		of, before := &out.Cells[k], len(out.Cells[k].Text)
		k++
		for i, row := range rows {
			if !v.cells(j).missing(row) {
				of.Text = append(of.Text, v.cells(j).level(row))
			} else {
				if of.Missing == nil {
					of.Missing = make([]bool, before+i, before+len(rows))
				}
				of.Text = append(of.Text, "")
			}
			if of.Missing != nil {
				of.Missing = append(of.Missing, v.cells(j).missing(row))
			}
		}
	}
}

// only returns the one column of a role that the table has, or −1.
func (p *Pipeline) only(v interface{ has(j int) bool }, r role) int {
	for j, c := range p.columns {
		if c.Role == r && v.has(j) {
			return j
		}
	}
	return -1
}

// encodeTargets stores the outputs of the rows in y.
func (p *Pipeline) encodeTargets(y *mat.Dense, v view, rows []int) error {
	offset := 0
	for j, c := range p.columns {
		if c.Role != target {
			continue
		}
		to := c.target()
		for i, row := range rows {
			if p.unlabelled && v.cells(j).missing(row) {
				for o := range to.Outputs() {
					y.Set(i, offset+o, math.NaN())
				}
				continue
			}
			if err := to.encodeCell(y.RawRowView(i)[offset:offset+to.Outputs()], v.cells(j), row); err != nil {
				return err
			}
		}
		offset += to.Outputs()
	}
	return nil
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
		if dst[0], err = from.outcome(row); err != nil || t.Transform == nil {
			return err
		}
		if dst[0] = t.Transform.Forward(dst[0]); math.IsNaN(dst[0]) {
			return from.undefined(row, t.Transform.Name, t.Transform.Needs())
		}
		return nil
	}
	label, known := from.levelIndex(row, t.Labels)
	if !known {
		return from.refuse(row, "is a label that was not seen in training", fmt.Sprintf("the %d labels are %q", len(t.Labels), t.Labels))
	}
	t.encode(dst, label)
	return nil
}
