package vec

import (
	"math/big"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/tile"
)

// Linear is the inner product k(x, y) = ⟨x, y⟩ on ℝᵈ. It is positive definite with
// the feature map φ(x) = x. See also [Bilinear], [Poly] and [Cosine].
type Linear struct{ member }

// Eval returns ⟨x, y⟩.
func (k Linear) Eval(x, y []float64) float64 { return tile.Dot(x, y) }

// String returns linear().
func (k Linear) String() string { return "linear()" }

// Contains refuses NaN and infinite coordinates.
func (k Linear) Contains(x []float64) error { return finite(x) }

func (k Linear) emit(c *compiler) { c.statistic(tile.InnerProduct, nil, 0) }

// Features returns the number of coordinates.
func (k Linear) Features(like []float64) (int, bool) { return len(like), true }

// Map stores φ(x) = x.
func (k Linear) Map(phi, x []float64) { copy(phi, x) }

// EvalBig returns k(x, y) to prec bits.
func (k Linear) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float { return c.Dot(x, y) })
}

// Derive gives the feature map.
func (k Linear) Derive() kernel.Derivation {
	return proof(k, "an inner product: Σᵢⱼ aᵢaⱼ⟨xᵢ,xⱼ⟩ = ‖Σᵢ aᵢxᵢ‖² ≥ 0")
}

// Reference describes the kernel.
func (k Linear) Reference() kernel.Reference {
	return kernel.Reference{
		Name: "linear", Title: "inner product", Formula: "⟨x,y⟩", Domain: "x, y ∈ ℝᵈ",
		Equivalents: []string{"poly(degree=1, offset=0)", "φ(x) = x"},
		Source:      "Aronszajn, Theory of reproducing kernels, Trans. AMS 68 (1950)",
		SeeAlso:     []string{"bilinear", "poly", "cosine"},
	}
}
