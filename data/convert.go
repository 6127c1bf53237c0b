package data

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
)

// ConvertKinds changes the kind of the columns that types refers to, see [Table.Find]. Numbers
// become strings by their shortest decimal form (3, 0.25), strings become numbers where every cell
// is one, and the step between Categorical and Text changes nothing but the kind. It reports every
// name the table lacks and, per column, the first cell that is not a number; the table is then
// unusable. Cost: O(rows) for each column that changes.
func (t *Table) ConvertKinds(types map[string]Kind) error {
	types, err := t.ResolveTypes(types)
	errs := []error{err}
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
		case c.Unit != "":
			c.Numbers, c.Unit = nil, ""
		case c.Kind == Numeric:
			c.Strings, c.Numbers = texts(c), nil
		}
		c.Kind = kind
	}
	return errors.Join(errs...)
}

// ResolveTypes returns types by the names of the columns that its references (see
// [Table.Find]) lead to, and an error for every one that leads nowhere.
func (t *Table) ResolveTypes(types map[string]Kind) (map[string]Kind, error) {
	var errs []error
	named := make(map[string]Kind, len(types))
	for _, ref := range slices.Sorted(maps.Keys(types)) {
		at, err := t.Find(ref)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		named[t.Columns[at].Name] = types[ref]
	}
	return named, errors.Join(errs...)
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
			first.Fix = "correct the cell, or do not make the column numeric (--type)"
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
