package vec

import (
	"fmt"
	"math"
	"math/big"

	"example.org/mercer/data"
	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/meanmap"
	"example.org/mercer/kernel/tile"
)

// Centred is Of, which is [RBF] or [Laplace1], less its mean over the normal law whose columns are
// independent with mean Center and standard deviation Spread (0 means 1):
//
//	k₀(x, y) = k(x, y) − m(x)m(y)/M,   m(x) = E k(x, z),   M = E k(z, z′).
//
// Its functions have the mean 0 under the law, which makes the terms of [ANOVA] of it orthogonal.
// It is positive definite: the inner product of what is left of φ(x) and φ(y) beside the mean map
// of the law (Schur complement). It is computed by k₀ = g(x)g(y)·(k/(g(x)g(y)) − 1) with g = m/√M,
// of which little cancels for wide kernels. Source: package meanmap.
type Centred struct {
	Of     Kernel
	Center float64
	Spread float64
}

func (k Centred) spread() float64 { return or(k.Spread, 1) }

// averageOf returns ln g on column j in units of the spread.
func averageOf(of Kernel, j int, spread float64) meanmap.Share {
	if of, ok := of.(RBF); ok {
		return meanmap.Gaussian(of.widths().at(j) / spread)
	}
	return meanmap.Exponential(of.(Laplace1).widths().at(j) / spread)
}

// worth returns ln g(x).
func (k Centred) worth(x []float64) (sum float64) {
	for j, v := range x {
		sum += averageOf(k.Of, j, k.spread()).At((v - k.Center) / k.spread())
	}
	return sum
}

// exponent is that of Of.
func (k Centred) exponent(x, y []float64) float64 {
	if of, ok := k.Of.(RBF); ok {
		return -0.5 * of.widths().squared(x, y)
	}
	return -k.Of.(Laplace1).widths().manhattan(x, y)
}

// Eval returns k₀(x, y).
func (k Centred) Eval(x, y []float64) float64 {
	return meanmap.Beside(k.exponent(x, y), k.worth(x), k.worth(y))
}

// overlap returns E k₀(a, z)k₀(b, z) under the law, of numbers and [RBF].
func (k Centred) overlap(a, b float64) float64 {
	return meanmap.Overlap(k.Of.(RBF).widths().at(0)/k.spread(), (a-k.Center)/k.spread(), (b-k.Center)/k.spread())
}

// String returns centred(of=…), and the law where it is not the standard one.
func (k Centred) String() string {
	text := "centred(of=" + k.Of.String()
	if k.Center != 0 {
		text += ", center=" + number(k.Center)
	}
	if k.spread() != 1 {
		text += ", spread=" + number(k.spread())
	}
	return text + ")"
}

// Contains refuses what Of refuses, and laws that are none.
func (k Centred) Contains(x []float64) error {
	if err := k.check(); err != nil {
		return err
	}
	return kernel.Contains(k.Of, x)
}

func (k Centred) check() error {
	switch k.Of.(type) {
	case RBF, Laplace1:
	default:
		return fmt.Errorf("centred: the mean of %s over a normal law is not known here: use rbf or laplace1", k.Of)
	}
	if err := finiteNumber("centred: center", k.Center); err != nil {
		return err
	}
	return positive("centred: spread", k.spread())
}

// Bind computes the exponents of Of in tiles, and the means once for each point.
func (k Centred) Bind(rows, cols data.Set[[]float64]) kernel.Pairs {
	s, rate := tile.Statistic{Kind: tile.SquaredDistance}, -0.5
	var w widths
	switch of := k.Of.(type) {
	case RBF:
		w = of.widths()
	case Laplace1:
		w, rate, s.Kind = of.widths(), -1, tile.Manhattan
	}
	if w.each != nil {
		s.Weights = w.reciprocals()
	} else if rate /= w.one; s.Kind == tile.SquaredDistance {
		rate /= w.one
	}
	plan := &tile.Plan{Statistics: []tile.Statistic{s}, Program: []tile.Op{{Code: tile.OpPush}, {Code: tile.OpAffine, A: rate}}, Depth: 1}
	return meanmap.Bind(tile.Bind(plan, rows, cols), rows, cols, k.worth)
}

// Parameters returns the widths of Of.
func (k Centred) Parameters() []kernel.Parameter {
	return k.Of.(kernel.Tunable[[]float64]).Parameters()
}

// With returns the kernel with other widths.
func (k Centred) With(values []float64) (Kernel, error) {
	of, err := k.Of.(kernel.Tunable[[]float64]).With(values)
	k.Of = of
	return k, err
}

// EvalGrad stores ∂k/∂ln σⱼ − g(x)g(y)·∂(ln g(x) + ln g(y))/∂ln σⱼ.
func (k Centred) EvalGrad(grad, x, y []float64) float64 {
	k.Of.(kernel.Differentiable[[]float64]).EvalGrad(grad, x, y)
	means := math.Exp(k.worth(x) + k.worth(y))
	for j := range x {
		g := averageOf(k.Of, j, k.spread())
		_, left := g.Slope((x[j] - k.Center) / k.spread())
		_, right := g.Slope((y[j] - k.Center) / k.spread())
		grad[min(j, len(grad)-1)] -= means * (left + right)
	}
	return k.Eval(x, y)
}

// slope is ∇k − g(x)g(y)·∇ln g(x).
func (k Centred) slope() (Slope, error) {
	of, err := SlopeOf(k.Of)
	return func(dst []float64, c float64, x, y []float64) {
		of(dst, c, x, y)
		c *= math.Exp(k.worth(x)+k.worth(y)) / k.spread()
		for j, v := range x {
			slope, _ := averageOf(k.Of, j, k.spread()).Slope((v - k.Center) / k.spread())
			dst[j] -= c * slope
		}
	}, err
}

// EvalBig returns k₀(x, y) of [RBF] to prec bits: k − Π √(1−v⁻²)·exp(−(a²+b²)/(2v)), v = s²+1.
func (k Centred) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	if err := k.NotExact(); err != nil {
		return nil, err
	}
	of := k.Of.(RBF)
	// Wide kernels lose digits, four for each ten times that they are wider than the law.
	return bigEval(k, x, y, prec+4*guardBits, func(c *calculator) *big.Float {
		half, product, sum := c.Of(-0.5), c.Of(1), c.Of(0)
		for j := range x {
			centre, s := c.Of(k.Center), c.Of(of.widths().at(j))
			a, b := c.Sub(c.Of(x[j]), centre), c.Sub(c.Of(y[j]), centre)
			p, q := meanmap.Big(&c.Calculator, a, b, s, c.Of(k.spread()))
			product, sum = c.Quo(c.Mul(product, p), c.Of(1)), c.Add(sum, q)
		}
		means := c.Mul(c.Call(bigmath.Sqrt, product), c.Call(bigmath.Exp, c.Mul(half, sum)))
		return c.Sub(c.Call(bigmath.Exp, c.Mul(half, c.squared(of.widths(), x, y))), means)
	})
}

// NotExact says that the mean of [Laplace1] is known to float64 only.
func (k Centred) NotExact() error {
	if _, ok := k.Of.(RBF); !ok {
		return fmt.Errorf("%s is known in float64 only", k)
	}
	return nil
}

// NotDifferentiable returns nil.
func (k Centred) NotDifferentiable() error { return nil }

// Derive argues by the Schur complement.
func (k Centred) Derive() kernel.Derivation {
	d := proof(k, "the inner product of what is left of φ(x) and φ(y) beside the mean map of the normal law (Schur complement; Durrande et al. 2013)")
	d.From = []kernel.Derivation{kernel.Derive(k.Of)}
	return d
}

// Reference describes the kernel.
func (k Centred) Reference() kernel.Reference {
	return kernel.Reference{
		Name: "centred", Title: "kernel less its mean over a normal law", Formula: "k(x,y) − m(x)m(y)/M, m(x) = E k(x,z), M = E k(z,z′)",
		Domain:      "x, y ∈ ℝᵈ; z, z′ normal with independent columns",
		Equivalents: []string{"k = " + k.Of.String(), "mean of a column = " + number(k.Center), "standard deviation = " + number(k.spread())},
		Source:      "Durrande, Ginsbourger, Roustant & Carraro, ANOVA kernels and RKHS of zero mean functions for model-based sensitivity analysis (2013)",
		SeeAlso:     []string{"anova", "rbf", "laplace1"},
	}
}

var centredEntry = entry{
	Summary: "k(x,y) − m(x)m(y)/M, less the mean over a normal law",
	Arguments: []expr.Argument{
		{Name: "of", Kind: expr.KernelArg, Help: "the kernel k: rbf or laplace1"},
		{Name: "center", Kind: expr.NumberArg, Default: "0", Help: "mean of the columns"},
		{Name: "spread", Kind: expr.NumberArg, Default: "1", Help: "standard deviation of the columns"},
	},
	Build: func(a *expr.Args) (Kernel, error) {
		spread, err := positiveArgument(a, "centred", "spread", 1)
		if err != nil {
			return nil, err
		}
		k := Centred{Of: expr.KernelArgument[vector](a, "of"), Center: a.Number("center", 0), Spread: spread}
		if err := k.check(); err != nil {
			return nil, a.Errorf("of", "%w", err)
		}
		return k, nil
	},
}
