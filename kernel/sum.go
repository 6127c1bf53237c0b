package kernel

// Sum is the kernel k₁(x, y) + k₂(x, y) + …, added from left to right. It is
// positive definite where every term is; its map is the direct sum of their maps.
// The empty sum is 0.
type Sum[T any] struct {
	Terms []Kernel[T]
}

// Eval returns Σ kᵢ(x, y).
func (k Sum[T]) Eval(x, y T) float64 {
	sum := 0.0
	for _, term := range k.Terms {
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
	for i := range dst {
		sum := 0.0
		for _, part := range parts {
			sum += part[i]
		}
		dst[i] = sum
	}
}
