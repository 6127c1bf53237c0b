package vec

import (
	"math"
	"math/big"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/tile"
)

// Chi2 is the exponential kernel of the χ² distance of histograms
//
//	k(x, y) = exp(−γ Σⱼ (xⱼ−yⱼ)²/(xⱼ+yⱼ)),   x, y ≥ 0, with 0/0 = 0,
//
// with Gamma γ > 0 (0 means 1). It is the chi2_kernel of scikit-learn.
//
// It is positive definite: (x−y)²/(x+y) = x + y − 2·2xy/(x+y) is the squared distance of
// the positive definite kernel [Chi2Add], coordinate by coordinate (Schoenberg).
type Chi2 struct {
	member
	Gamma float64
}

func (k Chi2) gamma() float64 { return or(k.Gamma, 1) }

// Eval returns exp(−γ Σⱼ (xⱼ−yⱼ)²/(xⱼ+yⱼ)).
func (k Chi2) Eval(x, y []float64) float64 { return math.Exp(-k.gamma() * tile.ChiSquared.Value(x, y)) }

// String returns chi2(gamma=…).
func (k Chi2) String() string { return "chi2(gamma=" + number(k.gamma()) + ")" }

// Contains refuses NaN, infinite and negative coordinates.
func (k Chi2) Contains(x []float64) error {
	if err := positive("chi2: gamma", k.gamma()); err != nil {
		return err
	}
	return Chi2Add().Contains(x)
}

func (k Chi2) emit(c *compiler) {
	c.statistic(tile.ChiSquared, nil, 0)
	c.op(tile.OpExpNeg, k.gamma(), 0)
}

// Parameters returns γ.
func (k Chi2) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "gamma", Value: k.gamma(), Positive: true}}
}

// With returns the kernel with another γ.
func (k Chi2) With(values []float64) (Kernel, error) {
	if err := count("chi2", len(values), 1); err != nil {
		return nil, err
	}
	return Chi2{Gamma: values[0]}, positive("chi2: gamma", values[0])
}

// EvalGrad stores ∂k/∂ln γ = −γχ²·k.
func (k Chi2) EvalGrad(grad, x, y []float64) float64 {
	q := k.gamma() * tile.ChiSquared.Value(x, y)
	value := math.Exp(-q)
	grad[0] = 0
	if value > 0 { // q may be infinite
		grad[0] = -q * value
	}
	return value
}

// EvalBig returns k(x, y) to prec bits.
func (k Chi2) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		sum := c.Of(0)
		for j := range x {
			if total := c.Add(c.Of(x[j]), c.Of(y[j])); total.Sign() > 0 {
				d := c.Sub(c.Of(x[j]), c.Of(y[j]))
				sum = c.Add(sum, c.Quo(c.Mul(d, d), total))
			}
		}
		return c.Call(bigmath.Exp, c.Mul(c.Of(-k.gamma()), sum))
	})
}

// Derive cites Schoenberg's theorem.
func (k Chi2) Derive() kernel.Derivation {
	return proof(k, "(x−y)²/(x+y) = x + y − 2·2xy/(x+y) is a squared distance in the space of the positive definite 2xy/(x+y); exp(−γ·) of their sum (Schoenberg)")
}

// Reference describes the kernel.
func (k Chi2) Reference() kernel.Reference {
	return kernel.Reference{
		Name: "chi2", Title: "exponential χ² kernel of histograms", Formula: "exp(−γ Σⱼ (xⱼ−yⱼ)²/(xⱼ+yⱼ))", Domain: "x, y ∈ ℝ₊ᵈ; γ > 0",
		Equivalents: []string{"gamma γ = " + number(k.gamma())},
		Source:      "Zhang, Marszałek, Lazebnik & Schmid, Local features and kernels for classification of texture and object categories, IJCV 73 (2007)",
		SeeAlso:     []string{"chi2add", "min", "minmax"},
	}
}

// Chi2Add returns the additive χ² kernel Σⱼ 2xⱼyⱼ/(xⱼ+yⱼ) on x ≥ 0, with 0/0 = 0.
func Chi2Add() Number { return Number{of: &chi2AddKernel} }

var chi2AddKernel = numberKernel{
	name: "chi2add", title: "additive χ² kernel; harmonic means", formula: "Σⱼ 2xⱼyⱼ/(xⱼ+yⱼ)", domain: "x, y ∈ ℝ₊ᵈ; 0/0 = 0",
	vectors: true, additive: true, allowed: nonNegative, asWritten: amounts,
	eval: tile.HarmonicMeans.Value,
	exact: func(c *calculator, x, y []float64) *big.Float {
		sum := c.Of(0)
		for j := range x {
			if total := c.Add(c.Of(x[j]), c.Of(y[j])); total.Sign() > 0 {
				sum = c.Add(sum, c.Quo(c.Mul(c.Of(2*x[j]), c.Of(y[j])), total))
			}
		}
		return sum
	},
	emit:         func(c *compiler) { c.statistic(tile.HarmonicMeans, nil, 0) },
	construction: chi2AddConstruction,
	reason:       "2xy/(x+y) = ∫ 2xy·t^(x+y−1) dt over 0 < t < 1, an inner product of the functions x·t^(x−½); summed over the coordinates",
	source:       "Vedaldi & Zisserman, Efficient additive kernels via explicit feature maps, IEEE TPAMI 34 (2012)", seeAlso: []string{"chi2", "min"},
}
