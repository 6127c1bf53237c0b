package deep

import (
	"math"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
)

type vector = []float64

// Entry is deep(…) in a dictionary of kernels on vectors.
var Entry = expr.Entry[[]float64]{
	Summary: "k₀(φ(x),φ(y)), a kernel after a network that is learned",
	Arguments: []expr.Argument{
		{Name: "of", Kind: expr.KernelArg, Help: "the kernel k₀, which sees the images"},
		{Name: "widths", Kind: expr.ListArg, Help: "units of each layer, the images last, such as [64, 32]"},
		{Name: "activation", Kind: expr.WordArg, Default: string(SiLU), Help: "of the hidden units: silu, tanh or relu"},
		{Name: "seed", Kind: expr.NumberArg, Default: "0", Help: "of the weights where learning starts"},
		{Name: "weights", Kind: expr.ListArg, Default: "drawn by the seed", Help: "of the layers, as learning has found them"},
	},
	Build: build,
}

func build(a *expr.Args) (kernel.Kernel[[]float64], error) {
	if !a.Has("of") {
		return nil, a.Errorf("of", "deep: the kernel is missing, as in deep(of=rbf(sigma=median), widths=[64, 32])")
	}
	if !a.Has("widths") {
		return nil, a.Errorf("widths", "deep: the widths of the layers are missing, as in widths=[64, 32]")
	}
	var widths []int
	for _, v := range a.List("widths") {
		if v != math.Trunc(v) || v < 1 || v > MostUnits {
			return nil, a.Errorf("widths", "deep: a layer of %v units: widths are whole numbers from 1 to %d", v, MostUnits)
		}
		widths = append(widths, int(v))
	}
	seed := a.Number("seed", 0)
	if seed != math.Trunc(seed) || seed < 0 || seed > 1<<53 {
		return nil, a.Errorf("seed", "deep: seed = %v must be a whole number from 0 to 2⁵³", seed)
	}
	var weights []float64
	if a.Has("weights") {
		weights = a.List("weights")
	}
	k, err := NewKernel(expr.KernelArgument[vector](a, "of"), widths, Activation(a.Text("activation", string(SiLU))), weights, uint64(seed))
	if err != nil {
		return nil, a.Errorf("widths", "%w", err)
	}
	return k, nil
}
