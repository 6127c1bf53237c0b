package expr

import (
	"errors"
	"math"

	"example.org/mercer/kernel"
)

// Build turns an expression into a kernel with the names of a dictionary. Every
// placeholder must have been filled. Errors are [*SyntaxError], placed at the column
// of the text the node was parsed from.
//
// A selection of columns ends at the kernels that read them: (a + b)[age] is built as
// a[age] + b[age]. Numbers are constant kernels, and one in front of a product scales
// the rest.
func Build[T any](n Node, d Dictionary[T]) (kernel.Kernel[T], error) {
	r := resolver[T]{d: d, algebra: algebra(d), text: n.Text}
	resolved, err := r.node(n)
	if err != nil {
		return nil, inText(err, n)
	}
	k, err := (&builder[T]{r}).node(resolved, selected{})
	if err != nil {
		return nil, inText(err, n)
	}
	return k, nil
}

// ParseKernel is [Parse] followed by [Build].
func ParseKernel[T any](text string, d Dictionary[T]) (kernel.Kernel[T], error) {
	n, err := Parse(text)
	if err != nil {
		return nil, err
	}
	return Build(n, d)
}

// selected is the selection of columns in force, and where it was written.
type selected struct {
	patterns []string
	pos      int
}

// builder turns resolved nodes into kernels.
type builder[T any] struct{ resolver[T] }

// node builds n with the given columns in force.
func (b *builder[T]) node(n Node, columns selected) (kernel.Kernel[T], error) {
	if n.Columns != nil {
		if columns.patterns != nil {
			return nil, at(n.ColumnsPos, "columns %s are selected within the selection %s: select once", FormatColumns(n.Columns), FormatColumns(columns.patterns))
		}
		columns = selected{n.Columns, n.ColumnsPos}
	}
	switch n.Op {
	case Number:
		return kernel.Constant[T]{Value: n.Value}, b.sign(n)
	case Sum:
		terms, err := b.nodes(n.Terms, columns)
		return kernel.Sum[T]{Terms: terms}, err
	case Product:
		return b.product(n, columns)
	case Power:
		if n.Value != math.Trunc(n.Value) || n.Value < 0 || n.Value > math.MaxInt32 {
			return nil, at(n.Pos, "the power must be a whole number, 0 or more, not %v", n.Value)
		}
		of, err := b.node(n.Terms[0], columns)
		return kernel.Power[T]{Of: of, Degree: int(n.Value)}, err
	}
	return b.call(n, columns)
}

// nodes builds several nodes.
func (b *builder[T]) nodes(nodes []Node, columns selected) ([]kernel.Kernel[T], error) {
	kernels := make([]kernel.Kernel[T], len(nodes))
	for i, n := range nodes {
		k, err := b.node(n, columns)
		if err != nil {
			return nil, err
		}
		kernels[i] = k
	}
	return kernels, nil
}

// product builds a product: a number in front scales the product of the rest.
func (b *builder[T]) product(n Node, columns selected) (kernel.Kernel[T], error) {
	if len(n.Terms) < 2 || n.Terms[0].Op != Number {
		factors, err := b.nodes(n.Terms, columns)
		return kernel.Product[T]{Factors: factors}, err
	}
	first, rest := n.Terms[0], Node{Op: Product, Terms: n.Terms[1:], Pos: n.Terms[1].Pos}
	if len(rest.Terms) == 1 {
		rest = rest.Terms[0]
	}
	if err := b.sign(first); err != nil {
		return nil, err
	}
	of, err := b.node(rest, columns)
	return kernel.Scaled[T]{Factor: first.Value, Of: of}, err
}

// sign refuses a number that is not a non-negative factor or constant.
func (b *builder[T]) sign(n Node) error {
	switch {
	case math.IsNaN(n.Value) || math.IsInf(n.Value, 0):
		return at(n.Pos, "%v is not a finite number", n.Value)
	case n.Value < 0 && !b.d.Indefinite:
		return at(n.Pos, "%s is negative: a negative factor or constant leaves the positive definite kernels; use a non-negative number", formatNumber(n.Value))
	}
	return nil
}

// call builds a named kernel from its arguments and restricts it to the columns.
func (b *builder[T]) call(n Node, columns selected) (kernel.Kernel[T], error) {
	e, err := b.entry(n)
	if err != nil {
		return nil, err
	}
	inside := selected{}
	if e.distributes {
		inside, columns = columns, inside
	}
	args := &Args{byID: map[string]Arg{}, kernels: map[string]any{}}
	for _, a := range n.Args {
		if err := filled(n, a, e.Arguments); err != nil {
			return nil, err
		}
		args.byID[a.Name] = a
		if a.Kernel == nil || a.Apart {
			continue
		}
		if inner, found := selection(*a.Kernel); found && columns.patterns != nil {
			return nil, at(columns.pos, "columns %s are already selected inside %s: select once", FormatColumns(inner), n.Name)
		}
		part, err := b.node(*a.Kernel, inside)
		if err != nil {
			return nil, err
		}
		args.kernels[a.Name] = part
	}
	k, err := e.Build(args)
	if err != nil {
		return nil, place(err, n.Pos)
	}
	return b.restrict(k, columns)
}

// restrict selects columns, if any.
func (b *builder[T]) restrict(k kernel.Kernel[T], columns selected) (kernel.Kernel[T], error) {
	if columns.patterns == nil {
		return k, nil
	}
	if b.d.Select == nil {
		return nil, at(columns.pos, "columns %s are selected, but these points have no columns", FormatColumns(columns.patterns))
	}
	k, err := b.d.Select(k, columns.patterns)
	if err != nil {
		return nil, place(err, columns.pos)
	}
	return k, nil
}

// filled refuses a placeholder that was never filled.
func filled(n Node, a Arg, known []Argument) error {
	if a.Kind != WordArg {
		return nil
	}
	for _, k := range known {
		switch {
		case k.Name != a.Name || k.Kind != NumberArg && k.Kind != ListArg:
		case a.Text == "?":
			return at(a.Pos, "%s: %s=? is a free parameter: give a number, or let tune choose it", n.Name, a.Name)
		default:
			return at(a.Pos, "%s: %s=%s is not a number; a word such as median stands for a number computed from data, so give data or a number", n.Name, a.Name, a.Text)
		}
	}
	return nil
}

// place puts an error at a byte offset, unless it already knows its own.
func place(err error, pos int) error {
	var s *SyntaxError
	if errors.As(err, &s) {
		return err
	}
	return &SyntaxError{Offset: pos, Msg: err.Error(), Err: err}
}
