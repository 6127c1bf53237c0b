package expr

import "slices"

// Unscaled is a kernel of an expression that compares numbers as a table writes them: moved
// to mean 0 they would be no bits, counts or amounts any more.
type Unscaled struct {
	Kernel  string
	Why     string   // what the numbers are, as in [Entry].AsWritten
	Columns []string // the patterns of the columns in force; nil: all
}

// AsWritten returns the kernels of an expression whose entry says that they compare numbers
// as they are written, in the order of the text. Names that the dictionary does not know, and
// kernels on points of other types, are passed over.
func AsWritten[T any](n Node, d Dictionary[T]) []Unscaled {
	return unscaled(n, resolver[T]{d: d, algebra: algebra(d)}, nil)
}

func unscaled[T any](n Node, r resolver[T], columns []string) []Unscaled {
	if n.Columns != nil {
		columns = n.Columns
	}
	var found []Unscaled
	for _, term := range n.Terms {
		found = append(found, unscaled(term, r, columns)...)
	}
	if n.Op != Call {
		return found
	}
	e, err := r.entry(n)
	if err != nil {
		return found
	}
	if e.AsWritten != "" {
		found = append(found, Unscaled{n.Name, e.AsWritten, columns})
	}
	for i, a := range n.Args {
		known := slices.IndexFunc(e.Arguments, func(k Argument) bool { return k.called(a.Name) })
		if a.Name == "" {
			known = i
		}
		if known < 0 || known >= len(e.Arguments) || e.Arguments[known].Kind != KernelArg || e.Arguments[known].Resolve != nil {
			continue
		}
		if a.become(KernelArg) {
			found = append(found, unscaled(*a.Kernel, r, columns)...)
		}
	}
	return found
}
