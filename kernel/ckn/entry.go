package ckn

import (
	"math"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
)

// Entry is ckn(…) in a dictionary of kernels on vectors.
var Entry = expr.Entry[[]float64]{
	Summary:   "convolutional kernel network: patches of images compared, pooled and compared again",
	AsWritten: "pixels",
	Arguments: []expr.Argument{
		{Name: "shape", Kind: expr.ListArg, Help: "rows, columns and channels of an image, such as [28, 28, 1]"},
		{Name: "input", Kind: expr.WordArg, Default: string(Raw), Help: "what the first layer sees: raw, centred, whitened or gradient"},
		{Name: "orientations", Kind: expr.NumberArg, Default: "12", Help: "number of directions of the gradient"},
		{Name: "reduce", Kind: expr.NumberArg, Default: "1", Help: "by how much the map that the first layer sees is pooled"},
		{Name: "patch", Kind: expr.ListArg, Default: "5", Help: "side of the patches of each layer"},
		{Name: "pool", Kind: expr.ListArg, Default: "4", Help: "by how much each layer is pooled"},
		{Name: "sigma", Also: []string{"σ"}, Kind: expr.ListArg, Default: "0.6", Help: "width of the comparison in each layer, for angles; one for all, or one for each"},
		{Name: "normalize", Kind: expr.WordArg, Default: "no", Help: "yes: divide by √(k(x,x)·k(y,y)), so that contrast does not count"},
	},
	Build: build,
}

func build(a *expr.Args) (kernel.Kernel[[]float64], error) {
	whole := func(name string, list []float64) ([]int, error) {
		out := make([]int, len(list))
		for i, v := range list {
			if v != math.Trunc(v) || math.Abs(v) > most {
				return nil, a.Errorf(name, "ckn: %s = %v must be a whole number", name, v)
			}
			out[i] = int(v)
		}
		return out, nil
	}
	o := Options{Input: Input(a.Text("input", string(Raw)))}
	switch word := a.Text("normalize", "no"); word {
	case "yes":
		o.Normalize = true
	case "no":
	default:
		return nil, a.Errorf("normalize", "ckn: normalize = %s is neither yes nor no", word)
	}
	shape, err := whole("shape", a.List("shape"))
	if err != nil {
		return nil, err
	}
	if len(shape) != 3 {
		return nil, a.Errorf("shape", "ckn: the shape is rows, columns and channels, three numbers such as [28, 28, 1]; there are %d", len(shape))
	}
	copy(o.Shape[:], shape)
	single, err := whole("orientations", []float64{a.Number("orientations", 12), a.Number("reduce", 1)})
	if err != nil {
		return nil, err
	}
	if o.Orientations, o.Reduce = single[0], single[1]; o.Orientations == 0 || o.Reduce < 1 {
		return nil, a.Errorf("reduce", "ckn: orientations and reduce are at least 1")
	}
	patch, err := whole("patch", or(a.List("patch"), 5))
	if err != nil {
		return nil, err
	}
	pool, err := whole("pool", or(a.List("pool"), 4))
	if err != nil {
		return nil, err
	}
	sigma := or(a.List("sigma"), 0.6)
	if len(pool) != len(patch) || len(sigma) != len(patch) && len(sigma) != 1 {
		return nil, a.Errorf("patch", "ckn: %d patches, %d pools and %d sigmas: give as many of each as there are layers", len(patch), len(pool), len(sigma))
	}
	for i := range patch {
		o.Layers = append(o.Layers, Layer{Patch: patch[i], Pool: pool[i], Sigma: sigma[min(i, len(sigma)-1)]})
	}
	k, err := New(o)
	if err != nil {
		return nil, a.Errorf("shape", "%w", err)
	}
	return k, nil
}

// or returns a list, or one of a single number where none was written.
func or(list []float64, fallback float64) []float64 {
	if list == nil {
		return []float64{fallback}
	}
	return list
}
