package kernel

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
