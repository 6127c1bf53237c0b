package record

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
)

// Schema says what the parts of a record are.
type Schema struct {
	Numbers vec.Schema
	Slots   []Slot
}

// Slot is a cell: the column of the table that it comes from ("": one without a name), and the
// name of the [Language] that reads it. A column that two languages read has two slots.
type Slot struct {
	Column   string `json:"column"`
	Language string `json:"language"`
}

// restrictable is a kernel on a part that a selection of columns can move.
type restrictable interface {
	restrict(s Schema, patterns []string) (kernel.Kernel[Record], error)
}

// Dictionary returns the kernels on records of a schema: those of package vec on its
// numbers, and those of the languages on its cells. A name that two of them know is an
// error, unless both mean kernels on other points, such as the elements of bags: then
// it is that of the language whose dictionary knows these.
func Dictionary(s Schema, languages ...Language) (expr.Dictionary[Record], error) {
	numbers := vec.Dictionary(s.Numbers)
	d := expr.Dictionary[Record]{Kernels: map[string]expr.Entry[Record]{}, Refused: maps.Clone(numbers.Refused), Select: s.restrict}
	for word, e := range numbers.Kernels {
		d.Kernels[word] = expr.Entry[Record]{Arguments: e.Arguments, Summary: e.Summary, Build: func(a *expr.Args) (kernel.Kernel[Record], error) {
			a, err := expr.Rebuilt(a, numbers)
			if err != nil {
				return nil, err
			}
			k, err := e.Build(a)
			if err != nil {
				return nil, err
			}
			return onNumbers(k), nil
		}}
	}
	alternatives := map[string][]expr.Entry[Record]{}
	for _, l := range languages {
		for word, e := range l.entries(s) {
			_, taken := d.Kernels[word]
			_, _, elsewhere := apart(e.Arguments)
			if known := alternatives[word]; taken && (!elsewhere || known == nil) {
				return d, fmt.Errorf("record: two languages have a kernel called %s, one of them for a %s", word, l.Name)
			}
			d.Kernels[word] = e
			if elsewhere {
				alternatives[word] = append(alternatives[word], e)
			}
		}
		maps.Copy(d.Refused, l.refused)
	}
	for word, entries := range alternatives {
		if len(entries) > 1 {
			d.Kernels[word] = shared(entries)
		}
	}
	return d, nil
}

// restrict selects columns for a kernel on one part.
func (s Schema) restrict(k kernel.Kernel[Record], patterns []string) (kernel.Kernel[Record], error) {
	part, ok := k.(restrictable)
	if !ok {
		return nil, fmt.Errorf("columns %s are selected for %s, which reads no column", expr.FormatColumns(patterns), k)
	}
	return part.restrict(s, patterns)
}

// Speaks reports whether an expression has a kernel of one of the languages.
func Speaks(n expr.Node, languages ...Language) bool {
	slots, err := Slots(n, nil, languages...)
	return err != nil || len(slots) > 0
}

// Slots returns the cells that the kernels of an expression compare, each once in the
// order of writing. A kernel without a selection compares the only one of the free
// columns; with several of them the one that has the name of what it compares ("sequence",
// "graph"), as the readers of such files call it. Else it is an error that says which there are.
func Slots(n expr.Node, free []string, languages ...Language) ([]Slot, error) {
	f := &finder{text: n.Text, free: free, languages: languages}
	err := f.node(n, nil)
	return f.slots, err
}

// finder collects slots.
type finder struct {
	text      string // of the whole expression
	free      []string
	languages []Language
	slots     []Slot
}

// node looks at n with the columns in force.
func (f *finder) node(n expr.Node, columns []string) error {
	if n.Columns != nil {
		columns = n.Columns
	}
	if n.Op == expr.Call {
		if l, ok := f.language(n); ok {
			return f.add(n, l.Name, columns)
		}
	}
	for _, term := range n.Terms {
		if err := f.node(term, columns); err != nil {
			return err
		}
	}
	for _, a := range n.Args {
		if a.Kernel == nil {
			continue
		}
		if err := f.node(*a.Kernel, columns); err != nil {
			return err
		}
	}
	return nil
}

// language returns the language of a call. Where several have the name, it is the one that
// knows the kernel on other points.
func (f *finder) language(n expr.Node) (l Language, ok bool) {
	var speakers []Language
	var resolve []func(n expr.Node) (expr.Node, error)
	var given *expr.Node
	for _, l := range f.languages {
		at := slices.Index(l.names, n.Name)
		if at < 0 {
			continue
		}
		speakers = append(speakers, l)
		if of, place, ok := apart(l.words[at].Arguments); ok {
			resolve = append(resolve, of.Resolve)
			for i, a := range n.Args {
				if a.Name == of.Name || a.Name == "" && i == place {
					if given = a.Kernel; given == nil { // a bare name, which might have been a word
						given = &expr.Node{Op: expr.Call, Name: a.Text, Pos: a.Pos}
					}
				}
			}
		}
	}
	if len(speakers) < 2 || given == nil {
		return first(speakers)
	}
	of := *given
	of.Text = f.text
	at, _, _ := furthest(of, resolve)
	return speakers[at], true
}

func first(speakers []Language) (l Language, ok bool) {
	if len(speakers) == 0 {
		return l, false
	}
	return speakers[0], true
}

// add notes the cell that a kernel of a language compares.
func (f *finder) add(n expr.Node, language string, columns []string) error {
	if columns == nil {
		columns = f.free
		if slices.Contains(columns, language) {
			columns = []string{language}
		}
	}
	if len(columns) != 1 {
		fix := "the table has no free column of text; name one in brackets, " + n.Name + "(…)[column]"
		if len(columns) > 1 {
			fix = "say which in brackets, such as " + n.Name + "(…)[" + columns[0] + "]; there are " + strings.Join(columns, ", ")
		}
		return &expr.SyntaxError{Text: f.text, Offset: n.Pos, Msg: fmt.Sprintf("%s compares one %s of each row: %s", n.Name, language, fix)}
	}
	slot := Slot{Column: columns[0], Language: language}
	if !slices.Contains(f.slots, slot) {
		f.slots = append(f.slots, slot)
	}
	return nil
}
