package data

import (
	"fmt"
	"strings"
)

// SettledNumbers is the number of numbers after which a column of a text table is numeric for
// good: a word below them is an error.
const SettledNumbers = 1000

// FirstText is the first cell of a column that is no number.
type FirstText struct {
	Line   int    // of it; 0: it is not known by lines
	Why    string // says what it holds, and where, if Line does not
	Before int    // numbers above it
}

// String says where it is and what it holds.
func (f FirstText) String() string {
	if f.Line == 0 {
		return f.Why
	}
	return fmt.Sprintf("line %d %s", f.Line, f.Why)
}

// Tally is what some cells of a column say of its kind. Those of all parts of a file decide
// together, see [Tally.Merge].
type Tally struct {
	Numbers int        // cells that are numbers
	Words   int        // those that are not, and not missing
	Commas  int        // of the words, numbers but for a decimal comma
	First   FirstText  // of the words; zero where there is none, or one above is known
	Counts  TextCounts // of a column of strings
}

// Merge adds the cells of the next part of a file, in front of which there are some lines.
func (t *Tally) Merge(next Tally, lines int) {
	if t.First == (FirstText{}) && next.First != (FirstText{}) {
		t.First = next.First
		t.First.Before += t.Numbers
		if t.First.Line > 0 {
			t.First.Line += lines
		}
	}
	t.Numbers, t.Words, t.Commas = t.Numbers+next.Numbers, t.Words+next.Words, t.Commas+next.Commas
	t.Counts.Merge(next.Counts)
}

// Kind decides, and says why, between categories and text. A column with more numbers than words,
// those with a decimal comma among the numbers, is text, so that a slip in a column of numbers
// never makes thousands of categories; the others are decided by [TextCounts.Kind].
func (t *Tally) Kind() (kind Kind, why string) {
	if t.Numbers+t.Commas <= t.Words-t.Commas {
		return t.Counts.Kind()
	}
	if t.Words > 1 {
		return Text, fmt.Sprintf("%v and %d of its %d cells are no numbers", t.First, t.Words, t.Words+t.Numbers)
	}
	return Text, strings.TrimSuffix(t.First.String(), ",")
}

// PartTally is what a part of a file says of all of it.
type PartTally struct {
	Lines   int // of the part
	Columns []Tally
}
