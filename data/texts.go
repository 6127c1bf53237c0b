package data

import (
	"fmt"
	"maps"
)

// Texts gathers the cells of one string column. Equal cells share one string for as
// long as the column has few distinct ones, so a column of categories costs 16 bytes a
// row whatever the length of its labels. The zero value is ready.
type Texts struct {
	cells []string
	seen  map[string]string
	long  bool
	taken TextCounts
}

// TextCounts are what decides between categories and text, of the cells of some rows.
type TextCounts struct {
	Rows   int             // with a value
	Levels map[string]bool // the different cells up to one beyond levelLimit
	Long   bool            // a cell is longer than levelBytes
}

func (t *TextCounts) add(cells []string, missing []bool) {
	if t.Levels == nil {
		t.Levels = make(map[string]bool)
	}
	for i, s := range cells {
		if missing != nil && missing[i] {
			continue
		}
		t.Rows++
		if len(t.Levels) <= levelLimit && len(s) <= levelBytes { // a longer one makes all of them text
			t.Levels[s] = true
		}
	}
}

// Merge adds those of other rows.
func (t *TextCounts) Merge(other TextCounts) {
	t.Rows, t.Long = t.Rows+other.Rows, t.Long || other.Long
	if t.Levels == nil {
		t.Levels = make(map[string]bool)
	}
	for s := range other.Levels {
		if len(t.Levels) <= levelLimit {
			t.Levels[s] = true
		}
	}
}

// Kind decides as [Texts.Kind].
func (t TextCounts) Kind() (kind Kind, why string) { return kindOf(t.Rows, len(t.Levels), t.Long) }

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
	// sharedBytes is the longest cell that equal ones share.
	sharedBytes = 1 << 12
)

// Add appends one cell, and returns the bytes of its letters, 0 where it shares those of an earlier
// one.
func (t *Texts) Add(cell []byte) (letters int) {
	if s, ok := t.seen[string(cell)]; ok {
		t.cells = append(t.cells, s)
		return 0
	}
	s := string(cell)
	t.cells = append(t.cells, s)
	t.long = t.long || len(s) > levelBytes
	if len(t.seen) > levelLimit || len(s) > sharedBytes {
		return len(s)
	}
	if t.seen == nil {
		t.seen = make(map[string]string)
	}
	t.seen[s] = s
	return len(s)
}

// Cells returns the cells added so far, not a copy.
func (t *Texts) Cells() []string { return t.cells }

// Take hands the cells over and forgets them, but for what [Texts.Kind] has to know of them:
// a column that is read in blocks is decided by all of its cells. missing marks those without
// a value.
func (t *Texts) Take(missing []bool) []string {
	t.taken.add(t.cells, missing)
	cells := t.cells
	t.cells = nil
	return cells
}

// Kind decides, and says why, between Categorical and Text for the cells whose missing mark is not
// set (missing may be nil) and those that were taken: a column is categorical if none of its cells
// is longer than 100 bytes and it has
//
//   - at most 20 distinct cells, at least one of which repeats, or
//   - at most 1000 distinct cells, each of which occurs 10 times on average.
//
// Cost: one pass over the distinct cells, and over the rows where some are missing.
func (t *Texts) Kind(missing []bool) (kind Kind, why string) {
	if missing == nil && t.taken.Levels == nil {
		return kindOf(len(t.cells), len(t.seen), t.long)
	}
	return t.Counts(missing).Kind()
}

// Counts are those of the cells whose missing mark is not set and those that were taken.
func (t *Texts) Counts(missing []bool) TextCounts {
	all := t.taken
	all.Levels, all.Long = maps.Clone(t.taken.Levels), t.long
	all.add(t.cells, missing)
	return all
}

// kindOf decides by the number of rows, that of different cells, and whether one is long.
func kindOf(rows, levels int, long bool) (kind Kind, why string) {
	why = fmt.Sprintf("it has %d distinct values in %d rows", levels, rows)
	if levels > levelLimit {
		why = fmt.Sprintf("it has more than %d distinct values in %d rows", levelLimit, rows)
	}
	few := levels <= fewLevels && levels < rows
	repeated := levels <= levelLimit && levels*levelRows <= rows
	switch {
	case long:
		return Text, fmt.Sprintf("it has values longer than %d bytes", levelBytes)
	case few || repeated:
		return Categorical, why
	}
	return Text, why
}

// Column returns the column of the cells, of which missing marks those without a value: numbers
// with a unit where all of them are amounts of one unit or dates, see [Measure], else categories or
// text by [Texts.Kind].
func (t *Texts) Column(name string, missing []bool) Column {
	out := Column{Name: name, Strings: t.cells, Missing: missing}
	measure := NewMeasure(0, 0)
	for i, text := range t.cells {
		if missing != nil && missing[i] {
			measure.Skip()
		} else if !measure.Add(text) {
			break
		}
	}
	numbers, unit, why := measure.Found()
	if unit != "" {
		out.Kind, out.Numbers, out.Unit = Numeric, numbers, unit
		return out
	}
	if out.Kind, out.Why = t.Kind(missing); why != "" {
		out.Kind, out.Why = Text, why
	}
	return out
}
