package bag

import (
	"fmt"
	"math"

	"example.org/mercer/kernel"
)

// The abilities that a kernel of bags has of its base kernel.

func parameters[T any](of kernel.Kernel[T]) []kernel.Parameter {
	if t, ok := of.(kernel.Tunable[T]); ok {
		return t.Parameters()
	}
	return nil
}

func with[T any](of kernel.Kernel[T], values []float64) (kernel.Kernel[T], error) {
	if t, ok := of.(kernel.Tunable[T]); ok {
		return t.With(values)
	}
	if len(values) > 0 {
		return of, fmt.Errorf("%s has no parameters, and %d are given", of, len(values))
	}
	return of, nil
}

// gradient stores Σ ∂k(x, y) over all pairs and returns Σ k(x, y); NaN where the base kernel
// has parameters and no gradient, as [kernel.Gradient] says.
func gradient[T any](of kernel.Kernel[T], grad []float64, x, y []T) float64 {
	clear(grad)
	d, ok := kernel.Gradient(of)
	if !ok {
		for i := range grad {
			grad[i] = math.NaN()
		}
		return total(of, x, y)
	}
	sum, one := 0.0, make([]float64, len(grad))
	for _, a := range x {
		for _, b := range y {
			sum += d.EvalGrad(one, a, b)
			for i, g := range one {
				grad[i] += g
			}
		}
	}
	return sum
}

func notDifferentiable[T any](of kernel.Kernel[T]) error {
	if _, ok := kernel.Gradient(of); !ok && len(parameters(of)) > 0 {
		return fmt.Errorf("%s has parameters, and no gradient in them", of)
	}
	return nil
}
