package kernel

// assembled is what the elementwise kernels of the algebra know of themselves. From it
// the product and chain rules, exact evaluation and the parameters follow once for
// all of them.
type assembled[T any] interface {
	Compound[T]
	// rebuilt returns the same kernel of other parts.
	rebuilt(parts []Kernel[T]) Kernel[T]
	// slopes stores ∂f/∂vₚ for the values v of the parts and returns f(v).
	slopes(dst, v []float64) float64
	expander
}

// conditional is implemented by kernels that are made of other kernels: they have the
// methods of [Exact] and [Differentiable], but keep the promise only where their
// parts do. Each method returns nil, or an error that names the part that does not.
// Ask through [IsExact] and [Gradient].
type conditional interface {
	NotExact() error
	NotDifferentiable() error
}
