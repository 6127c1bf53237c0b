package expr

import (
	"strconv"

	"example.org/mercer/kernel"
)

// algebra returns the entries that are known for every type of point. The operators
// +, * and ^ and the numbers are part of the grammar.
func algebra[T any](d Dictionary[T]) map[string]Entry[T] {
	of := Argument{Name: kernelArgument, Kind: KernelArg, Help: "the kernel"}
	return map[string]Entry[T]{
		"normalize": {
			Arguments: []Argument{of}, distributes: true,
			Summary: "k(x,y)/√(k(x,x)k(y,y)), the cosine in the feature space",
			Build: func(a *Args) (kernel.Kernel[T], error) {
				return kernel.Normalized[T]{Of: KernelArgument[T](a, kernelArgument)}, nil
			},
		},
		"exp": {
			Arguments: []Argument{of}, distributes: true,
			Summary: "exp(k(x,y))",
			Build: func(a *Args) (kernel.Kernel[T], error) {
				return kernel.Exp[T]{Of: KernelArgument[T](a, kernelArgument)}, nil
			},
		},
		"series": {
			Arguments:   []Argument{of, {Name: "coefficients", Kind: ListArg, Help: "a₀, a₁, …: non-negative numbers"}},
			distributes: true,
			Summary:     "Σ aₙ k(x,y)ⁿ, a power series in a kernel",
			Build:       func(a *Args) (kernel.Kernel[T], error) { return series(a, d) },
		},
		"conform": {
			Arguments: []Argument{of, {Name: "by", Kind: StringArg, Help: `f as a formula of one point, such as "1 + x"`}},
			Summary:   "f(x)k(x,y)f(y), a conformal change",
			Build:     func(a *Args) (kernel.Kernel[T], error) { return conformal(a, d) },
		},
		"compose": {
			Arguments: []Argument{of, {Name: "map", Kind: StringArg, Help: `φ as a formula, such as "log(x)"`}},
			Summary:   "k(φ(x),φ(y)), a kernel after a map of the points",
			Build:     func(a *Args) (kernel.Kernel[T], error) { return composed(a, d) },
		},
	}
}

func series[T any](a *Args, d Dictionary[T]) (kernel.Kernel[T], error) {
	if err := a.needs(kernelArgument, "coefficients"); err != nil {
		return nil, err
	}
	for n, c := range a.List("coefficients") {
		if c < 0 && !d.Indefinite {
			return nil, a.Errorf("coefficients", "coefficient %d of the series is %v: a negative coefficient leaves the positive definite kernels", n, c)
		}
	}
	return kernel.Series[T]{Of: KernelArgument[T](a, kernelArgument), Coefficients: a.List("coefficients")}, nil
}

func conformal[T any](a *Args, d Dictionary[T]) (kernel.Kernel[T], error) {
	if err := a.needs(kernelArgument, "by"); err != nil {
		return nil, err
	}
	if d.Function == nil {
		return nil, a.Errorf("by", "functions of these points cannot be written as text: use kernel.Conformal in a program")
	}
	f, err := d.Function(a.Text("by", ""))
	if err != nil {
		return nil, a.Errorf("by", "by=%s: %w", strconv.Quote(a.Text("by", "")), err)
	}
	return kernel.Conformal[T]{Of: KernelArgument[T](a, kernelArgument), By: f}, nil
}

func composed[T any](a *Args, d Dictionary[T]) (kernel.Kernel[T], error) {
	if err := a.needs(kernelArgument, "map"); err != nil {
		return nil, err
	}
	if d.Map == nil {
		return nil, a.Errorf("map", "maps of these points cannot be written as text: use kernel.Composed in a program")
	}
	text := a.Text("map", "")
	f, err := d.Map(text)
	if err != nil {
		return nil, a.Errorf("map", "map=%s: %w", strconv.Quote(text), err)
	}
	return kernel.Composed[T, T]{Of: KernelArgument[T](a, kernelArgument), By: f, Text: text}, nil
}
