package data

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Force changes the kind of the named columns. Numbers become strings by their shortest
// decimal form (3, 0.25), strings become numbers where every cell is one, and the step
// between Categorical and Text changes nothing but the kind. It reports every name the
// table lacks and, per column, the first cell that is not a number; the table is then
// unusable. Cost: O(rows) for each column that changes.
func (t *Table) Force(types map[string]Kind) error {
	errs := []error{CheckTypes(t, types)}
	for i := range t.Columns {
		c := &t.Columns[i]
		kind, ok := types[c.Name]
		if !ok || kind == c.Kind {
			continue
		}
		c.Why = ""
		switch {
		case kind == Numeric:
			errs = append(errs, t.numbers(i))
		case c.Kind == Numeric:
			c.Strings, c.Numbers = texts(c), nil
		}
		c.Kind = kind
	}
	return errors.Join(errs...)
}

// CheckTypes returns an error for every name in types that is not a column of t.
func CheckTypes(t *Table, types map[string]Kind) error {
	var errs []error
	names := make([]string, 0, len(types))
	for name := range types {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if c, _ := t.Column(name); c == nil {
			errs = append(errs, &Error{
				Source: t.Source,
				Reason: fmt.Sprintf("has no column %q, for which a type is given", name),
				Fix:    "its columns are " + t.names(),
			})
		}
	}
	return errors.Join(errs...)
}

// names lists the columns for a message, the middle left out where there are many.
func (t *Table) names() string {
	const show = 12
	names := make([]string, 0, len(t.Columns))
	for i := range t.Columns {
		names = append(names, t.Columns[i].Name)
	}
	if len(names) > show {
		names = append(append(names[:show-2:show-2], "…"), names[len(names)-1])
	}
	return strings.Join(names, ", ")
}

// numbers turns the strings of a column into numbers.
func (t *Table) numbers(col int) error {
	c := &t.Columns[col]
	out := make([]float64, len(c.Strings))
	var first *Error
	for i, s := range c.Strings {
		if c.IsMissing(i) {
			out[i] = math.NaN()
			continue
		}
		v, err := strconv.ParseFloat(s, 64)
		if err == nil && !math.IsNaN(v) && !math.IsInf(v, 0) {
			out[i] = v
			continue
		}
		if first == nil {
			first = t.at(i, col)
			first.Value, first.Reason = s, "is not a finite number, but its column was declared numeric"
			first.Fix = "correct the cell or do not declare the column numeric"
		} else {
			first.More++
		}
	}
	c.Numbers, c.Strings = out, nil
	if first != nil {
		return first
	}
	return nil
}

// texts returns the numbers of a column as strings.
func texts(c *Column) []string {
	var t Texts
	var buf []byte
	for i, v := range c.Numbers {
		buf = buf[:0]
		if !c.IsMissing(i) {
			buf = strconv.AppendFloat(buf, v, 'g', -1, 64)
		}
		t.Add(buf)
	}
	return t.cells
}
