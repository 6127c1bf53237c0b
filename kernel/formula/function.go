package formula

import (
	"fmt"
	"math/big"

	"example.org/mercer/kernel"
)

// Function compiles a formula in one point x, such as 1 + x^2 or 1/norm(x), for
// kernels f(x)·k(x,y)·f(y). Its values are NaN where x lacks a coordinate.
func Function(text string) (kernel.Function[[]float64], error) {
	tree, code, err := build(text, scope{points: []string{"x"}})
	if err != nil {
		return kernel.Function[[]float64]{}, err
	}
	k := Kernel{text: text, tree: tree, code: code}
	k.least, k.one = tree.coordinates()
	return kernel.Function[[]float64]{
		Text: text,
		At:   func(x []float64) float64 { return k.Eval(x, x) },
		Big: func(x []float64, prec uint) (*big.Float, error) {
			v, err := k.EvalBig(x, x, prec)
			if err != nil {
				return nil, fmt.Errorf("function %w", err)
			}
			return v, nil
		},
	}, nil
}

// Map compiles a formula in one number x and returns the map that applies it to
// every coordinate of a point, for kernels k(φ(x), φ(y)). Because φ(x) is a point of
// float64 coordinates, a kernel composed with it is exactly evaluated at these.
func Map(text string) (func(x []float64) []float64, error) {
	_, code, err := build(text, scope{points: []string{"x"}, scalar: true})
	if err != nil {
		return nil, err
	}
	return func(x []float64) []float64 {
		phi := make([]float64, len(x))
		for i := range x {
			phi[i] = code.run(x[i:i+1], nil)
		}
		return phi
	}, nil
}
