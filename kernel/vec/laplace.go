package vec

import (
	"math"
	"math/big"
	"math/rand/v2"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/tile"
)

// Laplace is the exponential kernel with the Euclidean norm
//
//	k(x, y) = exp(−√(Σⱼ ((xⱼ−yⱼ)/σⱼ)²)),   which for one σ is exp(−‖x−y‖₂/σ).
//
// Sigma > 0 is the width for all columns (0 means 1); Widths, where it is not nil, has one per
// column instead. In other units gamma = 1/σ and lengthscale = σ.
//
// It is positive definite on ℝᵈ: exp(−√q) is a mixture of Gaussians in q (a
// completely monotone function, Schoenberg 1938). It is [Matern] with ν = ½. See
// also [Laplace1], with the sum of absolute differences, which other libraries call
// "laplacian".
type Laplace struct {
	member
	Sigma  float64
	Widths []float64
}

// Eval returns exp(−√(Σⱼ ((xⱼ−yⱼ)/σⱼ)²)).
func (k Laplace) Eval(x, y []float64) float64 {
	return math.Exp(-math.Sqrt(k.widths().squared(x, y)))
}

// String returns laplace(sigma=…).
func (k Laplace) String() string { return "laplace(sigma=" + k.widths().String() + ")" }

// Contains refuses points with NaN or infinite coordinates, or with another number
// of coordinates than there are widths.
func (k Laplace) Contains(x []float64) error { return k.widths().contain("laplace", x) }

func (k Laplace) kappa(q float64) (value, qslope float64) {
	r := math.Sqrt(q)
	value = math.Exp(-r)
	if value == 0 {
		return 0, 0
	}
	return value, -0.5 * r * value
}

func (k Laplace) profile(c *compiler, sigma float64) { c.op(tile.OpExpNegRoot, 1/sigma, 0) }
func (k Laplace) widths() widths                     { return widthsOf(k.Sigma, k.Widths) }
func (k Laplace) emit(c *compiler)                   { emitRadial(c, k) }

// Parameters returns the widths.
func (k Laplace) Parameters() []kernel.Parameter { return k.widths().parameters() }

// With returns the kernel with other widths.
func (k Laplace) With(values []float64) (Kernel, error) {
	w, err := k.widths().with("laplace", values)
	k.Sigma, k.Widths = w.fields()
	return k, err
}

// EvalGrad stores ∂k/∂ln σⱼ = k·((xⱼ−yⱼ)/σⱼ)²/r, r the scaled distance.
func (k Laplace) EvalGrad(grad, x, y []float64) float64 {
	return widthGradient(k, grad, x, y)
}

// EvalBig returns k(x, y) to prec bits.
func (k Laplace) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		r := c.Call(bigmath.Sqrt, c.squared(k.widths(), x, y))
		return c.Call(bigmath.Exp, c.Mul(c.Of(-1), r))
	})
}

// FeatureConstruction draws frequencies from a multivariate Cauchy law: Gaussian ones divided by an
// independent normal number.
func (k Laplace) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	return stationary(construction.Law{Scale: k.widths().reciprocals(), Radial: func(r *rand.Rand) float64 { return 1 / math.Abs(r.NormFloat64()) }}, like)
}

// Derive cites Schoenberg's theorem on completely monotone functions.
func (k Laplace) Derive() kernel.Derivation {
	return proof(k, "exp(−√q) is completely monotone, so a mixture of Gaussians in the squared distance q (Schoenberg 1938)")
}

// Reference describes the kernel and its equivalent parameters.
func (k Laplace) Reference() kernel.Reference {
	w := k.widths()
	return kernel.Reference{
		Name: "laplace", Title: "exponential kernel, Euclidean norm",
		Formula: w.formula("exp(−‖x−y‖₂/σ)", "exp(−√(Σⱼ ((xⱼ−yⱼ)/σⱼ)²))"),
		Domain:  "x, y ∈ ℝᵈ; σ > 0",
		Equivalents: []string{
			w.equivalent("sigma", same), w.equivalent("gamma = 1/σ", inverse), w.equivalent("lengthscale", same),
			"matern(nu=0.5, sigma=" + w.String() + ")",
		},
		Source:  "Schoenberg, Metric spaces and completely monotone functions, Ann. Math. 39 (1938)",
		SeeAlso: []string{"laplace1", "matern", "rbf"},
	}
}
