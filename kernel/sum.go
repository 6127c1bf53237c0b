package kernel

import (
	"math/big"
)

// Sum is the kernel k₁(x, y) + k₂(x, y) + …, added from left to right. It is
// positive definite where every term is; its map is the direct sum of their maps.
// The empty sum is 0.
type Sum[T any] struct {
	Terms []Kernel[T]
}

// Eval returns Σ kᵢ(x, y).
func (k Sum[T]) Eval(x, y T) float64 {
	if len(k.Terms) == 0 {
		return 0
	}
	sum := k.Terms[0].Eval(x, y) // not 0 + …, which would lose the sign of −0
	for _, term := range k.Terms[1:] {
		sum += term.Eval(x, y)
	}
	return sum
}

// String returns k₁ + k₂ + ….
func (k Sum[T]) String() string {
	if len(k.Terms) == 0 {
		return "0"
	}
	return joined(k.Terms, " + ", looseSum, 0)
}

func (k Sum[T]) binds() int {
	switch len(k.Terms) {
	case 0:
		return atom
	case 1:
		return bindingOf(k.Terms[0])
	}
	return looseSum
}

// Parts returns the terms.
func (k Sum[T]) Parts() []Kernel[T] { return k.Terms }

// Combine adds the terms in order.
func (k Sum[T]) Combine(dst []float64, parts [][]float64) {
	if len(parts) == 0 {
		clear(dst)
		return
	}
	for i := range dst {
		sum := parts[0][i]
		for _, part := range parts[1:] {
			sum += part[i]
		}
		dst[i] = sum
	}
}

// Parameters returns those of the parts.
func (k Sum[T]) Parameters() []Parameter { return parametersOf(nil, k.Parts()...) }

// With returns the kernel with other parameters of its parts.
func (k Sum[T]) With(values []float64) (Kernel[T], error) { return with[T](k, values) }

// EvalGrad follows the chain rule; see [Gradient].
func (k Sum[T]) EvalGrad(grad []float64, x, y T) float64 { return chain[T](k, grad, x, y) }

// EvalBig evaluates the parts exactly; see [IsExact].
func (k Sum[T]) EvalBig(x, y T, prec uint) (*big.Float, error) { return expanded[T](k, x, y, prec) }

// NotExact names a part that is not exact.
func (k Sum[T]) NotExact() error { return notExact(k.Parts()...) }

// NotDifferentiable names a part that is not differentiable.
func (k Sum[T]) NotDifferentiable() error { return notDifferentiable(k.Parts()...) }

func (k Sum[T]) arity() int { return arities(k.Parts()) }

func (k Sum[T]) rebuilt(parts []Kernel[T]) Kernel[T] { return Sum[T]{Terms: parts} }

func (k Sum[T]) slopes(dst, v []float64) (sum float64) {
	for i, vi := range v {
		dst[i] = 1
		sum += vi
	}
	return sum
}

func (k Sum[T]) expand(v []*big.Float, prec uint) (*big.Float, int, error) {
	sum, lost := sumBig(v, prec)
	return sum, lost, nil
}

// Features returns the total length of the maps, and false where a term has none.
func (k Sum[T]) Features(like T) (dim int, ok bool) {
	for _, term := range k.Terms {
		n, ok := features(term, like)
		if dim += n; !ok || dim > maxFeatures {
			return 0, false
		}
	}
	return dim, true
}

// Map stores the maps of the terms one after the other.
func (k Sum[T]) Map(phi []float64, x T) {
	for _, term := range k.Terms {
		phi = phi[copy(phi, mapOf(term, x)):]
	}
}

// Derive applies the rule of sums.
func (k Sum[T]) Derive() Derivation {
	d := premises(k, k.Terms...)
	if len(d.From) == 1 {
		return alone(d, "a sum of one kernel is that kernel")
	}
	return concluded(d, "a sum of positive definite kernels is positive definite: aᵀ(K₁ + K₂)a = aᵀK₁a + aᵀK₂a")
}

// Reference describes the kernel.
func (k Sum[T]) Reference() Reference {
	return Reference{
		Name: "sum", Title: "sum of kernels", Formula: "k₁(x, y) + k₂(x, y) + …", Domain: "where every term is defined",
		Equivalents: texts("k", k.Terms), Source: "Aronszajn, Theory of reproducing kernels (1950), I §6",
		SeeAlso: []string{"product"},
	}
}
