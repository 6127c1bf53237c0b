package kernel

import "math"

// Exp is the kernel exp(k(x, y)) = Σ k(x, y)ⁿ/n!. It is positive definite where k is,
// as a limit of sums of powers with non-negative coefficients.
type Exp[T any] struct {
	Of Kernel[T]
}

// Eval returns exp(k(x, y)).
func (k Exp[T]) Eval(x, y T) float64 { return math.Exp(k.Of.Eval(x, y)) }

// String returns exp(of=k).
func (k Exp[T]) String() string { return "exp(of=" + k.Of.String() + ")" }

// Parts returns the exponent.
func (k Exp[T]) Parts() []Kernel[T] { return []Kernel[T]{k.Of} }

// Combine takes the exponential.
func (k Exp[T]) Combine(dst []float64, parts [][]float64) {
	for i, v := range parts[0] {
		dst[i] = math.Exp(v)
	}
}
