package vec

import (
	"math"
	"math/big"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/tile"
)

// JS is the exponential kernel of the Jensen–Shannon divergence of histograms
//
//	k(x, y) = exp(−γ JS(x, y)),   JS(x, y) = ½ Σⱼ (xⱼ ln(2xⱼ/(xⱼ+yⱼ)) + yⱼ ln(2yⱼ/(xⱼ+yⱼ))),
//
// x, y ≥ 0, 0·ln 0 = 0, with Gamma γ > 0 (0 means 1). Of histograms that sum to 1, JS lies
// between 0 and ln 2, reached where no bin is shared.
//
// It is positive definite: JS is half the squared distance of the positive definite kernel
// [JSAdd], up to the factor ln 2 of its binary logarithms (Schoenberg).
type JS struct {
	member
	Gamma float64
}

func (k JS) gamma() float64 { return or(k.Gamma, 1) }

// Eval returns exp(−γ JS(x, y)).
func (k JS) Eval(x, y []float64) float64 { return math.Exp(-k.gamma() * tile.Divergence.Value(x, y)) }

// String returns js(gamma=…).
func (k JS) String() string { return "js(gamma=" + number(k.gamma()) + ")" }

// Contains refuses NaN, infinite and negative coordinates.
func (k JS) Contains(x []float64) error {
	if err := positive("js: gamma", k.gamma()); err != nil {
		return err
	}
	return JSAdd().Contains(x)
}

func (k JS) emit(c *compiler) {
	c.statistic(tile.Divergence, nil, 0)
	c.op(tile.OpExpNeg, k.gamma(), 0)
}

// Parameters returns γ.
func (k JS) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "gamma", Value: k.gamma(), Positive: true}}
}

// With returns the kernel with another γ.
func (k JS) With(values []float64) (Kernel, error) {
	if err := count("js", len(values), 1); err != nil {
		return nil, err
	}
	return JS{Gamma: values[0]}, positive("js: gamma", values[0])
}

// EvalGrad stores ∂k/∂ln γ = −γ·JS·k.
func (k JS) EvalGrad(grad, x, y []float64) float64 {
	q := k.gamma() * tile.Divergence.Value(x, y)
	value := math.Exp(-q)
	grad[0] = 0
	if value > 0 { // q may be infinite
		grad[0] = -q * value
	}
	return value
}

// EvalBig returns k(x, y) to prec bits.
func (k JS) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		sum := c.Of(0)
		for j := range x {
			mean := c.Mul(c.Of(0.5), c.Add(c.Of(x[j]), c.Of(y[j])))
			sum = c.Add(sum, c.Add(c.entropy(x[j], mean), c.entropy(y[j], mean)))
		}
		return c.Call(bigmath.Exp, c.Mul(c.Of(k.gamma()/2), sum))
	})
}

// Derive cites Schoenberg's theorem.
func (k JS) Derive() kernel.Derivation {
	return proof(k, "2·JS/ln 2 = Σx + Σy − 2·jsadd(x,y) is a squared distance in the space of the positive definite jsadd; exp(−γ·) of it (Schoenberg)")
}

// Reference describes the kernel.
func (k JS) Reference() kernel.Reference {
	return kernel.Reference{
		Name: "js", Title: "exponential Jensen–Shannon kernel of histograms", Formula: "exp(−γ/2 Σⱼ (xⱼ ln(2xⱼ/(xⱼ+yⱼ)) + yⱼ ln(2yⱼ/(xⱼ+yⱼ))))",
		Domain: "x, y ∈ ℝ₊ᵈ; 0·ln 0 = 0; γ > 0", Equivalents: []string{"gamma γ = " + number(k.gamma())},
		Source:  "Martins, Smith, Xing, Aguiar & Figueiredo, Nonextensive information theoretic kernels on measures, JMLR 10 (2009)",
		SeeAlso: []string{"jsadd", "chi2", "hellinger"},
	}
}

// JSAdd returns the additive Jensen–Shannon kernel
// Σⱼ ½(xⱼ log₂((xⱼ+yⱼ)/xⱼ) + yⱼ log₂((xⱼ+yⱼ)/yⱼ)) on x ≥ 0, with 0 where a coordinate is 0,
// so that k(x, x) = Σ xⱼ.
func JSAdd() Number { return Number{of: &jsAddKernel} }

var jsAddKernel = numberKernel{
	name: "jsadd", title: "additive Jensen–Shannon kernel of histograms", formula: "½ Σⱼ (xⱼ log₂((xⱼ+yⱼ)/xⱼ) + yⱼ log₂((xⱼ+yⱼ)/yⱼ))", domain: "x, y ∈ ℝ₊ᵈ; 0 where xⱼ = 0 or yⱼ = 0",
	vectors: true, additive: true, allowed: nonNegative, asWritten: amounts,
	eval: tile.SharedEntropy.Value,
	exact: func(c *calculator, x, y []float64) *big.Float {
		sum := c.Of(0)
		for j := range x {
			total := c.Add(c.Of(x[j]), c.Of(y[j]))
			sum = c.Add(sum, c.Add(c.entropy(x[j], total), c.entropy(y[j], total)))
		}
		return c.Quo(sum, c.Call(bigmath.Log, c.Of(4)))
	},
	emit:         func(c *compiler) { c.statistic(tile.SharedEntropy, nil, 0) },
	construction: jsAddConstruction,
	reason:       "√(xy)·K(ln y − ln x), and the Fourier transform 2 sech(πω)/(ln 4·(1+4ω²)) of K is positive (Bochner); summed over the coordinates",
	source:       "Vedaldi & Zisserman, Efficient additive kernels via explicit feature maps, IEEE TPAMI 34 (2012); Hein & Bousquet (2005)", seeAlso: []string{"js", "chi2add", "hellinger"},
}

// entropy is v·ln(total/v), 0 at v = 0.
func (c *calculator) entropy(v float64, total *big.Float) *big.Float {
	if v == 0 {
		return c.Of(0)
	}
	return c.Mul(c.Of(v), c.Call(bigmath.Log, c.Quo(total, c.Of(v))))
}
