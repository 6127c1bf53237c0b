package data

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"example.org/mercer/internal/spelling"
)

// Find returns the position of the column that ref names: a column name, or a
// position ("first", "last", "#k" from 1, "#-k" from the end). The error lists the
// columns, or the one that was probably meant. Cost: O(columns).
func (t *Table) Find(ref string) (int, error) {
	_, at := t.Column(ref)
	return t.find(ref, at)
}

// Finder returns [Table.Find] for many references: each costs O(1).
func (t *Table) Finder() func(ref string) (int, error) {
	positions := t.Positions()
	return func(ref string) (int, error) {
		at, ok := positions[ref]
		if !ok {
			at = -1
		}
		return t.find(ref, at)
	}
}

// Positions returns the position of every column by its name, of equal names the first.
func (t *Table) Positions() map[string]int {
	at := make(map[string]int, len(t.Columns))
	for i := len(t.Columns) - 1; i >= 0; i-- {
		at[t.Columns[i].Name] = i
	}
	return at
}

// find is Find, where the column with the name ref, if there is one, is at a position.
func (t *Table) find(ref string, at int) (int, error) {
	if at >= 0 {
		return at, nil
	}
	n := len(t.Columns)
	switch {
	case n == 0:
	case ref == "first":
		return 0, nil
	case ref == "last":
		return n - 1, nil
	case strings.HasPrefix(ref, "#"):
		k, err := strconv.Atoi(ref[1:])
		switch {
		case err != nil || k == 0:
			return 0, t.notFound(ref, "a position is #1 (the first), #2, … or #-1 (the last), #-2, …")
		case k < -n || k > n:
			return 0, t.notFound(ref, "it has "+columns(n))
		case k < 0:
			return n + k, nil
		}
		return k - 1, nil
	}
	if t.firstRowHas(ref) {
		return 0, t.notFound(ref, "the first row holds it: if that row is names, say so (--header yes)")
	}
	return 0, t.notFound(ref, t.Suggest(ref))
}

// firstRowHas reports whether a table without names has a cell in its first row.
func (t *Table) firstRowHas(cell string) bool {
	if t.Headed || t.Before > 0 || t.Lines == nil {
		return false
	}
	for i := range t.Columns {
		if c := &t.Columns[i]; len(c.Strings) > 0 && c.Strings[0] == cell {
			return true
		}
	}
	return false
}

// FindAll returns the positions of all columns that the references lead to, each once:
// names and positions as in [Table.Find], and patterns in which * stands for any text.
// Every reference that leads nowhere is an error.
func (t *Table) FindAll(refs []string) ([]int, error) {
	if len(refs) == 0 {
		return nil, nil
	}
	chosen := make([]bool, len(t.Columns))
	var problems []error
	find := t.Finder()
	for _, ref := range refs {
		at, err := find(ref)
		if err == nil {
			chosen[at] = true
			continue
		}
		found := false
		for i := range t.Columns {
			if strings.Contains(ref, "*") && like(ref, t.Columns[i].Name) {
				chosen[i], found = true, true
			}
		}
		if !found {
			problems = append(problems, err)
		}
	}
	var out []int
	for i, c := range chosen {
		if c {
			out = append(out, i)
		}
	}
	return out, errors.Join(problems...)
}

// like reports whether a name matches a pattern in which * stands for any text.
func like(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	rest, ok := strings.CutPrefix(name, parts[0])
	if !ok || len(parts) == 1 {
		return ok && rest == ""
	}
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return strings.HasSuffix(rest, last)
}

// notFound returns the error for a reference that leads nowhere.
func (t *Table) notFound(ref, fix string) *Error {
	return &Error{Source: t.Source, Reason: "has no column " + Quote(ref), Fix: fix, kind: ErrNoColumn}
}

// Suggest says which columns a wrong name may have meant, and lists the columns.
func (t *Table) Suggest(wrong string) string {
	names := make([]string, len(t.Columns))
	for i := range t.Columns {
		names[i] = t.Columns[i].Name
	}
	hint := ""
	if near := spelling.Near(wrong, names); near != nil {
		for i := range near {
			near[i] = Quote(near[i])
		}
		hint = "did you mean " + strings.Join(near[:min(3, len(near))], " or ") + "? "
	}
	return hint + t.Listing()
}

// Listing enumerates the columns for a message, the middle of many left out.
func (t *Table) Listing() string {
	const most = 12
	var b strings.Builder
	fmt.Fprintf(&b, "its %s are ", columns(len(t.Columns)))
	for i := range t.Columns {
		if i == most {
			fmt.Fprintf(&b, ", … #%d %s", len(t.Columns), Cut(t.Columns[len(t.Columns)-1].Name))
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "#%d %s", i+1, Cut(t.Columns[i].Name))
	}
	return b.String()
}

func columns(n int) string {
	if n == 1 {
		return "1 column"
	}
	return fmt.Sprintf("%d columns", n)
}
