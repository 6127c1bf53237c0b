package kernel

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
