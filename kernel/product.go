package kernel

import (
	"math/big"
)

// Product is the kernel k₁(x, y)·k₂(x, y)·…, multiplied from right to left, so that
// c·(k₁·k₂) and c·k₁·k₂ have the same bits. It is positive definite where every
// factor is (Schur's product theorem); its map is the tensor product of their maps.
// The empty product is 1.
type Product[T any] struct {
	Factors []Kernel[T]
}

// Eval returns Π kᵢ(x, y).
func (k Product[T]) Eval(x, y T) float64 {
	product := 1.0
	for i := len(k.Factors) - 1; i >= 0; i-- {
		product *= k.Factors[i].Eval(x, y)
	}
	return product
}

// String returns k₁*k₂*….
func (k Product[T]) String() string {
	if len(k.Factors) == 0 {
		return "1"
	}
	return joined(k.Factors, "*", looseProduct, len(k.Factors)-1)
}

func (k Product[T]) binds() int {
	switch len(k.Factors) {
	case 0:
		return atom
	case 1:
		return bindingOf(k.Factors[0])
	}
	return looseProduct
}

// Parts returns the factors.
func (k Product[T]) Parts() []Kernel[T] { return k.Factors }

// Combine multiplies the factors from right to left.
func (k Product[T]) Combine(dst []float64, parts [][]float64) {
	for i := range dst {
		product := 1.0
		for p := len(parts) - 1; p >= 0; p-- {
			product *= parts[p][i]
		}
		dst[i] = product
	}
}

// Parameters returns those of the parts.
func (k Product[T]) Parameters() []Parameter { return parametersOf(nil, k.Parts()...) }

// With returns the kernel with other parameters of its parts.
func (k Product[T]) With(values []float64) (Kernel[T], error) { return with[T](k, values) }

// EvalGrad follows the chain rule; see [Gradient].
func (k Product[T]) EvalGrad(grad []float64, x, y T) float64 { return chain[T](k, grad, x, y) }

// EvalBig evaluates the parts exactly; see [IsExact].
func (k Product[T]) EvalBig(x, y T, prec uint) (*big.Float, error) { return expanded[T](k, x, y, prec) }

// NotExact names a part that is not exact.
func (k Product[T]) NotExact() error { return notExact(k.Parts()...) }

// NotDifferentiable names a part that is not differentiable.
func (k Product[T]) NotDifferentiable() error { return notDifferentiable(k.Parts()...) }

func (k Product[T]) arity() int { return arities(k.Parts()) }

func (k Product[T]) rebuilt(parts []Kernel[T]) Kernel[T] { return Product[T]{Factors: parts} }

// slopes multiplies what stands left and right of each factor, so that a zero factor
// needs no division.
func (k Product[T]) slopes(dst, v []float64) float64 {
	right := 1.0
	for i := len(v) - 1; i >= 0; i-- {
		dst[i] = right
		right *= v[i]
	}
	left := 1.0
	for i, vi := range v {
		dst[i] *= left
		left *= vi
	}
	return right
}

func (k Product[T]) expand(v []*big.Float, prec uint) (*big.Float, int, error) {
	product := new(big.Float).SetPrec(prec).SetInt64(1)
	for _, factor := range v {
		product.Mul(product, factor)
	}
	return product, bits(len(v)), nil
}

// Features returns the product of the lengths of the maps, and false where a factor
// has none or the product exceeds a million.
func (k Product[T]) Features(like T) (dim int, ok bool) {
	dim = 1
	for _, factor := range k.Factors {
		n, ok := features(factor, like)
		if dim *= n; !ok || dim > maxFeatures {
			return 0, false
		}
	}
	return dim, true
}

// Map stores the tensor product of the maps, the index of the last factor running
// fastest.
func (k Product[T]) Map(phi []float64, x T) {
	tensor := []float64{1}
	for _, factor := range k.Factors {
		next := mapOf(factor, x)
		wider := make([]float64, 0, len(tensor)*len(next))
		for _, u := range tensor {
			for _, v := range next {
				wider = append(wider, u*v)
			}
		}
		tensor = wider
	}
	copy(phi, tensor)
}

// Derive applies Schur's product theorem.
func (k Product[T]) Derive() Derivation {
	d := premises(k, k.Factors...)
	if len(d.From) == 1 {
		return alone(d, "a product of one kernel is that kernel")
	}
	return concluded(d, "a product of positive definite kernels is positive definite (Schur's product theorem): its map is the tensor product φ₁⊗φ₂")
}

// Reference describes the kernel.
func (k Product[T]) Reference() Reference {
	return Reference{
		Name: "product", Title: "product of kernels", Formula: "k₁(x, y)·k₂(x, y)·…", Domain: "where every factor is defined",
		Equivalents: texts("k", k.Factors), Source: "Schur (1911), Theorem VII; Aronszajn, Theory of reproducing kernels (1950), I §8",
		SeeAlso: []string{"sum", "power"},
	}
}
