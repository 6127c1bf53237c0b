package kernel

import (
	"fmt"
	"math"
)

// Gradient returns k as a [Differentiable] kernel, and false where k, or a part of it
// that has parameters, cannot be differentiated.
func Gradient[T any](k Kernel[T]) (Differentiable[T], bool) {
	d, ok := k.(Differentiable[T])
	if !ok || notDifferentiable(k) != nil {
		return nil, false
	}
	return d, true
}

// notDifferentiable names the first part whose parameters have no gradient.
func notDifferentiable[T any](parts ...Kernel[T]) error {
	for _, part := range parts {
		if c, ok := part.(conditional); ok {
			if err := c.NotDifferentiable(); err != nil {
				return err
			}
			continue
		}
		if _, ok := part.(Differentiable[T]); !ok && arity(part) > 0 {
			return fmt.Errorf("%s has parameters, and no gradient in them", part)
		}
	}
	return nil
}

// evalGrad returns k(x, y) and stores its gradient: nothing for a kernel without
// parameters, NaN where [Gradient] would have said that there is none.
func evalGrad[T any](k Kernel[T], grad []float64, x, y T) float64 {
	if d, ok := k.(Differentiable[T]); ok {
		return d.EvalGrad(grad, x, y)
	}
	for i := range grad {
		grad[i] = math.NaN()
	}
	return k.Eval(x, y)
}

// chain is the chain rule: ∂f(k₁, k₂, …)/∂θ = ∂f/∂kₚ · ∂kₚ/∂θ for a parameter θ of part
// p. It stores the gradient of k and returns k(x, y).
func chain[T any](k assembled[T], grad []float64, x, y T) float64 {
	parts := k.Parts()
	buffer := make([]float64, 2*len(parts))
	values, slopes := buffer[:len(parts)], buffer[len(parts):]
	rest := grad
	for i, part := range parts {
		n := arity(part)
		values[i] = evalGrad(part, rest[:n], x, y)
		rest = rest[n:]
	}
	value := k.slopes(slopes, values)
	for i, part := range parts {
		n := arity(part)
		scale(slopes[i], grad[:n])
		grad = grad[n:]
	}
	return value
}

// scale multiplies v by c.
func scale(c float64, v []float64) {
	for i := range v {
		v[i] *= c
	}
}
