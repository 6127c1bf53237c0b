package kernel

import (
	"math"
	"math/big"
)

// Constant is the kernel k(x, y) = c. It is positive definite for c ≥ 0, with the
// one-dimensional map φ(x) = √c. Written as a bare number: 2 + k.
type Constant[T any] struct {
	Value float64 // c
}

// Eval returns c.
func (k Constant[T]) Eval(x, y T) float64 { return k.Value }

// String returns the number.
func (k Constant[T]) String() string { return number(k.Value) }

// Parts returns nothing: a constant is an elementwise function of no kernels.
func (k Constant[T]) Parts() []Kernel[T] { return nil }

// Combine stores c everywhere.
func (k Constant[T]) Combine(dst []float64, parts [][]float64) {
	for i := range dst {
		dst[i] = k.Value
	}
}

// Parameters returns the constant, named "constant", where it is positive; zero and
// negative constants stay as they are.
func (k Constant[T]) Parameters() []Parameter { return ownNumber("constant", k.Value) }

func (k Constant[T]) arity() int { return ownCount(k.Value) }

// With returns another constant.
func (k Constant[T]) With(values []float64) (Kernel[T], error) {
	if len(values) != k.arity() {
		return nil, wrongCount(len(values), k.arity())
	}
	v, err := ownValue("constant", k.Value, values)
	return Constant[T]{Value: v}, err
}

// EvalGrad returns c, which is also its derivative in ln c.
func (k Constant[T]) EvalGrad(grad []float64, x, y T) float64 {
	if k.arity() > 0 {
		grad[0] = k.Value
	}
	return k.Value
}

// EvalBig returns c.
func (k Constant[T]) EvalBig(x, y T, prec uint) (*big.Float, error) { return exactly(k.Value, prec) }

// Features returns 1, and false for c < 0.
func (k Constant[T]) Features(T) (int, bool) { return 1, k.Value >= 0 }

// Map stores √c.
func (k Constant[T]) Map(phi []float64, x T) { phi[0] = math.Sqrt(k.Value) }

// Derive depends on the sign alone.
func (k Constant[T]) Derive() Derivation {
	d := Derivation{Kernel: k.String()}
	switch {
	case k.Value >= 0:
		d.Verdict, d.Reason = Definite, "a constant c ≥ 0 is the inner product of the one-dimensional map φ(x) = √c with itself"
	case k.Value < 0:
		d.Verdict, d.Reason = Indefinite, "one point with the coefficient a = 1 gives aᵀKa = c < 0"
	default:
		d.Reason = "the constant is not a number"
	}
	return d
}

// Reference describes the kernel.
func (k Constant[T]) Reference() Reference {
	return Reference{
		Name: "constant", Title: "constant kernel", Formula: "c", Domain: "any points; c ≥ 0",
		Equivalents: []string{"c = " + k.String()}, Source: closureSource,
	}
}
