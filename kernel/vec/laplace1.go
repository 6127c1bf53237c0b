package vec

import (
	"math"
	"math/big"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/tile"
)

// Laplace1 is the exponential kernel with the sum of absolute differences
//
//	k(x, y) = exp(−Σⱼ |xⱼ−yⱼ|/σⱼ),   which for one σ is exp(−‖x−y‖₁/σ).
//
// Sigma > 0 is the width for all columns (0 means 1); Widths, where it is not nil, has one per
// column instead. In other units gamma = 1/σ (the "laplacian" of scikit-learn) and
// lengthscale = σ.
//
// It is positive definite on ℝᵈ: a product over the coordinates of exp(−|t|/σ),
// whose Fourier transform 2σ/(1+σ²ω²) is positive (Bochner; Schur product). See also
// [Laplace], with the Euclidean norm.
type Laplace1 struct {
	member
	Sigma  float64
	Widths []float64
}

func (k Laplace1) widths() widths { return widthsOf(k.Sigma, k.Widths) }

// Eval returns exp(−Σⱼ |xⱼ−yⱼ|/σⱼ).
func (k Laplace1) Eval(x, y []float64) float64 {
	return math.Exp(-k.widths().manhattan(x, y))
}

// String returns laplace1(sigma=…).
func (k Laplace1) String() string { return "laplace1(sigma=" + k.widths().String() + ")" }

// Contains refuses points with NaN or infinite coordinates, or with another number
// of coordinates than there are widths.
func (k Laplace1) Contains(x []float64) error { return k.widths().contain("laplace1", x) }

func (k Laplace1) emit(c *compiler) {
	w := k.widths()
	if w.each == nil {
		c.statistic(tile.Manhattan, nil, 0)
		c.op(tile.OpExpNeg, 1/w.one, 0)
		return
	}
	c.statistic(tile.Manhattan, w.reciprocals(), 0)
	c.op(tile.OpExpNeg, 1, 0)
}

// Parameters returns the widths.
func (k Laplace1) Parameters() []kernel.Parameter { return k.widths().parameters() }

// With returns the kernel with other widths.
func (k Laplace1) With(values []float64) (Kernel, error) {
	w, err := k.widths().with("laplace1", values)
	k.Sigma, k.Widths = w.fields()
	return k, err
}

// EvalGrad stores ∂k/∂ln σⱼ = k·|xⱼ−yⱼ|/σⱼ.
func (k Laplace1) EvalGrad(grad, x, y []float64) float64 {
	w := k.widths()
	r := w.manhattan(x, y)
	value := math.Exp(-r)
	if w.each == nil {
		grad[0] = 0
		if value > 0 { // r may be infinite
			grad[0] = value * r
		}
		return value
	}
	for j, width := range w.each {
		grad[j] = 0
		if value > 0 {
			grad[j] = value * math.Abs(x[j]-y[j]) / width
		}
	}
	return value
}

// slope is −k·sign(xⱼ−yⱼ)/σⱼ, and 0 where xⱼ = yⱼ, at the corner.
func (k Laplace1) slope() (Slope, error) {
	w := k.widths()
	return func(dst []float64, c float64, x, y []float64) {
		c *= -k.Eval(x, y)
		for j, v := range x {
			switch d := v - y[j]; {
			case d > 0:
				dst[j] += c / w.at(j)
			case d < 0:
				dst[j] -= c / w.at(j)
			}
		}
	}, nil
}

// EvalBig returns k(x, y) to prec bits.
func (k Laplace1) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		return c.Call(bigmath.Exp, c.Mul(c.Of(-1), c.manhattan(k.widths(), x, y)))
	})
}

// FeatureConstruction draws frequencies with independent Cauchy coordinates.
func (k Laplace1) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	return stationary(construction.Law{Scale: k.widths().reciprocals(), Each: construction.Cauchy}, like)
}

// Derive cites Bochner's theorem and the Schur product theorem.
func (k Laplace1) Derive() kernel.Derivation {
	return proof(k, "a product over the coordinates (Schur) of exp(−|t|/σ), whose Fourier transform 2σ/(1+σ²ω²) is positive (Bochner)")
}

// Reference describes the kernel and its equivalent parameters.
func (k Laplace1) Reference() kernel.Reference {
	w := k.widths()
	return kernel.Reference{
		Name: "laplace1", Title: "exponential kernel, sum of absolute differences",
		Formula:     w.formula("exp(−‖x−y‖₁/σ)", "exp(−Σⱼ |xⱼ−yⱼ|/σⱼ)"),
		Domain:      "x, y ∈ ℝᵈ; σ > 0",
		Equivalents: []string{w.equivalent("sigma", same), w.equivalent("gamma = 1/σ", inverse), w.equivalent("lengthscale", same)},
		Source:      "Bochner, Monotone Funktionen, Stieltjessche Integrale und harmonische Analyse, Math. Ann. 108 (1933)",
		SeeAlso:     []string{"laplacepq", "laplace", "rbf"},
	}
}
