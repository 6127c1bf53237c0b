package visual

import (
	"math"
	"strconv"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/ckn"
	"example.org/mercer/kernel/expr"
)

// DictionaryArgument is the argument of a kernel that has the numbers of its dictionary.
const DictionaryArgument = "dictionary"

// Inner are the kernels that compare codes: how they are read, and the one where none is written.
type Inner struct {
	Usual   kernel.Kernel[[]float64]
	Resolve func(n expr.Node) (expr.Node, error)
	Build   func(n expr.Node) (kernel.Kernel[[]float64], error)
}

// WordsEntry is words(…) in a dictionary of kernels on vectors.
func WordsEntry(of Inner) expr.Entry[[]float64] {
	return entry("histograms of visual words of images, compared by a kernel", of, 200, func(n int) Coding { return Words(n) })
}

// FisherEntry is fisher(…).
func FisherEntry(of Inner) expr.Entry[[]float64] {
	return entry("Fisher vectors of images by a mixture of Gaussians, compared by a kernel", of, 16, func(n int) Coding { return Fisher(n) })
}

func entry(summary string, of Inner, size int, coding func(n int) Coding) expr.Entry[[]float64] {
	named := coding(size)
	return expr.Entry[[]float64]{
		Summary:   summary,
		AsWritten: "pixels",
		Arguments: []expr.Argument{
			{Name: "shape", Kind: expr.ListArg, Help: "rows, columns and channels of an image, such as [28, 28, 1]"},
			{Name: named.argument(), Kind: expr.NumberArg, Default: strconv.Itoa(size), Help: "size of the dictionary"},
			{Name: "of", Kind: expr.KernelArg, Default: of.Usual.String(), Help: "the kernel that compares the codes of two images", Resolve: of.Resolve},
			{Name: "input", Kind: expr.WordArg, Default: string(ckn.Gradient), Help: "what descriptors are patches of: gradient (orientations), centred or raw (pixels)"},
			{Name: "orientations", Kind: expr.NumberArg, Default: "8", Help: "number of directions of the gradient"},
			{Name: "reduce", Kind: expr.NumberArg, Default: "2", Help: "by how much the map is pooled before patches are cut"},
			{Name: "patch", Kind: expr.NumberArg, Default: "4", Help: "side of the patches"},
			{Name: "step", Kind: expr.NumberArg, Default: "1", Help: "between two patches"},
			{Name: "pca", Kind: expr.NumberArg, Default: "0", Help: "principal components that descriptors are reduced to; 0: none are"},
			{Name: "pyramid", Kind: expr.ListArg, Default: "1", Help: "cells a side of each level, such as [1, 2, 4]"},
			{Name: DictionaryArgument, Kind: expr.ListArg, Default: "learned", Help: "numbers of the dictionary, as they were learned from the images of a table"},
		},
		Build: func(a *expr.Args) (kernel.Kernel[[]float64], error) { return build(a, of, size, coding) },
	}
}

func build(a *expr.Args, of Inner, size int, coding func(n int) Coding) (kernel.Kernel[[]float64], error) {
	o := Options{Dense: Dense{Input: ckn.Input(a.Text("input", string(ckn.Gradient)))}}
	name := coding(size).Name()
	shape := a.List("shape")
	if len(shape) != 3 {
		return nil, a.Errorf("shape", "%s: the shape is rows, columns and channels, three numbers such as [28, 28, 1]; there are %d", name, len(shape))
	}
	for i, v := range shape {
		if v != math.Trunc(v) || math.Abs(v) > 1<<20 {
			return nil, a.Errorf("shape", "%s: shape = %v must be whole numbers", name, v)
		}
		o.Shape[i] = int(v)
	}
	for _, n := range []struct {
		name            string
		into            *int
		fallback, least float64
	}{
		{coding(size).argument(), &size, float64(size), 1}, {"orientations", &o.Orientations, 8, 2}, {"reduce", &o.Reduce, 2, 1},
		{"patch", &o.Patch, 4, 1}, {"step", &o.Step, 1, 1}, {"pca", &o.Components, 0, 0},
	} {
		v := a.Number(n.name, n.fallback)
		if v != math.Trunc(v) || v < n.least || v > 1<<20 {
			return nil, a.Errorf(n.name, "%s: %s = %v must be a whole number from %v", name, n.name, v, n.least)
		}
		*n.into = int(v)
	}
	for _, v := range a.List("pyramid") {
		if v != math.Trunc(v) || v < 1 || v > mostCells {
			return nil, a.Errorf("pyramid", "%s: pyramid = %v: cells a side are whole numbers from 1 to %d", name, v, mostCells)
		}
		o.Pyramid = append(o.Pyramid, int(v))
	}
	o.Coding = coding(size)
	c, err := o.New(a.List(DictionaryArgument))
	if err != nil {
		return nil, a.Errorf("shape", "%s: %w", name, err)
	}
	k := of.Usual
	if n, written := a.Node("of"); written {
		if k, err = of.Build(n); err != nil {
			return nil, err
		}
	}
	return New(k, c), nil
}
