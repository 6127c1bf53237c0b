package expr

import (
	"slices"
	"strconv"
)

// Placeholder is an argument written as a bare word: "?" for a parameter to be tuned,
// or a word such as median for a number computed from data. A word that an entry
// takes as a word (a choice) looks the same: only its dictionary can tell.
type Placeholder struct {
	// Name is unique in the expression: the argument's name, numbered in the order of
	// writing where several share it: "sigma", or "sigma#1" and "sigma#2".
	Name     string
	Kernel   string   // name of the call it belongs to
	Argument string   // name of the argument; empty for a positional one before [Resolve]
	Word     string   // "?", "median", …
	Columns  []string // columns in force there, patterns as written; nil: all
	// Numbers are the arguments of the same call that are written as numbers, by name; nil: none.
	Numbers map[string]float64
	// Apart is the argument whose kernel, of which this is a part, compares points of another type
	// (see [Argument]); "" where all compare the same. Within are the columns in force where those
	// begin. Only [Resolve] can tell.
	Apart  string
	Within []string
	// Single says that the kernel compares one column at a time. Only [Resolve] can tell.
	Single bool
	Pos    int // byte offset in the text
}

// Placeholders returns the placeholders of an expression in the order of writing.
func (n Node) Placeholders() []Placeholder {
	var found []Placeholder
	n.visit(scope{}, func(p Placeholder) []float64 {
		found = append(found, p)
		return nil
	})
	numberNames(found)
	return found
}

// numberNames makes the names unique.
func numberNames(found []Placeholder) {
	count, seen := map[string]int{}, map[string]int{}
	for _, p := range found {
		count[p.Argument]++
	}
	for i := range found {
		p := &found[i]
		p.Name = p.Argument
		if count[p.Argument] > 1 {
			seen[p.Argument]++
			p.Name += "#" + strconv.Itoa(seen[p.Argument])
		}
	}
}

// Fill returns the expression with numbers in place of placeholders; the receiver is
// not changed. The function is called for every placeholder in the order of writing
// and returns its number, or a list of several; nil leaves the placeholder.
func (n Node) Fill(numbers func(Placeholder) []float64) Node {
	found, next := n.Placeholders(), 0
	return n.visit(scope{}, func(Placeholder) []float64 {
		next++
		return numbers(found[next-1])
	})
}

// scope is what is known of a place in an expression.
type scope struct {
	columns []string
	apart   string
	within  []string
	single  bool
}

// numbers returns the arguments that are written as numbers.
func (n Node) numbers() map[string]float64 {
	var found map[string]float64
	for _, a := range n.Args {
		if a.Kind == NumberArg {
			if found == nil {
				found = map[string]float64{}
			}
			found[a.Name] = a.Number
		}
	}
	return found
}

// visit copies n, replacing the placeholders for which fill returns numbers.
func (n Node) visit(at scope, fill func(Placeholder) []float64) Node {
	if n.Columns != nil {
		at.columns = n.Columns
	}
	n.Terms = slices.Clone(n.Terms)
	for i, term := range n.Terms {
		n.Terms[i] = term.visit(at, fill)
	}
	n.Args = slices.Clone(n.Args)
	for i := range n.Args {
		a := &n.Args[i]
		if a.Kernel != nil {
			inner := at
			if a.Apart {
				inner = scope{apart: a.Name, within: at.columns}
			}
			inner.single = inner.single || a.Single
			part := a.Kernel.visit(inner, fill)
			a.Kernel = &part
		}
		if a.Kind != WordArg {
			continue
		}
		v := fill(Placeholder{Kernel: n.Name, Argument: a.Name, Word: a.Text, Columns: at.columns, Numbers: n.numbers(), Apart: at.apart, Within: at.within, Single: at.single, Pos: a.Pos})
		switch len(v) {
		case 0:
		case 1:
			a.Kind, a.Number, a.Text = NumberArg, v[0], ""
		default:
			a.Kind, a.List, a.Text = ListArg, slices.Clone(v), ""
		}
	}
	return n
}
