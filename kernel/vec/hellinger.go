package vec

import (
	"math"
	"math/big"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel/tile"
)

// Hellinger returns the kernel Σⱼ √(xⱼyⱼ) on x ≥ 0: the coefficient of Bhattacharyya, which
// is 1 − H² for the Hellinger distance H of histograms that sum to 1. Tiles are inner
// products of the roots.
func Hellinger() Number { return Number{of: &hellingerKernel} }

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
		sum := c.of(0)
		for j := range x {
			sum = c.add(sum, c.call(bigmath.Sqrt, c.mul(c.of(x[j]), c.of(y[j]))))
		}
		return sum
	},
	emit:         func(c *compiler) { c.powers(tile.InnerProduct, 0.5) },
	construction: hellingerConstruction,
	reason:       "⟨φ(x), φ(y)⟩ with the roots φ(x)ⱼ = √xⱼ",
	source:       "Bhattacharyya, On a measure of divergence, Bull. Calcutta Math. Soc. 35 (1943); Jebara & Kondor, Bhattacharyya and expected likelihood kernels, COLT 2003", seeAlso: []string{"min", "chi2add", "jsadd"},
}
