package loss

// Loss is a loss function. For the solvers of this module Value must be bounded below
// and continuously differentiable in f, with Gradient = ∂ℓ/∂f; Curvature is ∂²ℓ/∂f²
// where it exists and one of its limits where it jumps. It must be convex in f unless it
// is [Nonconvex]. Losses with corners are [Piecewise].
type Loss interface {
	Value(y, f float64) float64
	Gradient(y, f float64) float64
	Curvature(y, f float64) float64
	// String names the loss with its parameters.
	String() string
}

// Majorant is a loss that knows the curvature c of a parabola which touches it at f and
// is nowhere below it: ℓ(f + d) ≤ ℓ(f) + ℓ′(f)d + c·d²/2. It lets a solver go on where
// Newton's step is too long, and find the way down where the curvature is negative.
type Majorant interface {
	Loss
	Majorize(y, f float64) float64
}

// Piecewise is a convex loss of at most three straight pieces,
//
//	ℓ(y, f) = up·max(at − f − width, 0) + down·max(f − at − width, 0)
//
// with up, down and width ≥ 0. Gradient is any number between the slopes at a corner.
type Piecewise interface {
	Loss
	Pieces(y float64) (at, up, down, width float64)
}

// Scalable is a loss whose corner is a multiple of the scale of the residuals.
type Scalable interface {
	Loss
	// Scaled returns the scale, 0 if it is to be estimated.
	Scaled() float64
	// WithScale returns the loss with another scale.
	WithScale(scale float64) Loss
}

// Nonconvex is a loss with local minima.
type Nonconvex interface {
	Majorant
	Nonconvex()
}
