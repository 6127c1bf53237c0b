package prep

import (
	"fmt"
	"strconv"
	"strings"

	"mercer/data"
)

// find returns the position of the column that ref names: a column name, or a
// position ("first", "last", "#k" from 1, "#-k" from the end).
func find(t *data.Table, ref string) (int, error) {
	if _, at := t.Column(ref); at >= 0 {
		return at, nil
	}
	n := len(t.Columns)
	switch {
	case ref == "first":
		return 0, nil
	case ref == "last":
		return n - 1, nil
	case strings.HasPrefix(ref, "#"):
		k, err := strconv.Atoi(ref[1:])
		if err != nil || k == 0 {
			return 0, lacks(t, ref, "a position is #1 (the first), #2, … or #-1 (the last), #-2, …")
		}
		if k < -n || k > n {
			return 0, lacks(t, ref, fmt.Sprintf("it has %s", count(n, "column")))
		}
		if k < 0 {
			return n + k, nil
		}
		return k - 1, nil
	}
	return 0, lacks(t, ref, suggestion(t, ref)+listing(t))
}

// lacks returns the error for a reference that leads nowhere.
func lacks(t *data.Table, ref, fix string) *data.Error {
	return &data.Error{Source: t.Source, Reason: fmt.Sprintf("has no column %q", ref), Fix: fix}
}

// listing enumerates the columns of a table for a message.
func listing(t *data.Table) string {
	const most = 12
	var b strings.Builder
	fmt.Fprintf(&b, "its %d columns are ", len(t.Columns))
	for i := range t.Columns {
		if i == most {
			fmt.Fprintf(&b, ", … #%d %s", len(t.Columns), t.Columns[len(t.Columns)-1].Name)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "#%d %s", i+1, t.Columns[i].Name)
	}
	return b.String()
}

// suggestion returns `did you mean "x" or "y"? ` with the names nearest to ref, or
// nothing when none is near.
func suggestion(t *data.Table, ref string) string {
	limit := max(1, len([]rune(ref))/3)
	var near []string
	for i := range t.Columns {
		name := t.Columns[i].Name
		d := distance(strings.ToLower(ref), strings.ToLower(name))
		if d > limit {
			continue
		}
		if d < limit {
			limit, near = d, near[:0]
		}
		near = append(near, strconv.Quote(name))
	}
	if len(near) == 0 {
		return ""
	}
	return "did you mean " + strings.Join(near[:min(3, len(near))], " or ") + "? "
}

// abridged joins names, the later ones of many left out.
func abridged(names []string) string {
	const most = 12
	if len(names) > most {
		return strings.Join(names[:most], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}

// distance is the edit distance of Levenshtein between a and b: the least number of
// characters to insert, delete or replace. O(|a|·|b|) time.
func distance(a, b string) int {
	from, to := []rune(a), []rune(b)
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, s := range to {
			replace := diagonal
			if r != s {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, diagonal+1)
		}
	}
	return row[len(to)]
}
