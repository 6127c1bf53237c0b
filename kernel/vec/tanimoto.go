package vec

import (
	"math/big"

	"example.org/mercer/kernel/tile"
)

// Tanimoto returns the kernel ⟨x,y⟩/(‖x‖² + ‖y‖² − ⟨x,y⟩), and 1 where x = y = 0. Of vectors
// of 0 and 1 it is what two sets have in common over what they have together (Jaccard),
// and tiles count bits. It is positive definite on all of ℝᵈ: with s = ‖x‖² + ‖y‖²,
//
//	k(x, y) = Σ_{n≥1} ⟨x,y⟩ⁿ/sⁿ,   s⁻ⁿ = ∫ tⁿ⁻¹ e^{−t‖x‖²} e^{−t‖y‖²} dt/(n−1)!,
//
// where the series converges because |⟨x,y⟩| ≤ s/2, and every term is a product of
// positive definite kernels.
func Tanimoto() Number { return Number{of: &tanimotoKernel} }

// Dice returns the kernel 2⟨x,y⟩/(‖x‖² + ‖y‖²), and 1 where x = y = 0; see [Tanimoto], of
// whose series it is twice the first term.
func Dice() Number { return Number{of: &diceKernel} }

var tanimotoKernel = numberKernel{
	name: "tanimoto", title: "Tanimoto similarity; Jaccard index of bits", formula: "⟨x,y⟩/(‖x‖²+‖y‖²−⟨x,y⟩)", domain: "x, y ∈ ℝᵈ; 1 at x = y = 0",
	vectors: true, allowed: squarable, asWritten: "bits or counts",
	eval: func(x, y []float64) float64 { return tile.Tanimoto(tile.Dot(x, y), tile.Dot(x, x), tile.Dot(y, y)) },
	exact: func(c *calculator, x, y []float64) *big.Float {
		inner := c.Dot(x, y)
		return c.share(inner, c.Sub(c.Add(c.Dot(x, x), c.Dot(y, y)), inner))
	},
	emit: func(c *compiler) {
		c.statistic(tile.InnerProduct, nil, 0)
		c.op(tile.OpTanimoto, 0, 0)
	},
	reason: "Σ ⟨x,y⟩ⁿ/sⁿ over n ≥ 1 with s = ‖x‖²+‖y‖², and s⁻ⁿ = ∫ tⁿ⁻¹ e^{−t‖x‖²} e^{−t‖y‖²} dt/(n−1)!; at x = y = 0 the indicator of 0",
	source: "Gower, A general coefficient of similarity, Biometrics 27 (1971); Ralaivola, Swamidass, Saigo & Baldi, Graph kernels for chemical informatics (2005)", seeAlso: []string{"dice", "minmax", "cosine"},
}

var diceKernel = numberKernel{
	name: "dice", title: "Dice similarity", formula: "2⟨x,y⟩/(‖x‖²+‖y‖²)", domain: "x, y ∈ ℝᵈ; 1 at x = y = 0",
	vectors: true, allowed: squarable, asWritten: "bits or counts",
	eval: func(x, y []float64) float64 { return tile.Dice(tile.Dot(x, y), tile.Dot(x, x), tile.Dot(y, y)) },
	exact: func(c *calculator, x, y []float64) *big.Float {
		return c.share(c.Mul(c.Of(2), c.Dot(x, y)), c.Add(c.Dot(x, x), c.Dot(y, y)))
	},
	emit: func(c *compiler) {
		c.statistic(tile.InnerProduct, nil, 0)
		c.op(tile.OpDice, 0, 0)
	},
	reason: "2⟨x,y⟩·∫ e^{−t‖x‖²} e^{−t‖y‖²} dt over t ≥ 0, a product of positive definite kernels; at x = y = 0 the indicator of 0",
	source: "Dice, Measures of the amount of ecologic association between species, Ecology 26 (1945); Gower & Legendre, J. Classification 3 (1986)", seeAlso: []string{"tanimoto", "cosine"},
}

func (c *calculator) share(part, whole *big.Float) *big.Float {
	if whole.Sign() == 0 {
		return c.Of(1)
	}
	return c.Quo(part, whole)
}
