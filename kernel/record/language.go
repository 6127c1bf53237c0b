package record

import (
	"fmt"
	"slices"
	"strings"

	"mercer/kernel"
	"mercer/kernel/expr"
)

// Language is the kernels on one type of cell and how a cell is read.
type Language struct {
	// Name is what a message calls a cell: "sequence", "graph".
	Name string
	// Read makes a point of the text of a cell.
	Read func(cell string) (any, error)

	names   []string
	words   []expr.Name
	entries func(s Schema) map[string]expr.Entry[Record]
	refused map[string]string
}

// Of returns the language of the kernels of a dictionary, on cells that read makes points
// of. Its selections of columns are the schema's; functions and maps of one point have
// no place in it.
func Of[T any](name string, d expr.Dictionary[T], read func(cell string) (T, error)) Language {
	l := Language{Name: name, refused: d.Refused, Read: func(cell string) (any, error) { return read(cell) }}
	for word := range d.Kernels {
		l.names = append(l.names, word)
	}
	slices.Sort(l.names)
	for _, word := range l.names {
		l.words = append(l.words, expr.Name{Name: word, Summary: d.Kernels[word].Summary, Arguments: d.Kernels[word].Arguments})
	}
	l.entries = func(s Schema) map[string]expr.Entry[Record] {
		out := map[string]expr.Entry[Record]{}
		for word, e := range d.Kernels {
			out[word] = expr.Entry[Record]{Arguments: e.Arguments, Summary: e.Summary, Build: func(a *expr.Args) (kernel.Kernel[Record], error) {
				k, err := e.Build(a)
				if err != nil {
					return nil, err
				}
				return unplaced[T]{onCell(k, -1, "?"), name}.place(s, nil)
			}}
		}
		return out
	}
	return l
}

// Words returns the language's kernels in alphabetical order, for help and completion.
func (l Language) Words() []expr.Name { return l.words }

// speaks reports whether a name is one of the language's kernels.
func (l Language) speaks(name string) bool { return slices.Contains(l.names, name) }

// unplaced is a part that does not know its column yet.
type unplaced[T any] struct {
	Part[T]
	language string
}

// place puts the part on the column that the patterns name; without patterns on the
// only one that its language reads, and nowhere yet if there are several.
func (u unplaced[T]) place(s Schema, patterns []string) (kernel.Kernel[Record], error) {
	var own []int
	var names []string
	for i, slot := range s.Slots {
		if slot.Language == u.language {
			own, names = append(own, i), append(names, slot.Column)
		}
	}
	if patterns == nil {
		if len(own) == 1 {
			return onCell(u.Of, own[0], names[0]), nil
		}
		return u, nil
	}
	if len(patterns) == 1 {
		if at := slices.Index(names, patterns[0]); at >= 0 {
			return onCell(u.Of, own[at], names[at]), nil
		}
	}
	return nil, fmt.Errorf("%s compares one %s, and %s is selected; the columns with one are %s", u.Of, u.language, expr.FormatColumns(patterns), strings.Join(names, ", "))
}

func (u unplaced[T]) restrict(s Schema, patterns []string) (kernel.Kernel[Record], error) {
	return u.place(s, patterns)
}

// restrict puts a part that found the only column of its language on the selected one,
// which must be the same.
func (k Part[T]) restrict(s Schema, patterns []string) (kernel.Kernel[Record], error) {
	return unplaced[T]{k, s.Slots[k.Slot].Language}.place(s, patterns)
}
