package task

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/kernel/width"
	"example.org/mercer/tune"
)

// widths are the arguments that have the unit of a coordinate: they start at the
// median heuristic and may have one value for each column.
var widths = []string{"sigma", "lengthscale", "omega", "radius"}

// Hyperparameter is one free parameter of an expression: where it stands, the columns that it
// has a value for (nil: one value), and where its values start.
type Hyperparameter struct {
	expr.Placeholder
	columns []string
	Starts  []float64
	below   float64 // bounds the values; 0: nothing does
}

// FreeHyperparameters finds the free parameters of an expression without data words. points returns
// the vectors that the kernel of a parameter compares.
func FreeHyperparameters(ctx context.Context, node expr.Node, points func(expr.Placeholder) (data.Set[[]float64], vec.Schema, error)) ([]Hyperparameter, error) {
	var found []Hyperparameter
	for _, p := range node.Placeholders() {
		if p.Word != "?" {
			continue
		}
		start, below, usual := 1.0, 0.0, false
		entry, onNumbers := vec.Dictionary(vec.Schema{}).Kernels[p.Kernel]
		for _, a := range entry.Arguments {
			if a.Name == p.Argument && a.Below > 0 {
				start, below = a.Below/2, a.Below
			}
			if v, err := strconv.ParseFloat(a.Default, 64); a.Name == p.Argument && err == nil && slices.Contains(widths, a.Name) {
				start, usual = v, true // of angles, such as that of ckn: no distance says more
			}
		}
		if onNumbers && !usual && slices.Contains(widths, p.Argument) {
			xs, schema, err := points(p)
			if err != nil {
				return nil, err
			}
			if start, err = medianOf(ctx, p, xs, schema); err != nil {
				return nil, err
			}
		}
		found = append(found, Hyperparameter{Placeholder: p, Starts: []float64{start}, below: below})
	}
	return found, nil
}

// simpler is the side of the values that make the smoother functions.
func (f Hyperparameter) simpler() tune.Side {
	switch {
	case slices.Contains(widths, f.Argument), f.Argument == "rho":
		return tune.Above
	case f.Argument == "gamma":
		return tune.Below
	}
	return 0
}

// startsOf returns where the search for parameters of one value starts.
func startsOf(parameters []Hyperparameter) []float64 {
	starts := make([]float64, len(parameters))
	for i, p := range parameters {
		starts[i] = p.Starts[0]
	}
	return starts
}

// medianOf returns the median heuristic for a width, as sigma=median would give it.
func medianOf(ctx context.Context, p expr.Placeholder, xs data.Set[[]float64], schema vec.Schema) (float64, error) {
	call := expr.Node{Op: expr.Call, Name: p.Kernel, Columns: p.Columns, Pos: p.Pos,
		Args: []expr.Arg{{Name: p.Argument, Kind: expr.WordArg, Text: "median", Pos: p.Pos}}}
	if p.Single {
		of := call
		of.Columns = nil
		call = expr.Node{Op: expr.Call, Name: "anova", Columns: p.Columns, Pos: p.Pos, Args: []expr.Arg{{Name: "of", Kind: expr.KernelArg, Kernel: &of, Pos: p.Pos}}}
	}
	filled, err := width.Fill(ctx, call, xs, schema)
	if err != nil {
		return 0, err
	}
	if p.Single {
		filled = *filled.Args[0].Kernel
	}
	return filled.Args[0].Number, nil
}

// spread gives a width one value for each of its columns, all starting where one
// value for all ended.
func (f Hyperparameter) spread(at float64, schema vec.Schema) (Hyperparameter, error) {
	f.Starts = []float64{at}
	if !slices.Contains(widths, f.Argument) || f.Single { // a kernel on one column has one width
		return f, nil
	}
	index := make([]int, len(schema.Names))
	for j := range index {
		index[j] = j
	}
	if f.Columns != nil {
		var err error
		if index, err = schema.Indices(f.Columns); err != nil {
			return f, err
		}
	}
	f.Starts, f.columns = nil, nil
	for _, j := range index {
		f.Starts, f.columns = append(f.Starts, at), append(f.columns, schema.Names[j])
	}
	return f, nil
}

// SearchSpace makes the space of kernels of an expression with free parameters.
func SearchSpace[T any](node expr.Node, parameters []Hyperparameter, dictionary expr.Dictionary[T]) tune.Space[T] {
	space := tune.Space[T]{}
	for _, f := range parameters {
		for j, start := range f.Starts {
			name := f.Name
			if f.columns != nil {
				name = fmt.Sprintf("%s[%s]", f.Name, f.columns[j])
			}
			p := tune.NewParameter(name, start, true)
			p.Simpler = f.simpler()
			if f.below > 0 {
				p.Upper = f.below * (1 - 1e-3) // the bound itself is no kernel
			}
			space.Parameters = append(space.Parameters, p)
		}
	}
	space.Build = func(values []float64) (kernel.Kernel[T], error) {
		at, next := 0, 0
		return expr.Build(node.Fill(func(p expr.Placeholder) []float64 {
			if p.Word != "?" {
				return nil
			}
			from := at
			at += len(parameters[next].Starts)
			next++
			return values[from:at]
		}), dictionary)
	}
	return space
}
