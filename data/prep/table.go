package prep

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.org/mercer/data"
)

// checkTable returns everything that makes t not a table: a reader of package data
// never makes such a one, a program may.
func checkTable(t *data.Table) error {
	var problems []error
	seen := map[string]int{}
	for i := range t.Columns {
		c := &t.Columns[i]
		if first, twice := seen[c.Name]; twice {
			problems = append(problems, &data.Error{Source: t.Source, Column: i + 1, Name: c.Name, Reason: fmt.Sprintf("has the name of column %d", first+1), Fix: "rename one of them"})
		}
		seen[c.Name] = i
		if c.Len() != t.Rows() || c.Missing != nil && len(c.Missing) != c.Len() {
			problems = append(problems, &data.Error{Source: t.Source, Column: i + 1, Name: c.Name, Reason: fmt.Sprintf("has %d cells and %d missing marks in a table of %d rows", c.Len(), len(c.Missing), t.Rows())})
		}
	}
	if t.Lines != nil && len(t.Lines) != t.Rows() {
		problems = append(problems, &data.Error{Source: t.Source, Reason: fmt.Sprintf("has %d line numbers for %d rows", len(t.Lines), t.Rows())})
	}
	return errors.Join(problems...)
}

// cells reads one column of a table as what the pipeline expects, whatever the
// reader of the file took it for.
type cells struct {
	of   *data.Table
	at   int
	unit data.Unit // of training
}

func (c cells) column() *data.Column { return &c.of.Columns[c.at] }

func (c cells) missing(row int) bool { return c.column().IsMissing(row) }

func (c cells) where(row int) string { return c.of.Where(row, c.at) }

// fail returns the error for one cell, without its value.
func (c cells) fail(row int, reason, fix string) *data.Error {
	e := &data.Error{Row: c.of.Before - c.of.Earlier + row + 1, Column: c.at + 1, Name: c.column().Name, Reason: reason, Fix: fix}
	e.Source, e.Line = c.of.Place(row)
	return e
}

// failColumn returns the error for the whole column.
func (c cells) failColumn(reason, fix string) *data.Error {
	return &data.Error{Source: c.of.Source, Column: c.at + 1, Name: c.column().Name, Reason: reason, Fix: fix}
}

// refuse returns the error for the value of one cell.
func (c cells) refuse(row int, reason, fix string) *data.Error {
	e := c.fail(row, reason, fix)
	e.Value = c.level(row)
	return e
}

// number returns the finite number in a cell that is not missing.
func (c cells) number(row int) (float64, error) {
	col := c.column()
	if col.Unit != c.unit {
		return c.measured(row)
	}
	if col.Kind == data.Numeric {
		x := col.Numbers[row]
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0, c.refuse(row, "is not a number to compute with", "correct it, or leave the cell empty if there is no value")
		}
		return x, nil
	}
	x, err := strconv.ParseFloat(col.Strings[row], 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, c.refuse(row, "is not a finite number, and this column must hold numbers", "correct the cell")
	}
	return x, nil
}

// squarable is the size up to which numbers may be learned from: sums of the squares of many of
// them do not overflow.
const squarable = 1e150

// outcome returns the number in the cell of a target.
func (c cells) outcome(row int) (float64, error) {
	y, err := c.number(row)
	if err == nil && math.Abs(y) > squarable {
		err = c.refuse(row, fmt.Sprintf("is too large to be squared (beyond %g)", squarable), "change the unit of the column")
	}
	return y, err
}

// level returns the value of a cell as text.
func (c cells) level(row int) string {
	col := c.column()
	if col.Kind == data.Numeric && col.Unit == "" {
		return plainNumber(col.Numbers[row])
	}
	return col.Strings[row]
}

// plainNumber writes whole numbers without an exponent, so that the id 1000025 keeps
// its digits, and others in the shortest form that reads back.
func plainNumber(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1<<53 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// levelIndex returns the position of a cell's level among the sorted levels. Where
// one file writes a level as 1 and the other as 1.0, equal numbers are equal levels.
func (c cells) levelIndex(row int, levels []string) (int, bool) {
	return indexOf(c.level(row), levels)
}

func indexOf(level string, levels []string) (int, bool) {
	if i, ok := slices.BinarySearch(levels, level); ok {
		return i, true
	}
	x, err := strconv.ParseFloat(level, 64)
	if err != nil {
		return 0, false
	}
	for i, level := range levels {
		if y, err := strconv.ParseFloat(level, 64); err == nil && x == y {
			return i, true
		}
	}
	return 0, false
}

// view is a table, or a block of one, seen by a pipeline: at[j] is the position in the table of
// column j of the pipeline, or −1 where the table has none; units[j] is that of its numbers.
type view struct {
	table *data.Table
	at    []int
	units []data.Unit
	// The rows first ≤ i < end of the table are those that are read.
	first, end int
}

func (v view) has(j int) bool { return v.at[j] >= 0 }

func (v view) cells(j int) cells { return cells{of: v.table, at: v.at[j], unit: v.units[j]} }

// listShort joins names, the later ones of many left out.
func listShort(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
