package newton

import (
	"context"

	"gonum.org/v1/gonum/mat"
)

// Space is where functions f = (f₁ … f_m) are found: their coordinates θ are a matrix
// with one column per function, and covectors (gradients) have the same shape.
type Space interface {
	// Dims returns the number of rows n of the data and of coordinates of a function.
	Dims() (rows, coordinates int)
	// Ridge is R, Intercept whether constants b are free.
	Ridge() float64
	Intercept() bool
	// Values stores f(xᵢ), without b, in dst (n×m).
	Values(ctx context.Context, dst, theta *mat.Dense) error
	// Gradient stores the gradient of Σ gᵢ·f(xᵢ) + (R/2)‖f‖² with respect to f, g n×m.
	Gradient(ctx context.Context, dst, g, theta *mat.Dense) error
	// Inner applies a covector to the function with coordinates theta and values
	// values. Coordinates are a covector too, that of ⟨f, ·⟩.
	Inner(covector, theta, values *mat.Dense) float64
	// Norm2 is the squared length of a covector.
	Norm2(ctx context.Context, covector *mat.Dense) (float64, error)
	// Weigh factors the Hessian of ½ Σ vᵢ(f(xᵢ) + b)² + (R/2)‖f‖², vᵢ ≥ 0, not all
	// zero. The factor is valid until the next call.
	Weigh(ctx context.Context, v []float64) (Factor, error)
	// Finish returns the constants for functions of the caller's points.
	Finish(theta *mat.Dense, bias []float64) []float64
}

// Spanned is a space whose coordinates are coefficients of the rows: R·θᵢ is the pull of
// row i, without the rounding of computing it from the values.
type Spanned interface {
	Space
	Coefficients(theta *mat.Dense) *mat.Dense
}

// Gramian is a space that can give the matrix K of the inner products of its rows, less
// the mean where that is left to the constants. It must not be written.
type Gramian interface {
	Space
	Gram(ctx context.Context) (*mat.SymDense, error)
}

// Factor is a factored Hessian.
type Factor interface {
	// Solve returns the θ and b at which the Hessian gives the covector and, for the
	// constants, beta (nil without an intercept).
	Solve(ctx context.Context, covector *mat.Dense, beta []float64) (theta *mat.Dense, bias []float64, err error)
	// Variances stores φᵢᵀH⁻¹φᵢ for each row, the intercept included: what the value
	// of row i moves per unit of its gradient. It takes 2n³ multiplications in the
	// dual, 2nD² in the primal.
	Variances(ctx context.Context, dst []float64) error
}

// Extensible is a factor that knows the variances of values at other points.
type Extensible interface {
	Factor
	// VariancesAt replaces k(x, x) in dst by the variances at points x whose kernel
	// values k(xᵢ, x) are the columns of cross (n × len(dst)).
	VariancesAt(ctx context.Context, dst []float64, cross *mat.Dense) error
}

// Function is a point of the space: coordinates, constants (nil without an intercept)
// and the values of the rows without the constants.
type Function struct {
	Theta  *mat.Dense
	Bias   []float64
	Values *mat.Dense
}

// Zero returns the function f = 0, b = 0 with m outputs.
func Zero(s Space, m int) *Function {
	n, d := s.Dims()
	f := &Function{Theta: mat.NewDense(d, m, nil), Values: mat.NewDense(n, m, nil)}
	if s.Intercept() {
		f.Bias = make([]float64, m)
	}
	return f
}

// Predictor stores f(xᵢ) + b in dst (n×m).
func (f *Function) Predictor(dst *mat.Dense) {
	dst.Copy(f.Values)
	for i := range dst.RawMatrix().Rows {
		row := dst.RawRowView(i)
		for c, b := range f.Bias {
			row[c] += b
		}
	}
}

// plus returns f + t·d.
func (f *Function) plus(t float64, d *Function) *Function {
	out := &Function{Theta: mat.DenseCopyOf(f.Theta), Values: mat.DenseCopyOf(f.Values)}
	addScaled(out.Theta, t, d.Theta)
	addScaled(out.Values, t, d.Values)
	for c, b := range f.Bias {
		out.Bias = append(out.Bias, b+t*d.Bias[c])
	}
	return out
}

// addScaled adds t·x to dst.
func addScaled(dst *mat.Dense, t float64, x *mat.Dense) {
	for i := range dst.RawMatrix().Rows {
		row := dst.RawRowView(i)
		for c, v := range x.RawRowView(i) {
			row[c] += t * v
		}
	}
}

// elementwise returns Σ aᵢⱼbᵢⱼ.
func elementwise(a, b *mat.Dense) float64 {
	sum := 0.0
	for i := range a.RawMatrix().Rows {
		rb := b.RawRowView(i)
		for c, v := range a.RawRowView(i) {
			sum += v * rb[c]
		}
	}
	return sum
}

// columnSums returns 1ᵀa.
func columnSums(a *mat.Dense) []float64 {
	sums := make([]float64, a.RawMatrix().Cols)
	for i := range a.RawMatrix().Rows {
		for c, v := range a.RawRowView(i) {
			sums[c] += v
		}
	}
	return sums
}

// dot returns Σ aᵢbᵢ; either may be nil, which is zero.
func dot(a, b []float64) float64 {
	sum := 0.0
	for i := range min(len(a), len(b)) {
		sum += a[i] * b[i]
	}
	return sum
}
