package expr

import "iter"

// Op is the kind of a syntax node.
type Op int

const (
	Number  Op = iota // Value
	Call              // Name, Args
	Sum               // Terms
	Product           // Terms
	Power             // Terms[0] ^ Value
)

// Node is one node of a parsed expression. It is plain data without closures, so it
// can be printed, compared, stored and sent.
type Node struct {
	Op      Op
	Value   float64
	Name    string
	Args    []Arg
	Terms   []Node
	Columns []string // selected columns, patterns as written; nil: all that are in force

	// For messages only: the source text (of the root), and where the node and its
	// selection begin in it, in bytes.
	Text            string
	Pos, ColumnsPos int
}

// all yields the node and every node below it, in the order in which they are
// written.
func (n Node) all() iter.Seq[Node] {
	return func(yield func(Node) bool) { n.walk(yield) }
}

func (n Node) walk(yield func(Node) bool) bool {
	if !yield(n) {
		return false
	}
	for _, term := range n.Terms {
		if !term.walk(yield) {
			return false
		}
	}
	for _, a := range n.Args {
		if a.Kernel != nil && !a.Kernel.walk(yield) {
			return false
		}
	}
	return true
}

// ArgKind is the type of an argument.
type ArgKind int

const (
	NumberArg ArgKind = iota // Number
	StringArg                // Text, written in quotes
	ListArg                  // List
	WordArg                  // Text: a bare word such as median, or "?"
	KernelArg                // Kernel
)

// Arg is one argument of a call. Name is empty for a positional argument.
type Arg struct {
	Name   string
	Kind   ArgKind
	Number float64
	Text   string
	List   []float64
	Kernel *Node
	Pos    int
}
