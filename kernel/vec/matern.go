package vec

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"example.org/mercer/internal/bessel"
	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/tile"
)

// Matern is the Matérn kernel of smoothness ν
//
//	k(x, y) = 2^{1−ν}/Γ(ν)·t^ν K_ν(t),  t = √(2ν)·r,  r = √(Σⱼ ((xⱼ−yⱼ)/σⱼ)²),
//
// with K_ν the modified Bessel function of the second kind. Closed forms are used for
//
//	ν = ½: e^−t      ν = 3⁄2: (1+t) e^−t      ν = 5⁄2: (1+t+t²/3) e^−t.
//
// Nu > 0 (0 means 3⁄2): samples of the Gaussian process are ⌈ν⌉−1 times
// differentiable. Sigma > 0 is the width for all columns (0 means 1); Widths, where it is not nil,
// has one per column instead. lengthscale = σ.
//
// It is positive definite on ℝᵈ: its spectral density (2ν/σ² + ω²)^{−ν−d/2} is
// positive (Bochner; Rasmussen & Williams 2006, eq. 4.14). ν = ½ is [Laplace], and
// ν → ∞ tends to [RBF].
type Matern struct {
	member
	Nu     float64
	Sigma  float64
	Widths []float64
}

func (k Matern) nu() float64 { return or(k.Nu, 1.5) }

// Eval returns the closed form or the Bessel form.
func (k Matern) Eval(x, y []float64) float64 {
	value, _ := k.kappa(k.widths().squared(x, y))
	return value
}

// String returns matern(nu=…, sigma=…).
func (k Matern) String() string {
	return fmt.Sprintf("matern(nu=%s, sigma=%s)", number(k.nu()), k.widths().String())
}

// Contains refuses points with NaN or infinite coordinates, or with another number
// of coordinates than there are widths.
func (k Matern) Contains(x []float64) error {
	if err := positive("matern: nu", k.nu()); err != nil {
		return err
	}
	return k.widths().contain("matern", x)
}

func (k Matern) kappa(q float64) (value, qslope float64) {
	t := math.Sqrt(2 * k.nu() * q)
	if math.IsInf(t, 1) {
		return 0, 0
	}
	value, negSlope := bessel.Matern(k.nu(), t)
	return value, -0.5 * negSlope // q·dκ/dq = ½·t·dM/dt
}

func (k Matern) profile(c *compiler, sigma float64) {
	c.op(tile.OpMatern, 2*k.nu()/sigma/sigma, k.nu())
}
func (k Matern) widths() widths   { return widthsOf(k.Sigma, k.Widths) }
func (k Matern) emit(c *compiler) { emitRadial(c, k) }

// Parameters returns the widths; ν is a choice, not a parameter to be tuned.
func (k Matern) Parameters() []kernel.Parameter { return k.widths().parameters() }

// With returns the kernel with other widths.
func (k Matern) With(values []float64) (Kernel, error) {
	w, err := k.widths().with("matern", values)
	k.Sigma, k.Widths = w.fields()
	return k, err
}

// EvalGrad stores ∂k/∂ln σⱼ.
func (k Matern) EvalGrad(grad, x, y []float64) float64 {
	return widthGradient(k, grad, x, y)
}

// EvalBig returns k(x, y) to prec bits for a half-integer ν = p+½, by
//
//	e^−t·p!/(2p)!·Σ_{i≤p} (p+i)!/(i!(p−i)!)·(2t)^{p−i}   (Rasmussen & Williams 2006, eq. 4.16),
//
// and an error for any other ν, whose Bessel function is known here to float64 only.
func (k Matern) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	if err := k.NotExact(); err != nil {
		return nil, err
	}
	p := int(math.Floor(k.nu()))
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		t := c.Call(bigmath.Sqrt, c.Mul(c.Of(2*k.nu()), c.squared(k.widths(), x, y)))
		sum, double := c.Of(0), c.Mul(c.Of(2), t)
		weight := c.Of(1) // (p+i)!/(i!(p−i)!)·p!/(2p)! for i = p, then downwards
		power := c.Of(1)
		for i := p; i >= 0; i-- {
			sum = c.Add(sum, c.Mul(weight, power))
			power = c.Mul(power, double)
			if i > 0 {
				weight = c.Quo(c.Mul(weight, c.Of(float64(i))), c.Of(float64(p+i)*float64(p-i+1)))
			}
		}
		return c.Mul(sum, c.Call(bigmath.Exp, c.Mul(c.Of(-1), t)))
	})
}

// NotExact returns an error unless ν is a half-integer up to 100½.
func (k Matern) NotExact() error {
	if p := math.Floor(k.nu()); p+0.5 != k.nu() || p > 100 {
		return fmt.Errorf("%s is evaluated in 64-bit numbers only; exact values are available for nu = 0.5, 1.5, 2.5, …", k)
	}
	return nil
}

// NotDifferentiable returns nil: the gradient in the widths is known for any ν.
func (k Matern) NotDifferentiable() error { return nil }

// FeatureConstruction draws frequencies from a multivariate t law with 2ν degrees of freedom:
// Gaussian ones times √(2ν/χ²), with χ²/2 of the law Gamma(ν).
func (k Matern) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	return stationary(construction.Law{Scale: k.widths().reciprocals(), Radial: func(r *rand.Rand) float64 { return math.Sqrt(k.nu() / construction.Gamma(r, k.nu())) }}, like)
}

// Derive cites the spectral density.
func (k Matern) Derive() kernel.Derivation {
	return proof(k, "its spectral density (2ν/σ² + ω²)^(−ν−d/2) is positive (Bochner's theorem; Rasmussen & Williams 2006, eq. 4.14)")
}

// Reference describes the kernel and its equivalent parameters.
func (k Matern) Reference() kernel.Reference {
	w := k.widths()
	formula := "2^(1−ν)/Γ(ν)·t^ν K_ν(t)"
	switch k.nu() {
	case 0.5:
		formula = "exp(−t)"
	case 1.5:
		formula = "(1+t)·exp(−t)"
	case 2.5:
		formula = "(1+t+t²/3)·exp(−t)"
	}
	return kernel.Reference{
		Name: "matern", Title: "Matérn, smoothness ν",
		Formula:     formula + ", t = √(2ν)·" + w.formula("‖x−y‖/σ", "√(Σⱼ ((xⱼ−yⱼ)/σⱼ)²)"),
		Domain:      "x, y ∈ ℝᵈ; ν > 0, σ > 0",
		Equivalents: []string{"nu = " + number(k.nu()), w.equivalent("sigma", same), w.equivalent("lengthscale", same)},
		Source:      "Rasmussen & Williams, Gaussian Processes for Machine Learning (2006), section 4.2.1",
		SeeAlso:     []string{"laplace", "rbf", "rq"},
	}
}
