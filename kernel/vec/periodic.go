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
	"example.org/mercer/kernel/tile"
)

// Periodic is the exponentiated sine squared kernel
//
//	k(x, y) = exp(−2 Σⱼ sin²(π(xⱼ−yⱼ)/p)/σ²)
//
// with Period p > 0 (0 means 1) and Sigma σ > 0 (0 means 1), called lengthscale
// elsewhere.
//
// It is positive definite: the Gaussian kernel on the circle, of the points
// (cos 2πxⱼ/p, sin 2πxⱼ/p), whose squared distance is 4 sin²(π(xⱼ−yⱼ)/p) (MacKay
// 1998). See also [RBF].
type Periodic struct {
	member
	Period, Sigma float64
}

func (k Periodic) period() float64 { return or(k.Period, 1) }
func (k Periodic) sigma() float64  { return or(k.Sigma, 1) }

// sineSquared returns Σⱼ sin²(π(xⱼ−yⱼ)/p).
func (k Periodic) sineSquared(x, y []float64) float64 {
	s := tile.Statistic{Kind: tile.SineSquared, Period: k.period()}
	return s.Value(x, y)
}

// Eval returns exp(−2 Σⱼ sin²(π(xⱼ−yⱼ)/p)/σ²).
func (k Periodic) Eval(x, y []float64) float64 {
	return math.Exp(-2 / k.sigma() / k.sigma() * k.sineSquared(x, y))
}

// String returns periodic(period=…, sigma=…).
func (k Periodic) String() string {
	return fmt.Sprintf("periodic(period=%s, sigma=%s)", number(k.period()), number(k.sigma()))
}

// Contains refuses NaN and infinite coordinates.
func (k Periodic) Contains(x []float64) error {
	if err := errors.Join(checkWidth("periodic: period", k.period()), checkWidth("periodic: sigma", k.sigma())); err != nil {
		return err
	}
	return finite(x)
}

func (k Periodic) emit(c *compiler) {
	c.statistic(tile.SineSquared, nil, k.period())
	c.op(tile.OpExpNeg, 2/k.sigma()/k.sigma(), 0)
}

// Parameters returns period and sigma.
func (k Periodic) Parameters() []kernel.Parameter {
	return []kernel.Parameter{
		{Name: "period", Value: k.period(), Positive: true},
		{Name: "sigma", Value: k.sigma(), Positive: true},
	}
}

// With returns the kernel with another period and sigma.
func (k Periodic) With(values []float64) (Kernel, error) {
	if err := count("periodic", len(values), 2); err != nil {
		return nil, err
	}
	err := errors.Join(checkWidth("periodic: period", values[0]), checkWidth("periodic: sigma", values[1]))
	return Periodic{Period: values[0], Sigma: values[1]}, err
}

// EvalGrad stores ∂k/∂ln p = k·(2/σ²)·Σⱼ uⱼ sin 2uⱼ with uⱼ = π(xⱼ−yⱼ)/p, and
// ∂k/∂ln σ = k·(4/σ²)·Σⱼ sin² uⱼ.
func (k Periodic) EvalGrad(grad, x, y []float64) float64 {
	p, inverse2 := k.period(), 1/k.sigma()/k.sigma()
	value, slope := k.Eval(x, y), 0.0
	for j, v := range x {
		diff := v - y[j]
		slope += math.Pi * diff / p * math.Sin(2*math.Pi*(math.Mod(diff, p)/p))
	}
	grad[0] = value * 2 * inverse2 * slope
	grad[1] = value * 4 * inverse2 * k.sineSquared(x, y)
	return value
}

// EvalBig returns k(x, y) to prec bits.
func (k Periodic) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		sum := c.Of(0)
		for j := range x {
			u := c.Quo(c.Sub(c.Of(x[j]), c.Of(y[j])), c.Of(k.period()))
			s := c.Call(bigmath.Sin, c.Mul(bigmath.Pi(c.Prec), u))
			sum = c.Add(sum, c.Mul(s, s))
		}
		q := c.Quo(c.Mul(c.Of(-2), sum), c.Mul(c.Of(k.sigma()), c.Of(k.sigma())))
		return c.Call(bigmath.Exp, q)
	})
}

// FeatureConstruction draws multiples of 2π/p: the Fourier coefficients e^−κ·Iₙ(κ), κ = 1/σ², are
// those of the difference of two independent Poisson numbers of mean κ/2 (Skellam 1946).
func (k Periodic) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	kappa := 1 / k.sigma() / k.sigma()
	if kappa > 1e4 {
		return nil, construction.None(k, "frequencies are drawn in 1/σ² steps, which is more than 10⁴; give sigma ≥ 0.01")
	}
	return stationary(construction.Law{Scale: []float64{2 * math.Pi / k.period()}, Each: func(r *rand.Rand) float64 { return construction.Poisson(r, kappa/2) - construction.Poisson(r, kappa/2) }}, like)
}

// Derive gives the map onto circles.
func (k Periodic) Derive() kernel.Derivation {
	return proof(k, "a Gaussian kernel of the points (cos 2πx/p, sin 2πx/p) on circles: k∘φ of a positive definite kernel")
}

// Reference describes the kernel.
func (k Periodic) Reference() kernel.Reference {
	w := widths{one: k.sigma()}
	return kernel.Reference{
		Name: "periodic", Title: "periodic (exponentiated sine squared)", Formula: "exp(−2 Σⱼ sin²(π(xⱼ−yⱼ)/p)/σ²)",
		Domain:      "x, y ∈ ℝᵈ; p > 0, σ > 0",
		Equivalents: []string{"period p = " + number(k.period()), w.equivalent("sigma", same), w.equivalent("lengthscale", same)},
		Source:      "MacKay, Introduction to Gaussian processes (1998); Rasmussen & Williams (2006), eq. 4.31",
		SeeAlso:     []string{"rbf", "cosdiff"},
	}
}
