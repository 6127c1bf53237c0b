package kernel

import (
	"fmt"
	"math"
	"math/big"
)

// Series is the kernel Σₙ aₙ·k(x, y)ⁿ for n = 0, 1, …, len(a)−1, by Horner's rule. It
// is positive definite for aₙ ≥ 0 where k is. A finite list converges everywhere; as
// the first terms of an infinite series it approximates the limit only while
// |k(x, y)| stays below the radius of convergence of that series.
type Series[T any] struct {
	Of           Kernel[T]
	Coefficients []float64 // a₀, a₁, …
}

// Eval returns Σ aₙ·k(x, y)ⁿ.
func (k Series[T]) Eval(x, y T) float64 { return horner(k.Coefficients, k.Of.Eval(x, y)) }

// String returns series(of=k, coefficients=[a₀, a₁, …]).
func (k Series[T]) String() string {
	return "series(of=" + k.Of.String() + ", coefficients=" + numbers(k.Coefficients) + ")"
}

// Parts returns the kernel whose powers are summed.
func (k Series[T]) Parts() []Kernel[T] { return []Kernel[T]{k.Of} }

// Combine sums the series.
func (k Series[T]) Combine(dst []float64, parts [][]float64) {
	for i, v := range parts[0] {
		dst[i] = horner(k.Coefficients, v)
	}
}

// horner returns Σ aₙ·vⁿ.
func horner(a []float64, v float64) float64 {
	sum := 0.0
	for n := len(a) - 1; n >= 0; n-- {
		sum = sum*v + a[n]
	}
	return sum
}

// Parameters returns those of the parts.
func (k Series[T]) Parameters() []Parameter { return parametersOf(nil, k.Parts()...) }

// With returns the kernel with other parameters of its parts.
func (k Series[T]) With(values []float64) (Kernel[T], error) { return with[T](k, values) }

// EvalGrad follows the chain rule; see [Gradient].
func (k Series[T]) EvalGrad(grad []float64, x, y T) float64 { return chain[T](k, grad, x, y) }

// EvalBig evaluates the parts exactly; see [IsExact].
func (k Series[T]) EvalBig(x, y T, prec uint) (*big.Float, error) { return expanded[T](k, x, y, prec) }

// NotExact names a part that is not exact.
func (k Series[T]) NotExact() error { return notExact(k.Parts()...) }

// NotDifferentiable names a part that is not differentiable.
func (k Series[T]) NotDifferentiable() error { return notDifferentiable(k.Parts()...) }

func (k Series[T]) arity() int { return arities(k.Parts()) }

func (k Series[T]) rebuilt(parts []Kernel[T]) Kernel[T] {
	return Series[T]{Of: parts[0], Coefficients: k.Coefficients}
}

func (k Series[T]) slopes(dst, v []float64) float64 {
	slope := 0.0
	for n := len(k.Coefficients) - 1; n > 0; n-- {
		slope = slope*v[0] + float64(n)*k.Coefficients[n]
	}
	dst[0] = slope
	return horner(k.Coefficients, v[0])
}

func (k Series[T]) expand(v []*big.Float, prec uint) (*big.Float, int, error) {
	terms := make([]*big.Float, len(k.Coefficients))
	power := new(big.Float).SetPrec(prec).SetInt64(1)
	for n, c := range k.Coefficients {
		term, err := exactly(c, prec)
		if err != nil {
			return nil, 0, err
		}
		terms[n] = term.Mul(term, power)
		power.Mul(power, v[0])
	}
	sum, lost := sumBig(terms, prec)
	return sum, lost + bits(len(terms)), nil
}

// Features returns Σ C(d+n−1, n) over the aₙ > 0 for the d features of the part, and
// false beyond a million or with a negative coefficient.
func (k Series[T]) Features(like T) (dim int, ok bool) {
	d, ok := features(k.Of, like)
	if !ok {
		return 0, false
	}
	for n, c := range k.Coefficients {
		size := 0
		if c != 0 {
			size, ok = symmetricSize(d, n)
		}
		if dim += size; !ok || !(c >= 0) || dim > maxFeatures {
			return 0, false
		}
	}
	return dim, true
}

// Map stores √aₙ times the symmetric tensor powers of the map of the part.
func (k Series[T]) Map(phi []float64, x T) {
	u := mapOf(k.Of, x)
	for n, c := range k.Coefficients {
		switch {
		case c == 0 || len(u) == 0 && n > 0:
		default:
			phi = symmetricPower(phi, u, n, math.Sqrt(c))
		}
	}
}

// Derive applies the rules of sums, factors and powers.
func (k Series[T]) Derive() Derivation {
	d := premises(k, k.Of)
	for n, c := range k.Coefficients {
		if !(c >= 0) {
			d.Reason = fmt.Sprintf("the coefficient of k^%d is %v: only non-negative coefficients are covered by the rules of sums and powers", n, c)
			return d
		}
	}
	return concluded(d, "Σ aₙkⁿ with aₙ ≥ 0 is a sum of non-negative multiples of powers; the list is finite, so it converges everywhere (an infinite series would only within its radius of convergence)")
}

// Reference describes the kernel.
func (k Series[T]) Reference() Reference {
	return Reference{
		Name: "series", Title: "power series in a kernel", Formula: "Σ aₙ k(x, y)ⁿ", Domain: "that of k; aₙ ≥ 0",
		Equivalents: []string{"a = " + numbers(k.Coefficients), "k = " + k.Of.String()},
		Source:      seriesSource, SeeAlso: []string{"power", "exp"},
	}
}
