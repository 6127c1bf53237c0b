package vec

import (
	"errors"
	"fmt"
	"math"
	"math/big"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/tile"
)

// Wave is the kernel of one frequency on numbers
//
//	k(x, y) = cos(2π(x−y)/p)
//
// with Period p > 0 (0 means 1). Times [RBF] it is a wave whose phase is lost over σ, and a sum of
// such products is the spectral mixture kernel Σ w·exp(−(x−y)²/2σ²)·cos(2π(x−y)/p): its spectral
// density is a mixture of Gaussians, which approximates that of every stationary kernel.
//
// It is positive definite, of rank two: cos a cos b + sin a sin b = cos(a − b). Wilson and Adams,
// Gaussian process kernels for pattern discovery and extrapolation, ICML 2013, eq. 12.
type Wave struct {
	member
	Period float64
}

func (k Wave) period() float64 { return or(k.Period, 1) }

// Eval returns cos(2π(x−y)/p) as 1 − 2 sin²(π(x−y)/p), whose argument is reduced by the period
// before it is rounded.
func (k Wave) Eval(x, y []float64) float64 {
	s := tile.Statistic{Kind: tile.SineSquared, Period: k.period()}
	return 1 - 2*s.Value(x, y)
}

// String returns wave(period=…).
func (k Wave) String() string { return "wave(period=" + number(k.period()) + ")" }

// Contains refuses more than one coordinate, NaN and infinity.
func (k Wave) Contains(x []float64) error {
	if len(x) != 1 {
		return fmt.Errorf("wave is a kernel on one number but the point has %d coordinates: select a column, as in wave(period=12)[name]", len(x))
	}
	return errors.Join(checkWidth("wave: period", k.period()), finite(x))
}

func (k Wave) emit(c *compiler) {
	c.statistic(tile.SineSquared, nil, k.period())
	c.op(tile.OpAffine, -2, 1)
}

// Parameters returns the period.
func (k Wave) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "period", Value: k.period(), Positive: true}}
}

// With returns the kernel with another period.
func (k Wave) With(values []float64) (Kernel, error) {
	if err := count("wave", len(values), 1); err != nil {
		return nil, err
	}
	return Wave{Period: values[0]}, checkWidth("wave: period", values[0])
}

// EvalGrad stores ∂k/∂ln p = u sin u with u = 2π(x−y)/p.
func (k Wave) EvalGrad(grad, x, y []float64) float64 {
	p, diff := k.period(), x[0]-y[0]
	grad[0] = 2 * math.Pi * diff / p * math.Sin(2*math.Pi*(math.Mod(diff, p)/p))
	return k.Eval(x, y)
}

// EvalBig returns k(x, y) to prec bits.
func (k Wave) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		turns := c.Quo(c.Sub(c.Of(x[0]), c.Of(y[0])), c.Of(k.period()))
		return c.Call(bigmath.Cos, c.Mul(c.Mul(c.Of(2), bigmath.Pi(c.Prec)), turns))
	})
}

// Features returns 2, the length of the feature map.
func (k Wave) Features([]float64) (int, bool) { return 2, true }

// Map stores cos and sin of 2πx/p.
func (k Wave) Map(phi, x []float64) {
	p := k.period()
	phi[1], phi[0] = math.Sincos(2 * math.Pi * (math.Mod(x[0], p) / p))
}

// FeatureConstruction returns the feature map.
func (k Wave) FeatureConstruction([]float64) (construction.Features[[]float64], error) {
	return construction.Explicit[[]float64]{Dim: 2, Map: k.Map}, nil
}

// Derive gives the feature map.
func (k Wave) Derive() kernel.Derivation {
	return proof(k, "cos a cos b + sin a sin b with a = 2πx/p: of rank two with the features (cos, sin) of 2πx/p")
}

// Reference describes the kernel.
func (k Wave) Reference() kernel.Reference {
	return kernel.Reference{
		Name: "wave", Title: "one frequency; times rbf a component of a spectral mixture", Formula: "cos(2π(x−y)/p)",
		Domain:      "x, y ∈ ℝ; p > 0",
		Equivalents: []string{"period p = " + number(k.period())},
		Source:      "Wilson & Adams, Gaussian process kernels for pattern discovery and extrapolation, ICML (2013), eq. 12",
		SeeAlso:     []string{"periodic", "cosdiff", "rbf"},
	}
}

var waveEntry = entry{
	Summary:   "cos(2π(x−y)/p); rbf·wave is a component of a spectral mixture",
	Arguments: []expr.Argument{{Name: "period", Also: []string{"p"}, Kind: expr.NumberArg, Default: "1", Help: "p > 0"}},
	Build: func(a *expr.Args) (Kernel, error) {
		period, err := positiveArgument(a, "wave", "period", 1)
		return Wave{Period: period}, err
	},
}
