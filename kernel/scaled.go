package kernel

// Scaled is the kernel c·k(x, y). It is positive definite for c ≥ 0 where k is.
// Written as a product with a number in front: 0.5*k.
type Scaled[T any] struct {
	Factor float64 // c
	Of     Kernel[T]
}

// Eval returns c·k(x, y).
func (k Scaled[T]) Eval(x, y T) float64 { return k.Factor * k.Of.Eval(x, y) }

// String returns c*k.
func (k Scaled[T]) String() string { return number(k.Factor) + "*" + enclose(k.Of, looseProduct) }

func (k Scaled[T]) binds() int { return looseProduct }

// Parts returns the kernel that is scaled.
func (k Scaled[T]) Parts() []Kernel[T] { return []Kernel[T]{k.Of} }

// Combine multiplies by c.
func (k Scaled[T]) Combine(dst []float64, parts [][]float64) {
	for i, v := range parts[0] {
		dst[i] = k.Factor * v
	}
}
