package vec

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/tile"
)

// LaplacePQ is the exponential kernel with a power of the p-norm
//
//	k(x, y) = exp(−s^{q/p}),  s = Σⱼ (|xⱼ−yⱼ|/σⱼ)^p,  which for one σ is exp(−‖x−y‖_p^q/σ^q).
//
// 0 < Q ≤ P ≤ 2; P = 0 means 1, and Q = 0 means P. Sigma > 0 is the width for all columns
// (0 means 1); Widths, where it is not nil, has one per column instead. p = q = 1 is
// [Laplace1], p = 2 and q = 1 [Laplace], p = q = 2 the Gaussian exp(−‖x−y‖²/σ²).
//
// It is positive definite on ℝᵈ for these p and q. |t|^p is conditionally negative definite
// for p ≤ 2 and so is s, a sum of such; t^{q/p} is a Bernstein function; and exp(−ψ) is
// positive definite where ψ is conditionally negative definite (Schoenberg 1938; Berg,
// Christensen and Ressel, Harmonic Analysis on Semigroups, 1984, chapters 3 and 4).
type LaplacePQ struct {
	member
	Sigma  float64
	Widths []float64
	P, Q   float64
}

func (k LaplacePQ) widths() widths { return widthsOf(k.Sigma, k.Widths) }
func (k LaplacePQ) p() float64     { return or(k.P, 1) }
func (k LaplacePQ) q() float64     { return or(k.Q, k.p()) }

// sum returns s = Σⱼ (|xⱼ−yⱼ|/σⱼ)^p.
func (k LaplacePQ) sum(x, y []float64) float64 {
	w, p, s := k.widths(), k.p(), 0.0
	for j, v := range x {
		s += tile.DifferencePower((v-y[j])/w.at(j), p)
	}
	return s
}

// Eval returns exp(−s^{q/p}).
func (k LaplacePQ) Eval(x, y []float64) float64 {
	return math.Exp(-tile.DifferencePower(k.sum(x, y), k.q()/k.p()))
}

// String returns laplacepq(sigma=…, p=…, q=…).
func (k LaplacePQ) String() string {
	return fmt.Sprintf("laplacepq(sigma=%s, p=%s, q=%s)", k.widths(), number(k.p()), number(k.q()))
}

// Contains refuses exponents outside 0 < q ≤ p ≤ 2, points with NaN or infinite coordinates,
// and those with another number of coordinates than there are widths.
func (k LaplacePQ) Contains(x []float64) error {
	if err := k.exponents(); err != nil {
		return err
	}
	return k.widths().contain("laplacepq", x)
}

// exponents returns an error unless 0 < q ≤ p ≤ 2.
func (k LaplacePQ) exponents() error {
	var errs []error
	if p := k.p(); !(p > 0 && p <= 2) {
		errs = append(errs, fmt.Errorf("laplacepq: p = %s must lie above 0 and be at most 2: beyond, it is not positive definite", number(p)))
	}
	if q := k.q(); !(q > 0 && q <= k.p()) {
		errs = append(errs, fmt.Errorf("laplacepq: q = %s must lie above 0 and be at most p = %s", number(q), number(k.p())))
	}
	return errors.Join(errs...)
}

func (k LaplacePQ) emit(c *compiler) {
	w, rate := k.widths(), 1.0
	var weights []float64
	if w.each == nil {
		rate = math.Pow(w.one, -k.q())
	} else {
		weights = w.reciprocals()
	}
	switch k.p() {
	case 1:
		c.statistic(tile.Manhattan, weights, 0)
	case 2:
		c.statistic(tile.SquaredDistance, weights, 0)
	default:
		for j := range weights {
			weights[j] = tile.DifferencePower(weights[j], k.p())
		}
		c.powerDistance(weights, k.p())
	}
	switch k.q() / k.p() {
	case 1:
		c.op(tile.OpExpNeg, rate, 0)
	case 0.5:
		c.op(tile.OpExpNegRoot, rate, 0)
	default:
		c.op(tile.OpExpNegPower, rate, k.q()/k.p())
	}
}

// Parameters returns the widths; p and q are choices, not parameters to be tuned.
func (k LaplacePQ) Parameters() []kernel.Parameter { return k.widths().parameters() }

// With returns the kernel with other widths.
func (k LaplacePQ) With(values []float64) (Kernel, error) {
	w, err := k.widths().with("laplacepq", values)
	k.Sigma, k.Widths = w.fields()
	return k, err
}

// EvalGrad stores ∂k/∂ln σⱼ = q·k·s^{q/p}·sⱼ/s, sⱼ = (|xⱼ−yⱼ|/σⱼ)^p.
func (k LaplacePQ) EvalGrad(grad, x, y []float64) float64 {
	w, p := k.widths(), k.p()
	s := k.sum(x, y)
	t := tile.DifferencePower(s, k.q()/p)
	value := math.Exp(-t)
	clear(grad)
	if value == 0 || s == 0 { // s may be infinite
		return value
	}
	if w.each == nil {
		grad[0] = k.q() * value * t
		return value
	}
	for j, width := range w.each {
		grad[j] = k.q() * value * t * (tile.DifferencePower((x[j]-y[j])/width, p) / s)
	}
	return value
}

// slope is −q·k·s^{q/p−1}·|xⱼ−yⱼ|^{p−1}·sign(xⱼ−yⱼ)/σⱼ^p, and 0 where xⱼ = yⱼ, also where
// the kernel has a corner or a cusp there.
func (k LaplacePQ) slope() (Slope, error) {
	w, p, q := k.widths(), k.p(), k.q()
	return func(dst []float64, c float64, x, y []float64) {
		s := k.sum(x, y)
		t := tile.DifferencePower(s, q/p)
		value := math.Exp(-t)
		if value == 0 || s == 0 {
			return
		}
		c *= -q * value * t / s
		for j, v := range x {
			if d := v - y[j]; d != 0 {
				dst[j] += c * tile.DifferencePower(d/w.at(j), p) / d
			}
		}
	}, nil
}

// EvalBig returns k(x, y) to prec bits.
func (k LaplacePQ) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		s := c.powers(k.widths(), k.p(), x, y)
		t := c.Pow(s, c.Quo(c.Of(k.q()), c.Of(k.p())))
		return c.Call(bigmath.Exp, c.Mul(c.Of(-1), t))
	})
}

// FeatureConstruction draws ωⱼ = A^{1/p}·Sⱼ/σⱼ. The Sⱼ are independent and p-stable,
// E cos(tS) = exp(−|t|^p). A ≥ 0 is one for all of them and (q/p)-stable, E exp(−At) =
// exp(−t^{q/p}), so that E cos⟨ω, x−y⟩ = E exp(−A·s) = k(x, y).
func (k LaplacePQ) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	p, e := k.p(), k.q()/k.p()
	law := construction.Law{Scale: k.widths().reciprocals(), Each: func(r *rand.Rand) float64 { return construction.Stable(r, p) }}
	if e < 1 {
		law.Radial = func(r *rand.Rand) float64 { return math.Pow(construction.PositiveStable(r, e), 1/p) }
	}
	return stationary(law, like)
}

// Derive cites the three theorems.
func (k LaplacePQ) Derive() kernel.Derivation {
	return proof(k, "‖x−y‖_p^p is conditionally negative definite for p ≤ 2, so is its power q/p ≤ 1 (a Bernstein function), and exp(−ψ) of such a ψ is positive definite (Schoenberg 1938)")
}

// Reference describes the kernel and its equivalent parameters.
func (k LaplacePQ) Reference() kernel.Reference {
	w := k.widths()
	return kernel.Reference{
		Name: "laplacepq", Title: "exponential kernel, a power of the p-norm",
		Formula:     w.formula("exp(−‖x−y‖_p^q/σ^q)", "exp(−(Σⱼ (|xⱼ−yⱼ|/σⱼ)^p)^{q/p})"),
		Domain:      "x, y ∈ ℝᵈ; 0 < q ≤ p ≤ 2, σ > 0",
		Equivalents: []string{"p = " + number(k.p()), "q = " + number(k.q()), w.equivalent("sigma", same), w.equivalent("lengthscale", same)},
		Source:      "Schoenberg, Metric spaces and positive definite functions, Trans. AMS 44 (1938)",
		SeeAlso:     []string{"laplace1", "laplace", "rbf"},
	}
}

var laplacePQEntry = entry{
	Summary: "exp(−‖x−y‖_p^q/σ^q)",
	Arguments: []expr.Argument{
		sigmaArgument, lengthArgument,
		{Name: "p", Kind: expr.NumberArg, Default: "1", Help: "norm, 0 < p ≤ 2; 0.5, 1, 1.5 and 2 are fastest"},
		{Name: "q", Kind: expr.NumberArg, Help: "power, 0 < q ≤ p; p unless given"},
	},
	Build: func(a *expr.Args) (Kernel, error) {
		p, err := positiveArgument(a, "laplacepq", "p", 1)
		if err != nil {
			return nil, err
		}
		q, err := positiveArgument(a, "laplacepq", "q", p)
		if err != nil {
			return nil, err
		}
		w, err := widthArguments(a, "laplacepq", inverse)
		if err != nil {
			return nil, err
		}
		sigma, each := w.fields()
		k := LaplacePQ{Sigma: sigma, Widths: each, P: p, Q: q}
		if err := k.exponents(); err != nil {
			return nil, a.Errorf("q", "%w", err)
		}
		return k, nil
	},
}
