package record

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
)

// Language is the kernels on one type of cell and how a cell is read.
type Language struct {
	// Name is what a message calls a cell: "sequence", "graph".
	Name string
	// Read makes a point of the text of a cell.
	Read func(cell string) (any, error)
	// Fits makes a function that is shown the points of a column one by one and says which
	// cannot be compared with those before; nil: all can.
	Fits func() func(point any) error
	// Vectors returns the vectors that a point is made of, and that the kernel in an argument
	// compares; words such as median are computed of them. nil: it is not made of vectors.
	Vectors func(point any, argument string) [][]float64
	// Invent makes up a cell that resembles others, and has no part of any but letters. nil: there
	// is no way.
	Invent func(like []string, r *rand.Rand) (cell string, err error)
	// Remark is about points that the kernels treat in a way of their own; nil: there are none.
	Remark *Remark

	names   []string
	words   []expr.Name
	entries func(s Schema) map[string]expr.Entry[Record]
	refused map[string]string
}

// Remark is what a message says of the points of a column that Of finds, which follows "3 of 50
// rows, the first in row 7,".
type Remark struct {
	Of   func(point any) bool
	Says string
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

// apart returns the argument of a kernel that is one on points of another type, and its
// place among the arguments.
func apart(arguments []expr.Argument) (of expr.Argument, at int, ok bool) {
	at = slices.IndexFunc(arguments, func(a expr.Argument) bool { return a.Resolve != nil })
	if at < 0 {
		return of, at, false
	}
	return arguments[at], at, true
}

// furthest resolves a kernel on points of another type with the first dictionary that
// knows all of its names. Where none does, the error is of the one that understands most.
func furthest(n expr.Node, resolve []func(n expr.Node) (expr.Node, error)) (at int, resolved expr.Node, err error) {
	most := -1
	for i, r := range resolve {
		of, e := r(n)
		if e == nil {
			return i, of, nil
		}
		var place *expr.SyntaxError
		if errors.As(e, &place) && place.Offset > most || err == nil {
			at, err = i, e
			if place != nil {
				most = place.Offset
			}
		}
	}
	return at, n, err
}

// shared is the entry of a name that several languages have for kernels on other points, such
// as the elements of bags: it is that of the language which knows these.
func shared(entries []expr.Entry[Record]) expr.Entry[Record] {
	e := entries[0]
	of, at, _ := apart(e.Arguments)
	choose := func(n expr.Node) (int, expr.Node, error) {
		resolve := make([]func(n expr.Node) (expr.Node, error), len(entries))
		for i := range entries {
			resolve[i] = entries[i].Arguments[at].Resolve
		}
		return furthest(n, resolve)
	}
	of.Resolve = func(n expr.Node) (expr.Node, error) {
		_, resolved, err := choose(n)
		return resolved, err
	}
	e.Arguments = slices.Clone(e.Arguments)
	e.Arguments[at] = of
	e.Build = func(a *expr.Args) (kernel.Kernel[Record], error) {
		n, _ := a.Node(of.Name)
		i, _, err := choose(n)
		if err != nil {
			return nil, err
		}
		return entries[i].Build(a)
	}
	return e
}

// Words returns the language's kernels in alphabetical order, for help and completion.
func (l Language) Words() []expr.Name { return l.words }

// unplaced is a part that does not know its column yet.
type unplaced[T any] struct {
	Part[T]
	language string
}

// place puts the part on the column that the patterns name; without patterns on the
// only one that its language reads, of several on the one with the name of the language, and
// else nowhere yet.
func (u unplaced[T]) place(s Schema, patterns []string) (kernel.Kernel[Record], error) {
	var own []int
	var names []string
	for i, slot := range s.Slots {
		if slot.Language == u.language {
			own, names = append(own, i), append(names, slot.Column)
		}
	}
	if patterns == nil {
		at := slices.Index(names, u.language)
		if len(own) == 1 {
			at = 0
		}
		if at < 0 {
			return u, nil
		}
		return onCell(u.Of, own[at], names[at]), nil
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
