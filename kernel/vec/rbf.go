package vec

import (
	"math"
	"math/big"
	"math/rand/v2"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/tile"
)

// RBF is the Gaussian radial basis function
//
//	k(x, y) = exp(−½ Σⱼ ((xⱼ−yⱼ)/σⱼ)²),   which for one σ is exp(−‖x−y‖²/(2σ²)).
//
// Sigma holds one width for all columns or one per column, each above 0; none means
// σ = 1. In other units gamma = 1/(2σ²) and lengthscale = σ.
//
// It is positive definite on ℝᵈ for every σ: the Fourier transform of a Gaussian is
// a Gaussian, hence positive (Bochner 1933; Schoenberg, Trans. AMS 44, 1938). See
// also [RQ], a mixture of Gaussians, and [Matern], which tends to it for ν → ∞.
type RBF struct {
	member
	Sigma []float64
}

// Eval returns exp(−½ Σⱼ ((xⱼ−yⱼ)/σⱼ)²).
func (k RBF) Eval(x, y []float64) float64 {
	return math.Exp(-0.5 * squared(widths(k.Sigma), x, y))
}

// String returns rbf(sigma=…).
func (k RBF) String() string { return "rbf(sigma=" + list(widths(k.Sigma)) + ")" }

// Contains refuses points with NaN or infinite coordinates, or with another number
// of coordinates than there are widths.
func (k RBF) Contains(x []float64) error { return withinWidths("rbf", k.Sigma, x) }

func (k RBF) kappa(q float64) (value, qslope float64) {
	value = math.Exp(-0.5 * q)
	if value == 0 {
		return 0, 0 // q may be infinite
	}
	return value, -0.5 * q * value
}

func (k RBF) profile(c *compiler, sigma float64) { c.op(tile.OpExpNeg, 0.5/sigma/sigma, 0) }
func (k RBF) scales() []float64                  { return widths(k.Sigma) }
func (k RBF) emit(c *compiler)                   { emitSquared(c, k, widths(k.Sigma)) }

// Parameters returns the widths.
func (k RBF) Parameters() []kernel.Parameter { return widthParameters(widths(k.Sigma)) }

// With returns the kernel with other widths.
func (k RBF) With(values []float64) (Kernel, error) {
	sigma, err := withWidths("rbf", widths(k.Sigma), values)
	return RBF{Sigma: sigma}, err
}

// EvalGrad stores ∂k/∂ln σⱼ = k·((xⱼ−yⱼ)/σⱼ)².
func (k RBF) EvalGrad(grad, x, y []float64) float64 {
	return widthGradient(k, widths(k.Sigma), grad, x, y)
}

// EvalBig returns k(x, y) to prec bits.
func (k RBF) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		half := c.mul(c.of(-0.5), c.squared(widths(k.Sigma), x, y))
		return c.call(bigmath.Exp, half)
	})
}

// Recipe draws frequencies ω ~ N(0, 1/σ²).
func (k RBF) Recipe(like []float64) (kernel.Recipe[[]float64], error) {
	return recipe(kernel.Law{Scale: reciprocals(widths(k.Sigma)), Radial: func(*rand.Rand) float64 { return 1 }}, like)
}

// Derive cites Bochner's theorem.
func (k RBF) Derive() kernel.Derivation {
	return proof(k, "the Fourier transform of a Gaussian is a positive Gaussian (Bochner's theorem; Schoenberg 1938)")
}

// Card describes the kernel and its equivalent parameters.
func (k RBF) Card() kernel.Card {
	s := widths(k.Sigma)
	return kernel.Card{
		Name: "rbf", Title: "Gaussian radial basis function",
		Formula: forWidths(s, "exp(−‖x−y‖²/(2σ²))", "exp(−½ Σⱼ ((xⱼ−yⱼ)/σⱼ)²)"),
		Domain:  "x, y ∈ ℝᵈ; σ > 0",
		Equivalents: []string{
			each("sigma", s, same), each("gamma = 1/(2σ²)", s, halfInverse),
			each("lengthscale", s, same), each("precision = 1/σ²", s, inverseSquare),
		},
		Source:  "Schoenberg, Metric spaces and positive definite functions, Trans. AMS 44 (1938)",
		SeeAlso: []string{"laplace", "matern", "rq"},
	}
}
