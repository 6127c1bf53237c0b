package kernel

import (
	"errors"
	"math"
	"math/big"
	"strconv"

	"example.org/mercer/internal/bigmath"
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
func (k Power[T]) String() string { return Operand(k.Of) + "^" + strconv.Itoa(k.Degree) }

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

// Parameters returns those of the parts.
func (k Power[T]) Parameters() []Parameter { return parametersOf(nil, k.Parts()...) }

// With returns the kernel with other parameters of its parts.
func (k Power[T]) With(values []float64) (Kernel[T], error) { return with[T](k, values) }

// EvalGrad follows the chain rule; see [Gradient].
func (k Power[T]) EvalGrad(grad []float64, x, y T) float64 { return chain[T](k, grad, x, y) }

// EvalBig evaluates the parts exactly; see [IsExact].
func (k Power[T]) EvalBig(x, y T, prec uint) (*big.Float, error) { return expanded[T](k, x, y, prec) }

// NotExact names a part that is not exact.
func (k Power[T]) NotExact() error { return notExact(k.Parts()...) }

// NotDifferentiable names a part that is not differentiable.
func (k Power[T]) NotDifferentiable() error { return notDifferentiable(k.Parts()...) }

func (k Power[T]) arity() int { return arities(k.Parts()) }

func (k Power[T]) rebuilt(parts []Kernel[T]) Kernel[T] {
	return Power[T]{Of: parts[0], Degree: k.Degree}
}

func (k Power[T]) slopes(dst, v []float64) float64 {
	dst[0] = 0
	if k.Degree > 0 {
		dst[0] = float64(k.Degree) * power(v[0], k.Degree-1)
	}
	return power(v[0], k.Degree)
}

func (k Power[T]) expand(v []*big.Float, prec uint) (*big.Float, int, error) {
	f, err := bigmath.PowInt(v[0], int64(k.Degree), prec)
	if k.Degree < 0 {
		err = errors.New("the degree is negative: a power of a kernel is k^0, k^1, k^2, …")
	}
	return f, bits(k.Degree), err
}

// Features returns C(d+p−1, p) for the d features of the base, and false beyond a
// million.
func (k Power[T]) Features(like T) (int, bool) {
	d, ok := features(k.Of, like)
	if !ok && k.Degree != 0 {
		return 0, false
	}
	return symmetricSize(d, k.Degree)
}

// Map stores the symmetric tensor power of the map of the base: the monomials of
// degree p with the square roots of their multinomial coefficients.
func (k Power[T]) Map(phi []float64, x T) { symmetricPower(phi, mapOf(k.Of, x), k.Degree, 1) }

// Derive applies Schur's product theorem to p copies.
func (k Power[T]) Derive() Derivation {
	d := premises(k, k.Of)
	switch {
	case k.Degree == 0:
		d.Verdict, d.Reason = Definite, "k⁰ = 1, a non-negative constant"
	case k.Degree < 0:
		d.Reason = "a negative power of a positive definite kernel is in general not positive definite"
	case k.Degree == 1:
		return alone(d, "k¹ = k")
	default:
		return concluded(d, "a power is a product of a positive definite kernel with itself, and positive definite by Schur's product theorem")
	}
	return d
}

// Reference describes the kernel.
func (k Power[T]) Reference() Reference {
	return Reference{
		Name: "power", Title: "power of a kernel", Formula: "k(x, y)^p", Domain: "that of k; p = 0, 1, 2, …",
		Equivalents: []string{"p = " + strconv.Itoa(k.Degree), "k = " + k.Of.String()},
		Source:      seriesSource, SeeAlso: []string{"product", "series", "poly"},
	}
}
