package data

import "fmt"

// Texts gathers the cells of one string column. Equal cells share one string for as
// long as the column has few distinct ones, so a column of categories costs 16 bytes a
// row whatever the length of its labels. The zero value is ready.
type Texts struct {
	cells []string
	seen  map[string]string
	long  bool
}

const (
	// fewLevels is the number of distinct cells up to which a column of strings is
	// categorical whatever its length, provided that one of them repeats.
	fewLevels = 20
	// levelLimit is the number of distinct cells beyond which a column of strings is
	// text whatever its length.
	levelLimit = 1000
	// levelRows is the mean number of rows per level that a column with more than
	// fewLevels levels must have to be categorical.
	levelRows = 10
	// levelBytes is the longest cell a categorical column may have; free text is longer.
	levelBytes = 100
)

// Add appends one cell.
func (t *Texts) Add(cell []byte) {
	if s, ok := t.seen[string(cell)]; ok {
		t.cells = append(t.cells, s)
		return
	}
	s := string(cell)
	t.cells = append(t.cells, s)
	t.long = t.long || len(s) > levelBytes
	if len(t.seen) > levelLimit {
		return
	}
	if t.seen == nil {
		t.seen = make(map[string]string)
	}
	t.seen[s] = s
}

// Cells returns the cells added so far, not a copy.
func (t *Texts) Cells() []string { return t.cells }

// Kind decides, and says why, between Categorical and Text for the cells whose missing mark is not
// set (missing may be nil): a column is categorical if none of its cells is longer
// than 100 bytes and it has
//
//   - at most 20 distinct cells, at least one of which repeats, or
//   - at most 1000 distinct cells, each of which occurs 10 times on average.
//
// Cost: one pass over the distinct cells, and over the rows where some are missing.
func (t *Texts) Kind(missing []bool) (kind Kind, why string) {
	rows, levels := len(t.cells), len(t.seen)
	if missing != nil {
		present := make(map[string]bool)
		rows = 0
		for i, s := range t.cells {
			if missing[i] {
				continue
			}
			rows++
			if len(present) <= levelLimit {
				present[s] = true
			}
		}
		levels = len(present)
	}
	why = fmt.Sprintf("it has %d distinct values in %d rows", levels, rows)
	if levels > levelLimit {
		why = fmt.Sprintf("it has more than %d distinct values in %d rows", levelLimit, rows)
	}
	few := levels <= fewLevels && levels < rows
	repeated := levels <= levelLimit && levels*levelRows <= rows
	switch {
	case t.long:
		return Text, fmt.Sprintf("it has values longer than %d bytes", levelBytes)
	case few || repeated:
		return Categorical, why
	}
	return Text, why
}
