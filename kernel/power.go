package kernel

import (
	"math"
	"strconv"
)

// Power is the kernel k(x, y)^p for an integer p ≥ 0, multiplied out by repeated
// squaring; k⁰ = 1. It is positive definite where k is, as a product of p copies.
// A negative degree leaves the positive definite kernels and evaluates to NaN.
type Power[T any] struct {
	Of     Kernel[T]
	Degree int // p
}

// Eval returns k(x, y)^p.
func (k Power[T]) Eval(x, y T) float64 { return power(k.Of.Eval(x, y), k.Degree) }

// String returns k^p.
func (k Power[T]) String() string { return enclose(k.Of, atom) + "^" + strconv.Itoa(k.Degree) }

func (k Power[T]) binds() int { return loosePower }

// Parts returns the base.
func (k Power[T]) Parts() []Kernel[T] { return []Kernel[T]{k.Of} }

// Combine raises to the power p.
func (k Power[T]) Combine(dst []float64, parts [][]float64) {
	for i, v := range parts[0] {
		dst[i] = power(v, k.Degree)
	}
}

// power returns v^n by repeated squaring, with relative error about n·2⁻⁵³; NaN for
// n < 0.
func power(v float64, n int) float64 {
	if n < 0 {
		return math.NaN()
	}
	result := 1.0
	for ; n > 0; n >>= 1 {
		if n&1 == 1 {
			result *= v
		}
		v *= v
	}
	return result
}
