package expr

import "example.org/mercer/kernel"

// Dictionary says what the names of an expression mean for points of type T. It is
// a value that the caller owns and may extend. The algebra (normalize, exp, …) is
// known for every T and need not be listed.
type Dictionary[T any] struct {
	Kernels map[string]Entry[T]
	// Select restricts a kernel to the columns that match the patterns; nil where
	// points have no columns.
	Select func(k kernel.Kernel[T], patterns []string) (kernel.Kernel[T], error)
	// Function compiles the text of a function of one point, as in
	// conform(of=k, by="1 + x"); nil where there is none.
	Function func(text string) (kernel.Function[T], error)
	// Map compiles the text of a map of points to points, as in
	// compose(of=k, map="log(x)"); nil where there is none.
	Map func(text string) (func(x T) T, error)
	// Indefinite allows negative factors and constants, which leave the positive
	// definite kernels; without it they are errors.
	Indefinite bool
	// Refused maps names that are refused to the reason and the right names:
	// "laplacian" is ambiguous between laplace and laplace1.
	Refused map[string]string
	// Elsewhere lists kernels on points of other types, which a name that is not known may
	// have meant.
	Elsewhere []Family
}

// Family are the names of the kernels on points of one type.
type Family struct {
	Points string // sequences, graphs, …
	Names  []string
}

// Entry is one kernel of a dictionary. Arguments lists the accepted arguments, in
// the order in which positional ones are taken; any other is an error with its
// column and, where one is near, a suggestion.
type Entry[T any] struct {
	Synonyms  []string // other names, which become this one
	Arguments []Argument
	Summary   string // one line for help and completion
	// AsWritten says what the numbers are that the kernel compares, where they mean something only
	// as they are written, such as "counts"; "": they may be moved and scaled. See [AsWritten].
	AsWritten string
	Build     func(a *Args) (kernel.Kernel[T], error)

	// distributes says that a selection of columns may be given to the arguments
	// instead, so that it ends at the kernels that read the columns.
	distributes bool
}

// Argument documents one accepted argument.
type Argument struct {
	Name string  `json:"name"`
	Kind ArgKind `json:"kind"`
	// Also are other spellings of the name, such as its Greek letter; expressions are printed with
	// the name.
	Also    []string `json:"also,omitempty"`
	Default string   `json:"default,omitempty"` // as it would be written; empty: required, or one of several of which one is
	Help    string   `json:"help,omitempty"`
	// Guess is a word that stands for a number found from data, for whoever leaves out the
	// argument.
	Guess string `json:"-"`
	// Below bounds the values of a positive argument in a search, which starts at half of it;
	// 0: nothing does.
	Below float64 `json:"-"`
	// Single says that a kernel argument compares one column of the points at a time.
	Single bool `json:"-"`
	// Resolve makes a kernel argument one on points of another type, such as the elements
	// of a set: it is [Resolve] with their dictionary, and Build finds the kernel by
	// [Args.Node]. nil: the kernel compares the same points.
	Resolve func(n Node) (Node, error) `json:"-"`
}
