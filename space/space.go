package space

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
)

// Space is the span in which functions f = (f₁ … f_m) are sought: their coordinates θ are a
// matrix with one column per function, and covectors (gradients) have the same shape. It is for
// one goroutine.
type Space interface {
	// Dims returns the number of rows n of the data and of coordinates of a function.
	Dims() (rows, coordinates int)
	// Centre prepares for functions with a free constant: the origin becomes the weighted mean
	// of the rows where that keeps digits. nil weights are ones. It comes first, and once; its
	// pass over the rows is a step of the checkpoint of o.
	Centre(ctx context.Context, weights []float64, o compute.Options) error
	// Constants returns the constants about the caller's origin of functions with the
	// coordinates theta and the constants bias.
	Constants(theta *mat.Dense, bias []float64) []float64
	// Values stores f(xᵢ), without b, in dst (n×m).
	Values(ctx context.Context, dst, theta *mat.Dense) error
	// Adjoint adds the covector of Σ gᵢ·f(xᵢ) to dst; g is n×m.
	Adjoint(ctx context.Context, dst, g *mat.Dense) error
	// Inner applies a covector to the function with coordinates theta and values
	// values. Coordinates are a covector too, that of ⟨f, ·⟩.
	Inner(covector, theta, values *mat.Dense) float64
	// Norm2 is the squared length of a covector.
	Norm2(ctx context.Context, covector *mat.Dense) (float64, error)
	// Weigh factors the Hessian of ½ Σ vᵢ(f(xᵢ) + b)² + (R/2)‖f‖², vᵢ ≥ 0, not all
	// zero, R = ridge; constant says whether b is free or 0. The factor is valid until the
	// next call. With g it returns the covector of Σ gᵢ·f(xᵢ) as well, see Adjoint, from the
	// same pass over the rows; g is n×m or nil.
	Weigh(ctx context.Context, v []float64, ridge float64, constant bool, g *mat.Dense) (Factor, *mat.Dense, error)
}

// Spanned is what a [Space] also is where coordinates are coefficients of the rows: R·θᵢ is the
// pull of row i, without the rounding of computing it from the values.
type Spanned interface {
	Coefficients(theta *mat.Dense) *mat.Dense
}

// Gramian is what a [Space] also is that can give the matrix K of the inner products of its rows,
// less the mean where that is left to the constants. It must not be written.
type Gramian interface {
	Gram(ctx context.Context) (*mat.SymDense, error)
}

// Factor is a factored Hessian.
type Factor interface {
	// Solve returns the θ and b at which the Hessian gives the covector and, for the
	// constants, beta (nil without a constant). The columns are systems of their own.
	Solve(ctx context.Context, covector *mat.Dense, beta []float64) (theta *mat.Dense, bias []float64, err error)
	// Variances stores φᵢᵀH⁻¹φᵢ for each row, the constant included: what the value
	// of row i moves per unit of its gradient. It takes n³ multiplications in the
	// dual with a Cholesky factor, 2nD² in the primal.
	Variances(ctx context.Context, dst []float64) error
	// LeaveOneOut stores 1 − hᵢ for each row, hᵢ = vᵢφᵢᵀH⁻¹φᵢ its leverage: n³/3
	// multiplications in the dual, 2nD² in the primal.
	LeaveOneOut(ctx context.Context, dst []float64) error
	// LogDet returns ln|V^½KV^½ + R·I|, a row of weight zero being ln R of it; with a constant
	// ln 1ᵀ(K + R·V⁻¹)⁻¹1 more, so that it does not depend on the origin.
	LogDet() float64
	// Trace returns Σ vᵢ‖φ(xᵢ)‖² about the caller's origin: rounding errors of the system are
	// relative to it.
	Trace(ctx context.Context) (float64, error)
}
