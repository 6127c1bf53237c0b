package kernel

import (
	"math"
	"math/big"

	"example.org/mercer/internal/bigmath"
)

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

// Parameters returns those of the parts.
func (k Exp[T]) Parameters() []Parameter { return parametersOf(nil, k.Parts()...) }

// With returns the kernel with other parameters of its parts.
func (k Exp[T]) With(values []float64) (Kernel[T], error) { return with[T](k, values) }

// EvalGrad follows the chain rule; see [Gradient].
func (k Exp[T]) EvalGrad(grad []float64, x, y T) float64 { return chain[T](k, grad, x, y) }

// EvalBig evaluates the parts exactly; see [IsExact].
func (k Exp[T]) EvalBig(x, y T, prec uint) (*big.Float, error) { return expanded[T](k, x, y, prec) }

// NotExact names a part that is not exact.
func (k Exp[T]) NotExact() error { return notExact(k.Parts()...) }

// NotDifferentiable names a part that is not differentiable.
func (k Exp[T]) NotDifferentiable() error { return notDifferentiable(k.Parts()...) }

func (k Exp[T]) arity() int { return arities(k.Parts()) }

func (k Exp[T]) rebuilt(parts []Kernel[T]) Kernel[T] { return Exp[T]{Of: parts[0]} }

func (k Exp[T]) slopes(dst, v []float64) float64 {
	dst[0] = math.Exp(v[0])
	return dst[0]
}

// expand loses as many bits as v has before its binary point: exp turns the absolute
// error of v into a relative one.
func (k Exp[T]) expand(v []*big.Float, prec uint) (*big.Float, int, error) {
	f, err := bigmath.Exp(v[0], prec)
	return f, max(0, v[0].MantExp(nil)) + bits(1), err
}

// Derive argues by the power series of the exponential.
func (k Exp[T]) Derive() Derivation {
	return concluded(premises(k, k.Of), "exp(k) = Σ kⁿ/n! is a limit of sums of powers with non-negative coefficients, and limits, sums and products keep positive definiteness")
}

// Reference describes the kernel.
func (k Exp[T]) Reference() Reference {
	return Reference{
		Name: "exp", Title: "exponential of a kernel", Formula: "exp(k(x, y))", Domain: "that of k",
		Equivalents: []string{"k = " + k.Of.String()}, Source: seriesSource, SeeAlso: []string{"series", "power"},
	}
}
