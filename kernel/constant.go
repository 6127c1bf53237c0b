package kernel

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
