package vec

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/tile"
)

// RQ is the rational quadratic kernel
//
//	k(x, y) = (1 + Σⱼ ((xⱼ−yⱼ)/σⱼ)²/(2α))^−α,   for one σ (1 + ‖x−y‖²/(2ασ²))^−α.
//
// Alpha > 0 (0 means 1) says how much the widths are mixed. Sigma > 0 is the width for all
// columns (0 means 1); Widths, where it is not nil, has one per column instead. lengthscale = σ.
//
// It is positive definite on ℝᵈ: a Gamma mixture of Gaussians of different widths
// (Rasmussen & Williams 2006, eq. 4.19). It tends to [RBF] for α → ∞.
type RQ struct {
	member
	Alpha  float64
	Sigma  float64
	Widths []float64
}

func (k RQ) alpha() float64 { return or(k.Alpha, 1) }

// Eval returns (1 + q/(2α))^−α.
func (k RQ) Eval(x, y []float64) float64 {
	value, _ := k.kappa(k.widths().squared(x, y))
	return value
}

// String returns rq(alpha=…, sigma=…).
func (k RQ) String() string {
	return fmt.Sprintf("rq(alpha=%s, sigma=%s)", number(k.alpha()), k.widths().String())
}

// Contains refuses points with NaN or infinite coordinates, or with another number
// of coordinates than there are widths.
func (k RQ) Contains(x []float64) error {
	if err := positive("rq: alpha", k.alpha()); err != nil {
		return err
	}
	return k.widths().contain("rq", x)
}

// (1+u)^−α is computed as exp(−α·log1p(u)), which keeps its accuracy for large α
// where 1+u would lose u.
func (k RQ) kappa(q float64) (value, qslope float64) {
	a := k.alpha()
	u := q / (2 * a)
	value = math.Exp(-a * math.Log1p(u))
	if value == 0 {
		return 0, 0
	}
	return value, -0.5 * q / (1 + u) * value
}

func (k RQ) profile(c *compiler, sigma float64) {
	a := k.alpha()
	c.op(tile.OpRationalQuadratic, 0.5/a/sigma/sigma, a)
}
func (k RQ) widths() widths   { return widthsOf(k.Sigma, k.Widths) }
func (k RQ) emit(c *compiler) { emitRadial(c, k) }

// Parameters returns alpha and the widths.
func (k RQ) Parameters() []kernel.Parameter {
	alpha := kernel.Parameter{Name: "alpha", Value: k.alpha(), Positive: true}
	return append([]kernel.Parameter{alpha}, k.widths().parameters()...)
}

// With returns the kernel with another alpha and other widths.
func (k RQ) With(values []float64) (Kernel, error) {
	if err := count("rq", len(values), 1+len(k.widths().list())); err != nil {
		return nil, err
	}
	if err := positive("rq: alpha", values[0]); err != nil {
		return nil, err
	}
	w, err := k.widths().with("rq", values[1:])
	k.Alpha = values[0]
	k.Sigma, k.Widths = w.fields()
	return k, err
}

// EvalGrad stores ∂k/∂ln α = αk·(u/(1+u) − log(1+u)), u = q/(2α), and then
// ∂k/∂ln σⱼ.
func (k RQ) EvalGrad(grad, x, y []float64) float64 {
	value := widthGradient(k, grad[1:], x, y)
	grad[0] = 0
	if value > 0 {
		a := k.alpha()
		u := k.widths().squared(x, y) / (2 * a)
		grad[0] = a * value * (u/(1+u) - math.Log1p(u))
	}
	return value
}

// EvalBig returns k(x, y) to prec bits.
func (k RQ) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		u := c.Quo(c.squared(k.widths(), x, y), c.Of(2*k.alpha()))
		return c.Pow(c.Add(c.Of(1), u), c.Of(-k.alpha()))
	})
}

// FeatureConstruction draws Gaussian frequencies times √τ, with τα of the law Gamma(α).
func (k RQ) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	return stationary(construction.Law{Scale: k.widths().reciprocals(), Radial: func(r *rand.Rand) float64 { return math.Sqrt(construction.Gamma(r, k.alpha()) / k.alpha()) }}, like)
}

// Derive gives the mixture of Gaussians.
func (k RQ) Derive() kernel.Derivation {
	return proof(k, "a mixture of Gaussians, with the precision 1/σ² distributed as Gamma(α) (Rasmussen & Williams 2006, eq. 4.19)")
}

// Reference describes the kernel and its equivalent parameters.
func (k RQ) Reference() kernel.Reference {
	w := k.widths()
	return kernel.Reference{
		Name: "rq", Title: "rational quadratic",
		Formula:     w.formula("(1 + ‖x−y‖²/(2ασ²))^−α", "(1 + Σⱼ ((xⱼ−yⱼ)/σⱼ)²/(2α))^−α"),
		Domain:      "x, y ∈ ℝᵈ; α > 0, σ > 0",
		Equivalents: []string{"alpha = " + number(k.alpha()), w.equivalent("sigma", same), w.equivalent("lengthscale", same)},
		Source:      "Rasmussen & Williams, Gaussian Processes for Machine Learning (2006), eq. 4.19",
		SeeAlso:     []string{"rbf", "matern"},
	}
}
