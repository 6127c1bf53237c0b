package loss

// Loss is a loss function. For the solvers of this module Value must be bounded below
// and continuously differentiable in f, with Gradient = ∂ℓ/∂f; Curvature is ∂²ℓ/∂f²
// where it exists and one of its limits where it jumps. Losses with corners are
// [Piecewise].
type Loss interface {
	Value(y, f float64) float64
	Gradient(y, f float64) float64
	Curvature(y, f float64) float64
	// String names the loss with its parameters.
	String() string
}
