package data

import (
	"errors"
	"fmt"
)

// Stack returns the rows of a and then those of b as one table, with the columns of a. They
// are matched by name where both tables have a header, in any order, and by position
// otherwise. Columns that only one of two sparse tables has are zero in the other; in
// other tables they are an error, as is a column of numbers in one table and of strings in
// the other. Free text and categories make free text.
func Stack(a, b *Table) (*Table, error) {
	if a.Sparse && b.Sparse {
		a, b = a.zeros(b), b.zeros(a)
	}
	at, err := a.match(b)
	if err != nil {
		return nil, err
	}
	out := &Table{Source: a.Source + " and " + b.Source, Headed: a.Headed && b.Headed, Target: a.Target, Sparse: a.Sparse && b.Sparse,
		Columns: make([]Column, len(a.Columns))}
	var problems []error
	for j := range a.Columns {
		x, y := &a.Columns[j], &b.Columns[at[j]]
		if (x.Kind == Numeric) != (y.Kind == Numeric) {
			problems = append(problems, x.clash(a.Source, j, y, b.Source))
			continue
		}
		if x.Unit != y.Unit {
			problems = append(problems, &Error{Source: a.Source, Column: j + 1, Name: x.Name, Reason: fmt.Sprintf("holds %v, and in %s %v", x.Unit, b.Source, y.Unit),
				Fix: "write both in the same way"})
			continue
		}
		c := &out.Columns[j]
		*c = *x
		c.Kind = max(x.Kind, y.Kind)
		c.Numbers, c.Strings = joined(x.Numbers, y.Numbers), joined(x.Strings, y.Strings)
		if x.Missing != nil || y.Missing != nil {
			c.Missing = joined(x.mask(), y.mask())
		}
	}
	return out, errors.Join(problems...)
}

// clash is the error for a column of one table that is of another kind in another one.
func (c *Column) clash(source string, at int, other *Column, in string) *Error {
	e := &Error{Source: source, Column: at + 1, Name: c.Name, Reason: fmt.Sprintf("is %s, and in %s it is %s", c.Kind, in, other.Kind),
		Fix: fmt.Sprintf("correct the cell that is no number, or force the type of the column (%s=categorical)", c.Name)}
	if why := c.Why + other.Why; why != "" {
		e.Reason += " (" + why + ")"
	}
	return e
}

// match returns where the columns of a stand in b, which may have no others.
func (a *Table) match(b *Table) ([]int, error) {
	at := make([]int, len(a.Columns))
	if !a.Headed || !b.Headed {
		if len(a.Columns) != len(b.Columns) {
			return nil, &Error{Source: b.Source, Reason: fmt.Sprintf("has %s, and %s has %d: without a header in both files columns are matched by position", columns(len(b.Columns)), a.Source, len(a.Columns)),
				Fix: "give two tables of the same columns"}
		}
		for j := range at {
			at[j] = j
		}
		return at, nil
	}
	var problems []error
	for j := range a.Columns {
		if _, at[j] = b.Column(a.Columns[j].Name); at[j] < 0 {
			problems = append(problems, b.notFound(a.Columns[j].Name, fmt.Sprintf("%s has it: drop it, or give two tables of the same columns; %s", a.Source, b.Suggest(a.Columns[j].Name))))
		}
	}
	for j := range b.Columns {
		if _, found := a.Column(b.Columns[j].Name); found < 0 {
			problems = append(problems, a.notFound(b.Columns[j].Name, fmt.Sprintf("%s has it: drop it, or give two tables of the same columns; %s", b.Source, a.Suggest(b.Columns[j].Name))))
		}
	}
	return at, errors.Join(problems...)
}

// zeros returns t with the numeric columns that only the other table has, zero in every
// row.
func (t *Table) zeros(other *Table) *Table {
	out := *t
	out.Columns = append([]Column(nil), t.Columns...)
	for j := range other.Columns {
		c := &other.Columns[j]
		if _, at := t.Column(c.Name); at < 0 && c.Kind == Numeric {
			out.Columns = append(out.Columns, Column{Name: c.Name, Numbers: make([]float64, t.Rows())})
		}
	}
	return &out
}

// mask returns the marks of missing cells, also where there are none.
func (c *Column) mask() []bool {
	if c.Missing != nil {
		return c.Missing
	}
	return make([]bool, c.Len())
}

func joined[E any](a, b []E) []E {
	if a == nil && b == nil {
		return nil
	}
	return append(append(make([]E, 0, len(a)+len(b)), a...), b...)
}
