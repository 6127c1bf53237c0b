package prep

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Form says what one cell of a target holds.
type Form string

const (
	// One is a number or one label.
	One Form = ""
	// Set is any of the labels of the target, in any order: "a|c". The empty set is "{}",
	// since an empty cell is a missing one.
	Set Form = "set"
	// Ranking is all items of the target, the first before the others: "b>a>c".
	Ranking Form = "ranking"
	// Sequence is a line of labels, as many in every row: "A B B".
	Sequence Form = "sequence"
)

// Forms are those of answers with parts.
var Forms = []Form{Set, Ranking, Sequence}

// emptySet is how a set without labels is written.
const emptySet = "{}"

// split returns the parts of a cell, in order.
func (f Form) split(cell string) []string {
	switch f {
	case Sequence:
		return strings.Fields(cell)
	case Set:
		if strings.TrimSpace(cell) == emptySet {
			return nil
		}
	}
	parts := strings.Split(cell, f.separator())
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// part says what an answer is put together from.
func (f Form) part() string {
	if f == Ranking {
		return "item"
	}
	return "label"
}

func (f Form) separator() string {
	return map[Form]string{Set: "|", Ranking: ">", Sequence: " "}[f]
}

// parts stores the codes of an answer, one per output of the target: of a set 1 for
// every label in it and 0 for the others, of a ranking the rank of every item from 0, of
// a sequence the number of the label at every place. The reason says why the cell is no
// answer, "" if it is one.
func (t Target) parts(dst []float64, cell string) (reason string) {
	parts := t.Form.split(cell)
	if t.Form == Sequence && len(parts) != t.Length {
		return fmt.Sprintf("has %s, and other rows have %d", count(len(parts), "label"), t.Length)
	}
	clear(dst)
	seen := make([]bool, len(t.Items))
	for place, part := range parts {
		item, known := slices.BinarySearch(t.Items, part)
		switch {
		case part == "":
			return fmt.Sprintf("has nothing between two %q", t.Form.separator())
		case !known:
			return fmt.Sprintf("holds %q, which was not seen in training", part)
		case t.Form != Sequence && seen[item]:
			return fmt.Sprintf("holds %q twice", part)
		}
		seen[item] = true
		switch t.Form {
		case Set:
			dst[item] = 1
		case Ranking:
			dst[item] = float64(place)
		case Sequence:
			dst[place] = float64(item)
		}
	}
	if t.Form == Ranking {
		if at := slices.Index(seen, false); at >= 0 {
			return fmt.Sprintf("ranks %d of the %d items: %q is not among them", len(parts), len(t.Items), t.Items[at])
		}
	}
	return ""
}

// FormatCell writes the codes of an answer as a cell does; see [Form]. It returns "" for a
// target with one label or number in a cell.
func (t Target) FormatCell(codes []float64) string {
	var parts []string
	switch t.Form {
	case Set:
		for item, in := range codes {
			if in != 0 {
				parts = append(parts, t.Items[item])
			}
		}
		if parts == nil {
			return emptySet
		}
	case Ranking:
		parts = make([]string, len(codes))
		for item, rank := range codes {
			parts[int(rank)] = t.Items[item]
		}
	case Sequence:
		for _, item := range codes {
			parts = append(parts, t.Items[int(item)])
		}
	default:
		return ""
	}
	return strings.Join(parts, t.Form.separator())
}

// places names the outputs of an answer: its labels or items, or its places from 1.
func (t Target) places() []string {
	if t.Form != Sequence {
		return t.Items
	}
	names := make([]string, t.Length)
	for i := range names {
		names[i] = strconv.Itoa(i + 1)
	}
	return names
}

// structuredFit learns the labels or items that the cells of a target are made of.
type structuredFit struct {
	Form          Form
	Rows, Longest int
	Length        int // of the answer in the first row, a sequence
	Seen          map[string]float64
}

func (l *structuredFit) begin() columnFit {
	return &structuredFit{Form: l.Form, Seen: map[string]float64{}}
}

func (l *structuredFit) observe(from cells, rows []int, _ []float64) error {
	for _, row := range rows {
		parts := l.Form.split(from.level(row))
		l.Longest = max(l.Longest, len(parts))
		for _, part := range parts {
			if part != "" {
				l.Seen[part]++
			}
		}
		if l.Rows == 0 && l.Form == Sequence {
			l.Length = len(parts)
		}
		l.Rows++
	}
	return nil
}

func (l *structuredFit) more() bool { return false }

func (l *structuredFit) scale(int) {} // rows count alike

func (l *structuredFit) merge(next columnFit) {
	n := next.(*structuredFit)
	if l.Rows == 0 {
		l.Length = n.Length
	}
	l.Rows, l.Longest = l.Rows+n.Rows, max(l.Longest, n.Longest)
	l.Seen = addAll(l.Seen, n.Seen)
}

func (l *structuredFit) finish(p *Pipeline, s *source, j int) (note string, err error) {
	c, from := &p.columns[j], s.schema(j)
	c.Levels, c.Length = sortedKeys(l.Seen), l.Length
	if len(c.Levels) < 2 {
		return "", from.failColumn(fmt.Sprintf("is a target of the form %s with %s", c.Form, count(len(c.Levels), c.Form.part())),
			fmt.Sprintf("an answer is put together from two or more, with %q between them", c.Form.separator()))
	}
	note = fmt.Sprintf("target %s is a %s of %s, %q to %q", c.Name, c.Form, count(len(c.Levels), c.Form.part()), c.Levels[0], c.Levels[len(c.Levels)-1])
	switch {
	case c.Form == Sequence:
		note += fmt.Sprintf(", %d in line", c.Length)
	case c.Form == Set && l.Longest < 2:
		note += fmt.Sprintf("; no row has two (with %q between them), and a method for classes would do", c.Form.separator())
	}
	return note, nil
}
