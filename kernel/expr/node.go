package expr

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

// ArgKind is the type of an argument.
type ArgKind int

const (
	NumberArg ArgKind = iota // Number
	StringArg                // Text, written in quotes
	ListArg                  // List
	WordArg                  // Text: a bare word such as median, or "?"
	KernelArg                // Kernel
)

// MarshalText writes the kind as a word.
func (k ArgKind) MarshalText() ([]byte, error) {
	words := map[ArgKind]string{NumberArg: "number", StringArg: "text", ListArg: "list", WordArg: "word", KernelArg: "kernel"}
	return []byte(words[k]), nil
}

// Arg is one argument of a call. Name is empty for a positional argument.
type Arg struct {
	Name   string
	Kind   ArgKind
	Number float64
	Text   string
	List   []float64
	Kernel *Node
	// Apart says that the kernel is one on points of another type: set by [Resolve].
	Apart bool
	// Single says that the kernel compares one column at a time: set by [Resolve].
	Single bool
	Pos    int
}
