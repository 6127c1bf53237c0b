package expr

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/data"
)

// Resolve checks every name of an expression against a dictionary and returns the
// expression with all arguments named and of the kind that their entry wants.
// Placeholders stay. The error is a [*SyntaxError] and carries a suggestion where a
// known name is near.
func Resolve[T any](n Node, d Dictionary[T]) (Node, error) {
	r := resolver[T]{d: d, algebra: algebra(d), text: n.Text}
	out, err := r.node(n)
	return out, inText(err, n)
}

// inText completes a syntax error with the text that its offset refers to.
func inText(err error, root Node) error {
	var s *SyntaxError
	if !errors.As(err, &s) || s.Text != "" {
		return err
	}
	placed := *s
	if placed.Text = root.Text; root.Text == "" { // a tree that was never a text
		placed.Text, placed.Offset = root.String(), -1
	}
	return &placed
}

// at returns an error at a byte offset of a text that is filled in later.
func at(pos int, format string, values ...any) error {
	return &SyntaxError{Offset: pos, Msg: fmt.Sprintf(format, values...)}
}

// resolver looks names up.
type resolver[T any] struct {
	d       Dictionary[T]
	algebra map[string]Entry[T]
	text    string // of the whole expression
}

// canonical returns the name of a kernel for a synonym of it, and any other word as it is.
func (r *resolver[T]) canonical(word string) string {
	if _, ok := r.d.Kernels[word]; ok {
		return word
	}
	for name, e := range r.d.Kernels {
		if slices.Contains(e.Synonyms, word) {
			return name
		}
	}
	return word
}

// entry returns the entry of a call.
func (r *resolver[T]) entry(n Node) (Entry[T], error) {
	if e, ok := r.algebra[n.Name]; ok {
		return e, nil
	}
	if e, ok := r.d.Kernels[n.Name]; ok {
		return e, nil
	}
	if reason, ok := r.d.Refused[n.Name]; ok {
		return Entry[T]{}, at(n.Pos, "%s is refused: %s", n.Name, reason)
	}
	if operator, ok := operators[n.Name]; ok {
		return Entry[T]{}, at(n.Pos, "unknown kernel %s: write %s", data.Quote(n.Name), operator)
	}
	return Entry[T]{}, at(n.Pos, "unknown kernel %s%s", data.Quote(n.Name), r.meant(n.Name))
}

// meant suggests the kernel that a name may have meant, with others on the same points where these
// are not those of the dictionary; or it lists all.
func (r *resolver[T]) meant(name string) string {
	known := sortedKeys(r.algebra, r.d.Kernels)
	near, all := known[:len(known):len(known)], "; known are "+strings.Join(known, ", ")
	for _, f := range r.d.Elsewhere {
		near = append(near, f.Names...)
		all += "; on " + f.Points + ": " + strings.Join(f.Names, ", ")
	}
	hint := Suggest(name, near)
	if hint == "" {
		return all
	}
	for _, f := range r.d.Elsewhere {
		if Suggest(name, f.Names) == hint && Suggest(name, known) != hint {
			return fmt.Sprintf("%s Kernels on %s are %s", hint, f.Points, strings.Join(f.Names, ", "))
		}
	}
	return hint
}

// operators are names that are often tried for what is written in another way.
var operators = map[string]string{
	"sum": "a + b", "add": "a + b", "plus": "a + b",
	"product": "a*b", "prod": "a*b", "times": "a*b", "tensor": "a*b",
	"scale": "0.5*k", "scaled": "0.5*k", "constant": "the number itself, as in 1 + k",
	"power": "k^2", "pow": "k^2",
	"auto": "a kernel; mercer auto, and mercer tune with --kernel auto, search for one",
}

// node resolves a node and everything below it into a copy.
func (r *resolver[T]) node(n Node) (Node, error) {
	if n.Op == Power && len(n.Terms) != 1 {
		return n, at(n.Pos, "a power needs one kernel, not %d", len(n.Terms))
	}
	n.Terms = slices.Clone(n.Terms)
	for i, term := range n.Terms {
		resolved, err := r.node(term)
		if err != nil {
			return n, err
		}
		n.Terms[i] = resolved
	}
	if n.Op != Call {
		return n, nil
	}
	n.Name = r.canonical(n.Name)
	e, err := r.entry(n)
	if err != nil {
		return n, err
	}
	n.Args = slices.Clone(n.Args)
	for i := range n.Args {
		if err := r.arg(n, i, e.Arguments); err != nil {
			return n, err
		}
	}
	return n, missing(n, e.Arguments)
}

// arg resolves argument i of a call in place.
func (r *resolver[T]) arg(n Node, i int, known []Argument) error {
	a := &n.Args[i]
	if a.Name == "" {
		if i >= len(known) {
			return at(a.Pos, "%s takes %s", n.Name, signature(known))
		}
		a.Name = known[i].Name
	}
	k := slices.IndexFunc(known, func(k Argument) bool { return k.called(a.Name) })
	if k < 0 {
		return at(a.Pos, "%s has no argument %s%s", n.Name, data.Quote(a.Name), unknownArgument(n, a.Name, known))
	}
	a.Name = known[k].Name
	if slices.ContainsFunc(n.Args[:i], func(b Arg) bool { return b.Name == a.Name }) {
		return at(a.Pos, "%s gets the argument %s twice", n.Name, a.Name)
	}
	if !a.become(known[k].Kind) {
		return at(a.Pos, "%s: %s must be %s, not %s", n.Name, a.Name, wanted[known[k].Kind], a.described())
	}
	if a.Kernel == nil {
		return nil
	}
	a.Single = known[k].Single
	resolve := r.node
	if a.Apart = known[k].Resolve != nil; a.Apart {
		resolve = func(of Node) (Node, error) {
			of.Text = r.text
			return known[k].Resolve(of)
		}
	}
	of, err := resolve(*a.Kernel)
	a.Kernel = &of
	return err
}

// called reports whether the argument has the name, in any spelling.
func (k Argument) called(name string) bool { return k.Name == name || slices.Contains(k.Also, name) }

// unknownArgument suggests what was meant.
func unknownArgument(n Node, name string, known []Argument) string {
	names := argumentNames(known)
	if hint := Suggest(name, names); hint != "" {
		return hint
	}
	return ": it takes " + signature(known)
}

// signature lists the accepted arguments.
func signature(known []Argument) string {
	if len(known) == 0 {
		return "no arguments"
	}
	return strings.Join(argumentNames(known), ", ")
}

func argumentNames(known []Argument) []string {
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = k.Name
	}
	return names
}

// missing reports a call without any of its required arguments.
func missing(n Node, known []Argument) error {
	var required []string
	hint := ""
	for _, k := range known {
		if k.Default != "" {
			continue
		}
		if slices.ContainsFunc(n.Args, func(a Arg) bool { return a.Name == k.Name }) {
			return nil
		}
		if required = append(required, k.Name); hint == "" && k.Guess != "" {
			hint = fmt.Sprintf(", such as %s(%s=%s), or %[1]s(%[2]s=?) for tune to find it", n.Name, k.Name, k.Guess)
		}
	}
	if required == nil {
		return nil
	}
	return at(n.Pos, "%s needs the argument %s%s", n.Name, choices(required), hint)
}

// become turns the argument into the wanted kind where that loses nothing, and
// reports whether it fits. A word fits a number, which it is a placeholder for.
func (a *Arg) become(kind ArgKind) bool {
	switch kind {
	case NumberArg:
		return a.Kind == NumberArg || a.Kind == WordArg
	case ListArg:
		return a.Kind == NumberArg || a.Kind == ListArg || a.Kind == WordArg
	case StringArg, WordArg:
		return a.Kind == StringArg || a.Kind == WordArg && a.Text != "?"
	}
	switch {
	case a.Kind == NumberArg:
		a.Kernel = &Node{Op: Number, Value: a.Number, Pos: a.Pos}
	case a.Kind == WordArg && a.Text != "?":
		a.Kernel = &Node{Op: Call, Name: a.Text, Pos: a.Pos}
	}
	if a.Kernel == nil {
		return false
	}
	a.Kind = KernelArg
	return true
}

// wanted names the kinds of arguments.
var wanted = map[ArgKind]string{
	NumberArg: "a number", StringArg: "a text in quotes", ListArg: "a number or a list of numbers such as [1, 0.5]",
	WordArg: "a word", KernelArg: "a kernel",
}

// described names what was written.
func (a *Arg) described() string {
	switch a.Kind {
	case ListArg:
		return "a list"
	case StringArg:
		return "a text"
	case KernelArg:
		return "a kernel"
	}
	return a.String()
}
