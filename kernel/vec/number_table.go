package vec

import (
	"math"
	"math/big"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel/tile"
)

// Min returns the kernel Σⱼ min(xⱼ, yⱼ) on x ≥ 0: the minimum of two numbers, the
// intersection of two histograms.
func Min() Number { return Number{of: &minKernel} }

// MinMax returns the kernel Σⱼ min(xⱼ, yⱼ) / Σⱼ max(xⱼ, yⱼ) on x ≥ 0, the
// generalised Jaccard similarity, with the value 1 at x = y = 0.
func MinMax() Number { return Number{of: &minMaxKernel} }

// GCD returns the greatest common divisor of two positive integers.
func GCD() Number { return Number{of: &gcdKernel} }

// GCDLCM returns gcd(x, y)/lcm(x, y) on positive integers.
func GCDLCM() Number { return Number{of: &gcdLcmKernel} }

// Exp2Sum returns 2^(x+y) on numbers.
func Exp2Sum() Number { return Number{of: &exp2SumKernel} }

// Exp2Prod returns 2^(xy) on numbers.
func Exp2Prod() Number { return Number{of: &exp2ProdKernel} }

// Geometric returns 1/(1−xy) on −1 < x < 1.
func Geometric() Number { return Number{of: &geometricKernel} }

// CosDiff returns cos(x−y) on numbers.
func CosDiff() Number { return Number{of: &cosDiffKernel} }

// GeometricMin returns 1/(1−min(x, y)) on 0 ≤ x < 1.
func GeometricMin() Number { return Number{of: &geometricMinKernel} }

// Hellinger returns the kernel Σⱼ √(xⱼyⱼ) on x ≥ 0: the coefficient of Bhattacharyya, which
// is 1 − H² for the Hellinger distance H of histograms that sum to 1. Tiles are inner
// products of the roots.
func Hellinger() Number { return Number{of: &hellingerKernel} }

// numberKernels lists the table for the dictionary.
var numberKernels = []*numberKernel{
	&minKernel, &minMaxKernel, &gcdKernel, &gcdLcmKernel, &exp2SumKernel,
	&exp2ProdKernel, &geometricKernel, &cosDiffKernel, &geometricMinKernel, &chi2AddKernel,
	&jsAddKernel, &hellingerKernel, &tanimotoKernel, &diceKernel,
}

var minKernel = numberKernel{
	name: "min", title: "minimum; intersection of histograms", formula: "Σⱼ min(xⱼ,yⱼ)", domain: "x, y ∈ ℝ₊ᵈ",
	vectors: true, additive: true, allowed: nonNegative, asWritten: amounts,
	eval: tile.SumOfMinima.Value,
	exact: func(c *calculator, x, y []float64) *big.Float {
		least, _ := c.extremes(x, y)
		return least
	},
	emit:         func(c *compiler) { c.statistic(tile.SumOfMinima, nil, 0) },
	construction: minConstruction,
	reason:       "min(x,y) = ∫ 1[t≤x]·1[t≤y] dt over t ≥ 0, an inner product of indicators; summed over the coordinates",
	source:       "Swain & Ballard, Color indexing, IJCV 7 (1991); Odone, Barla & Verri (2005)", seeAlso: []string{"minmax", "geometric_min"},
}

var minMaxKernel = numberKernel{
	name: "minmax", title: "minimum over maximum; generalised Jaccard", formula: "Σⱼ min(xⱼ,yⱼ)/Σⱼ max(xⱼ,yⱼ)",
	domain: "x, y ∈ ℝ₊ᵈ; 1 at x = y = 0", vectors: true, allowed: nonNegative, asWritten: amounts,
	eval: tile.MinOverMax.Value,
	exact: func(c *calculator, x, y []float64) *big.Float {
		least, most := c.extremes(x, y)
		if most.Sign() == 0 {
			return c.Of(1)
		}
		return c.Quo(least, most)
	},
	emit:   func(c *compiler) { c.statistic(tile.MinOverMax, nil, 0) },
	reason: "the probability that consistent weighted samples of x and y agree, an expectation of indicator kernels (Ioffe 2010); for one number exp(−|ln x − ln y|)",
	source: "Ralaivola et al., Graph kernels for chemical informatics (2005); Ioffe, Improved consistent sampling (2010)", seeAlso: []string{"min", "gcdlcm"},
}

var gcdKernel = numberKernel{
	name: "gcd", title: "greatest common divisor", formula: "gcd(x,y)", domain: "x, y ∈ {1, 2, 3, …}",
	allowed: positiveInteger, asWritten: "whole numbers",
	eval:   tile.CommonDivisor.Value,
	exact:  func(c *calculator, x, y []float64) *big.Float { return c.Of(tile.CommonDivisor.Value(x, y)) },
	emit:   func(c *compiler) { c.statistic(tile.CommonDivisor, nil, 0) },
	reason: "gcd(x,y) = Σ φ(d) over the common divisors d, with Euler's totient φ(d) > 0: an inner product of divisor indicators",
	source: "Smith, On the value of a certain arithmetical determinant, Proc. LMS 7 (1876)", seeAlso: []string{"gcdlcm", "min"},
}

var gcdLcmKernel = numberKernel{
	name: "gcdlcm", title: "greatest common divisor over least common multiple", formula: "gcd(x,y)/lcm(x,y)", domain: "x, y ∈ {1, 2, 3, …}",
	allowed: positiveInteger, asWritten: "whole numbers",
	eval: tile.DivisorOverMultiple.Value,
	exact: func(c *calculator, x, y []float64) *big.Float {
		g := c.Of(tile.CommonDivisor.Value(x, y))
		return c.Quo(c.Mul(g, g), c.Mul(c.Of(x[0]), c.Of(y[0])))
	},
	emit:   func(c *compiler) { c.statistic(tile.DivisorOverMultiple, nil, 0) },
	reason: "gcd²/(xy), and gcd(x,y)² = Σ J₂(d) over the common divisors d with Jordan's totient J₂(d) > 0; f(x)k(x,y)f(y) with f = 1/x",
	source: "Beslin & Ligh, Greatest common divisor matrices, Linear Algebra Appl. 118 (1989)", seeAlso: []string{"gcd", "minmax"},
}

var exp2SumKernel = numberKernel{
	name: "exp2sum", title: "two to the sum", formula: "2^(x+y)", domain: "x, y ∈ ℝ",
	allowed: anyNumber,
	eval:    func(x, y []float64) float64 { return math.Exp2(x[0] + y[0]) },
	exact: func(c *calculator, x, y []float64) *big.Float {
		return c.Pow(c.Of(2), c.Add(c.Of(x[0]), c.Of(y[0])))
	},
	emit: func(c *compiler) {
		c.statistic(tile.SumOfCoordinates, nil, 0)
		c.op(tile.OpExp2, 0, 0)
	},
	reason: "2^x·2^y, of rank one with the feature 2^x",
	source: "Shawe-Taylor & Cristianini (2004), proposition 3.22", seeAlso: []string{"exp2prod"},
	features: 1, mapped: func(phi, x []float64) { phi[0] = math.Exp2(x[0]) },
}

var exp2ProdKernel = numberKernel{
	name: "exp2prod", title: "two to the product", formula: "2^(xy)", domain: "x, y ∈ ℝ",
	allowed: anyNumber,
	eval:    func(x, y []float64) float64 { return math.Exp2(x[0] * y[0]) },
	exact: func(c *calculator, x, y []float64) *big.Float {
		return c.Pow(c.Of(2), c.Mul(c.Of(x[0]), c.Of(y[0])))
	},
	emit: func(c *compiler) {
		c.statistic(tile.InnerProduct, nil, 0)
		c.op(tile.OpExp2, 0, 0)
	},
	reason: "exp(ln 2·xy), a power series in xy with coefficients (ln 2)^m/m! ≥ 0",
	source: "Shawe-Taylor & Cristianini (2004), proposition 3.24", seeAlso: []string{"exp2sum", "geometric"},
}

var geometricKernel = numberKernel{
	name: "geometric", title: "geometric series of the product", formula: "1/(1−xy)", domain: "x, y ∈ (−1, 1)",
	allowed: func(v float64) string { return unless(v > -1 && v < 1, "geometric needs −1 < x < 1") }, asWritten: "numbers between −1 and 1",
	eval: func(x, y []float64) float64 { return 1 / (1 - x[0]*y[0]) },
	exact: func(c *calculator, x, y []float64) *big.Float {
		return c.Quo(c.Of(1), c.Sub(c.Of(1), c.Mul(c.Of(x[0]), c.Of(y[0]))))
	},
	emit: func(c *compiler) {
		c.statistic(tile.InnerProduct, nil, 0)
		c.op(tile.OpReciprocalComplement, 0, 0)
	},
	reason: "Σ (xy)^m over m ≥ 0, a power series with coefficients 1 ≥ 0 (the Szegő kernel)",
	source: "Aronszajn, Theory of reproducing kernels, Trans. AMS 68 (1950)", seeAlso: []string{"geometric_min", "exp2prod"},
}

var cosDiffKernel = numberKernel{
	name: "cosdiff", title: "cosine of the difference", formula: "cos(x−y)", domain: "x, y ∈ ℝ",
	allowed: anyNumber,
	eval:    func(x, y []float64) float64 { return math.Cos(x[0] - y[0]) },
	exact: func(c *calculator, x, y []float64) *big.Float {
		return c.Call(bigmath.Cos, c.Sub(c.Of(x[0]), c.Of(y[0])))
	},
	emit: func(c *compiler) {
		c.statistic(tile.Manhattan, nil, 0)
		c.op(tile.OpCos, 0, 0)
	},
	reason: "cos x cos y + sin x sin y, of rank two with the features (cos x, sin x)",
	source: "Bochner, Math. Ann. 108 (1933)", seeAlso: []string{"periodic"},
	features: 2, mapped: func(phi, x []float64) { phi[1], phi[0] = math.Sincos(x[0]) },
}

var geometricMinKernel = numberKernel{
	name: "geometric_min", title: "geometric series of the minimum", formula: "1/(1−min(x,y))", domain: "x, y ∈ [0, 1)",
	allowed: func(v float64) string { return unless(v >= 0 && v < 1, "geometric_min needs 0 ≤ x < 1") }, asWritten: "numbers from 0 to 1",
	eval: func(x, y []float64) float64 { return 1 / (1 - min(x[0], y[0])) },
	exact: func(c *calculator, x, y []float64) *big.Float {
		return c.Quo(c.Of(1), c.Sub(c.Of(1), c.Of(min(x[0], y[0]))))
	},
	emit: func(c *compiler) {
		c.statistic(tile.SumOfMinima, nil, 0)
		c.op(tile.OpReciprocalComplement, 0, 0)
	},
	reason: "Σ min(x,y)^m over m ≥ 0: powers (Schur) of the kernel min, summed with coefficients 1 ≥ 0",
	source: "Shawe-Taylor & Cristianini (2004), proposition 3.24", seeAlso: []string{"min", "geometric"},
}

func unless(ok bool, why string) string {
	if ok {
		return ""
	}
	return why
}

// amounts is what histograms are made of.
const amounts = "amounts of 0 or more"

func anyNumber(float64) string { return "" }

// squarable numbers have squares that neither over- nor underflow.
func squarable(v float64) string {
	return unless(v == 0 || math.Abs(v) >= 1e-150 && math.Abs(v) <= 1e150, "this kernel needs numbers between 1e-150 and 1e150 in size, or 0")
}

func nonNegative(v float64) string {
	return unless(v >= 0, "this kernel needs numbers of at least 0")
}

func positiveInteger(v float64) string {
	return unless(v >= 1 && v == math.Trunc(v) && v <= 1<<53, "this kernel needs whole numbers from 1 to 2⁵³")
}

var hellingerKernel = numberKernel{
	name: "hellinger", title: "Hellinger's kernel of histograms; coefficient of Bhattacharyya", formula: "Σⱼ √(xⱼyⱼ)", domain: "x, y ∈ ℝ₊ᵈ",
	vectors: true, additive: true, allowed: nonNegative, asWritten: amounts,
	eval: func(x, y []float64) float64 {
		sum := 0.0
		for j, v := range x {
			sum += float64(math.Sqrt(v) * math.Sqrt(y[j]))
		}
		return sum
	},
	exact: func(c *calculator, x, y []float64) *big.Float {
		sum := c.Of(0)
		for j := range x {
			sum = c.Add(sum, c.Call(bigmath.Sqrt, c.Mul(c.Of(x[j]), c.Of(y[j]))))
		}
		return sum
	},
	emit:         func(c *compiler) { c.powers(tile.InnerProduct, 0.5) },
	construction: hellingerConstruction,
	reason:       "⟨φ(x), φ(y)⟩ with the roots φ(x)ⱼ = √xⱼ",
	source:       "Bhattacharyya, On a measure of divergence, Bull. Calcutta Math. Soc. 35 (1943); Jebara & Kondor, Bhattacharyya and expected likelihood kernels, COLT 2003", seeAlso: []string{"min", "chi2add", "jsadd"},
}
