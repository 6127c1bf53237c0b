package dictionary

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/kernel/visual"
)

// Fill learns the dictionaries that are missing in an expression, which [expr.Resolve] has seen,
// from images that the columns of its kernels select, and returns the expression with them. Notes
// say what was learned from how much, and how long it took. The error is a [*expr.SyntaxError] at
// the kernel.
func Fill(ctx context.Context, n expr.Node, xs data.Set[[]float64], schema vec.Schema, seed uint64, how compute.Options) (filled expr.Node, notes []string, err error) {
	f := filling{text: n.Text, xs: xs, schema: schema, learn: func(c *visual.Code, images data.Set[[]float64]) ([]float64, error) {
		watch := compute.StartStopwatch()
		numbers, err := Learn(ctx, c, images, seed, how)
		if err == nil {
			notes = append(notes, fmt.Sprintf("%s: a dictionary of %d was learned from descriptors of %d images in %.1f s; it is a part of the kernel now", c.Coding.Name(), c.Coding.Size(), min(images.Len(), mostImages), watch.Seconds()))
		}
		return numbers, err
	}}
	if filled, err = f.node(n, nil); err != nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return filled, notes, err
}

// filling is the state of Fill.
type filling struct {
	text   string
	xs     data.Set[[]float64]
	schema vec.Schema
	learn  func(c *visual.Code, images data.Set[[]float64]) ([]float64, error)
}

// isCode reports whether a node is a kernel after a dictionary: one of the entries that have one.
func isCode(n expr.Node) bool {
	return n.Op == expr.Call && slices.ContainsFunc(vec.Dictionary(vec.Schema{}).Kernels[n.Name].Arguments, func(a expr.Argument) bool { return a.Name == visual.DictionaryArgument })
}

// node fills a copy of an expression with the columns in force.
func (f filling) node(n expr.Node, columns []string) (expr.Node, error) {
	if n.Columns != nil {
		columns = n.Columns
	}
	if isCode(n) {
		return f.code(n, columns)
	}
	var err error
	n.Terms = slices.Clone(n.Terms)
	for i := range n.Terms {
		if n.Terms[i], err = f.node(n.Terms[i], columns); err != nil {
			return n, err
		}
	}
	n.Args = slices.Clone(n.Args)
	for i, a := range n.Args {
		if a.Kernel == nil || a.Apart {
			continue
		}
		of, err := f.node(*a.Kernel, columns)
		if err != nil {
			return n, err
		}
		n.Args[i].Kernel = &of
	}
	return n, nil
}

// code learns the dictionary of a node that has none.
func (f filling) code(n expr.Node, columns []string) (expr.Node, error) {
	c, err := codeOf(n)
	if err != nil || c.Learned() {
		return n, err
	}
	images, err := selected(f.xs, f.schema, columns)
	if err == nil && images.Len() > 0 {
		err = c.CheckImage(images.At(0))
	}
	var numbers []float64
	if err == nil {
		numbers, err = f.learn(c, images)
	}
	if err != nil {
		return n, &expr.SyntaxError{Text: f.text, Offset: n.Pos, Msg: err.Error(), Err: err}
	}
	n.Args = append(slices.Clone(n.Args), expr.Arg{Name: visual.DictionaryArgument, Kind: expr.ListArg, List: numbers, Pos: n.Pos})
	return n, nil
}

// codeOf returns the code of a node, whatever compares the codes: that may have parameters still.
func codeOf(n expr.Node) (*visual.Code, error) {
	n.Columns = nil
	n.Args = slices.DeleteFunc(slices.Clone(n.Args), func(a expr.Arg) bool { return a.Name == "of" })
	k, err := expr.Build(n, vec.Dictionary(vec.Schema{}))
	if err != nil {
		return nil, err
	}
	of, ok := k.(visual.Kernel)
	if !ok {
		return nil, fmt.Errorf("dictionary: %s is no kernel after a dictionary", n.Name)
	}
	return of.Code, nil
}

// selected returns the chosen columns of points, all of them for nil.
func selected(xs data.Set[[]float64], schema vec.Schema, columns []string) (data.Set[[]float64], error) {
	if columns == nil {
		return xs, nil
	}
	index, err := schema.Indices(columns)
	return chosen{xs, index}, err
}

// chosen is a set of points with some of their columns.
type chosen struct {
	data.Set[[]float64]
	index []int
}

func (c chosen) At(i int) []float64 {
	x, out := c.Set.At(i), make([]float64, len(c.index))
	for t, j := range c.index {
		out[t] = x[j]
	}
	return out
}

// mostCodes is for how many images codes are made to find a width among them.
const mostCodes = 1000

// Compared are the vectors that the kernel of a placeholder compares, with their names.
type Compared func(p expr.Placeholder) (data.Set[[]float64], vec.Schema, error)

// Points returns what the kernel of a placeholder compares: codes of a sample of the images where
// it stands in a kernel after a dictionary, which [Fill] has learned, or the points themselves.
func Points(n expr.Node, xs data.Set[[]float64], schema vec.Schema) Compared {
	return PointsOr(n, xs, schema, func(expr.Placeholder) (data.Set[[]float64], vec.Schema, error) { return xs, schema, nil })
}

// PointsOr is [Points] with another answer where a placeholder stands in no such kernel.
func PointsOr(n expr.Node, xs data.Set[[]float64], schema vec.Schema, other Compared) Compared {
	return func(p expr.Placeholder) (data.Set[[]float64], vec.Schema, error) {
		of, columns, ok := around(n, nil, p.Pos)
		if !ok {
			return other(p)
		}
		c, err := codeOf(of)
		if err != nil {
			return nil, schema, err
		}
		images, err := selected(xs, schema, columns)
		if err != nil {
			return nil, schema, err
		}
		if count := images.Len(); count > mostCodes {
			sample := rand.New(rand.NewPCG(1, uint64(count))).Perm(count)[:mostCodes]
			slices.Sort(sample)
			images = data.Subset(images, sample)
		}
		var k kernel.Kernel[[]float64] = vec.Linear{}
		return visual.New(k, c).Images(images), vec.Schema{}, nil
	}
}

// around returns the kernel after a dictionary that has a placeholder in the kernel of its codes.
func around(n expr.Node, columns []string, pos int) (of expr.Node, in []string, ok bool) {
	if n.Columns != nil {
		columns = n.Columns
	}
	for _, term := range n.Terms {
		if of, in, ok = around(term, columns, pos); ok {
			return of, in, ok
		}
	}
	for _, a := range n.Args {
		switch {
		case a.Kernel == nil:
		case isCode(n) && a.Apart && slices.ContainsFunc(a.Kernel.Placeholders(), func(p expr.Placeholder) bool { return p.Pos == pos }):
			return n, columns, true
		case !a.Apart:
			if of, in, ok = around(*a.Kernel, columns, pos); ok {
				return of, in, ok
			}
		}
	}
	return n, nil, false
}
