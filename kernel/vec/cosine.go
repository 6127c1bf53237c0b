package vec

import (
	"math"
	"math/big"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/tile"
)

// Cosine is the cosine of the angle between two vectors
//
//	k(x, y) = ⟨x, y⟩ / (‖x‖·‖y‖),  and 0 where one of them is the zero vector.
//
// It is positive definite on ℝᵈ with the feature map φ(x) = x/‖x‖, φ(0) = 0. It is
// [Linear], normalised.
type Cosine struct{ member }

// Eval returns ⟨x, y⟩/√(⟨x, x⟩⟨y, y⟩), exactly 1 for x = y ≠ 0.
func (k Cosine) Eval(x, y []float64) float64 {
	return tile.Cosine(tile.Dot(x, y), tile.Dot(x, x), tile.Dot(y, y))
}

// String returns cosine().
func (k Cosine) String() string { return "cosine()" }

// Contains refuses NaN and infinite coordinates.
func (k Cosine) Contains(x []float64) error { return finite(x) }

func (k Cosine) emit(c *compiler) {
	c.statistic(tile.InnerProduct, nil, 0)
	c.op(tile.OpCosine, 0, 0)
}

// Features returns the number of coordinates.
func (k Cosine) Features(like []float64) (int, bool) { return len(like), true }

// Map stores φ(x) = x/‖x‖.
func (k Cosine) Map(phi, x []float64) {
	norm := math.Sqrt(tile.Dot(x, x))
	for j, v := range x {
		phi[j] = 0
		if norm > 0 {
			phi[j] = v / norm
		}
	}
}

// EvalBig returns k(x, y) to prec bits.
func (k Cosine) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		norm := c.Call(bigmath.Sqrt, c.Mul(c.Dot(x, x), c.Dot(y, y)))
		if norm.Sign() == 0 {
			return norm
		}
		return c.Quo(c.Dot(x, y), norm)
	})
}

// Derive gives the feature map.
func (k Cosine) Derive() kernel.Derivation {
	return proof(k, "the inner product of x/‖x‖ and y/‖y‖ (with 0/‖0‖ = 0)")
}

// Reference describes the kernel.
func (k Cosine) Reference() kernel.Reference {
	return kernel.Reference{
		Name: "cosine", Title: "cosine of the angle", Formula: "⟨x,y⟩/(‖x‖‖y‖)", Domain: "x, y ∈ ℝᵈ; 0 where x = 0 or y = 0",
		Equivalents: []string{"normalize(of=linear()) away from 0", "φ(x) = x/‖x‖"},
		Source:      "Salton & McGill, Introduction to Modern Information Retrieval (1983)",
		SeeAlso:     []string{"linear"},
	}
}
