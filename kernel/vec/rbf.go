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

// RBF is the Gaussian radial basis function
//
//	k(x, y) = exp(−½ Σⱼ ((xⱼ−yⱼ)/σⱼ)²),   which for one σ is exp(−‖x−y‖²/(2σ²)).
//
// Sigma > 0 is the width for all columns (0 means 1); Widths, where it is not nil, has one per
// column instead. In other units gamma = 1/(2σ²) and lengthscale = σ.
//
// It is positive definite on ℝᵈ for every σ: the Fourier transform of a Gaussian is
// a Gaussian, hence positive (Bochner 1933; Schoenberg, Trans. AMS 44, 1938). See
// also [RQ], a mixture of Gaussians, and [Matern], which tends to it for ν → ∞.
type RBF struct {
	member
	Sigma  float64
	Widths []float64
}

// Eval returns exp(−½ Σⱼ ((xⱼ−yⱼ)/σⱼ)²).
func (k RBF) Eval(x, y []float64) float64 {
	return math.Exp(-0.5 * k.widths().squared(x, y))
}

// String returns rbf(sigma=…).
func (k RBF) String() string { return "rbf(sigma=" + k.widths().String() + ")" }

// Contains refuses points with NaN or infinite coordinates, or with another number
// of coordinates than there are widths.
func (k RBF) Contains(x []float64) error { return k.widths().contain("rbf", x) }

func (k RBF) kappa(q float64) (value, qslope float64) {
	value = math.Exp(-0.5 * q)
	if value == 0 {
		return 0, 0 // q may be infinite
	}
	return value, -0.5 * q * value
}

func (k RBF) profile(c *compiler, sigma float64) { c.op(tile.OpExpNeg, 0.5/sigma/sigma, 0) }
func (k RBF) widths() widths                     { return widthsOf(k.Sigma, k.Widths) }
func (k RBF) emit(c *compiler)                   { emitRadial(c, k) }

// Parameters returns the widths.
func (k RBF) Parameters() []kernel.Parameter { return k.widths().parameters() }

// With returns the kernel with other widths.
func (k RBF) With(values []float64) (Kernel, error) {
	w, err := k.widths().with("rbf", values)
	k.Sigma, k.Widths = w.fields()
	return k, err
}

// EvalGrad stores ∂k/∂ln σⱼ = k·((xⱼ−yⱼ)/σⱼ)².
func (k RBF) EvalGrad(grad, x, y []float64) float64 {
	return widthGradient(k, grad, x, y)
}

// EvalBig returns k(x, y) to prec bits.
func (k RBF) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		half := c.Mul(c.Of(-0.5), c.squared(k.widths(), x, y))
		return c.Call(bigmath.Exp, half)
	})
}

// FeatureConstruction draws frequencies ω ~ N(0, 1/σ²).
func (k RBF) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	return stationary(construction.Law{Scale: k.widths().reciprocals(), Radial: func(*rand.Rand) float64 { return 1 }}, like)
}

// Derive cites Bochner's theorem.
func (k RBF) Derive() kernel.Derivation {
	return proof(k, "the Fourier transform of a Gaussian is a positive Gaussian (Bochner's theorem; Schoenberg 1938)")
}

// Reference describes the kernel and its equivalent parameters.
func (k RBF) Reference() kernel.Reference {
	w := k.widths()
	return kernel.Reference{
		Name: "rbf", Title: "Gaussian radial basis function",
		Formula: w.formula("exp(−‖x−y‖²/(2σ²))", "exp(−½ Σⱼ ((xⱼ−yⱼ)/σⱼ)²)"),
		Domain:  "x, y ∈ ℝᵈ; σ > 0",
		Equivalents: []string{
			w.equivalent("sigma", same), w.equivalent("gamma = 1/(2σ²)", halfInverse),
			w.equivalent("lengthscale", same), w.equivalent("precision = 1/σ²", inverseSquare),
		},
		Source:  "Schoenberg, Metric spaces and positive definite functions, Trans. AMS 44 (1938)",
		SeeAlso: []string{"laplace", "matern", "rq"},
	}
}
