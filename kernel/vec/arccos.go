package vec

import (
	"fmt"
	"math/big"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/network"
)

// Arccos is the arc-cosine kernel of Order n = 0, 1 or 2 of points at the angle θ,
//
//	k(x, y) = (1/π)‖x‖ⁿ‖y‖ⁿ·J_n(θ),   J₀ = π−θ,   J₁ = sinθ + (π−θ)cosθ,
//	J₂ = 3 sinθ cosθ + (π−θ)(1 + 2cos²θ),
//
// which is 2 E relu(⟨g,x⟩)ⁿrelu(⟨g,y⟩)ⁿ for normal g. Depth (0 means 1) is how often that is done,
// each time on the features of the kernel before. It is positive definite as an expectation of
// products, and 0 where a point is 0. Order 1 does not change the lengths, k(x, x) = ‖x‖²; order
// 0 forgets them, and order 2 triples their squares. See also [Network], which has biases.
type Arccos struct {
	member
	Order int
	Depth int
}

func (k Arccos) layers() network.Network {
	return network.Network{Activation: network.Activation(k.Order), Depth: max(k.Depth, 1), Input: 0.5, Weight: 2}
}

// Eval returns J_n(θ)‖x‖ⁿ‖y‖ⁿ/π of the last layer.
func (k Arccos) Eval(x, y []float64) float64 { return evalLayers(k.layers(), x, y) }

// String returns arccos(order=…, depth=…).
func (k Arccos) String() string {
	return fmt.Sprintf("arccos(order=%d, depth=%d)", k.Order, k.layers().Depth)
}

// Contains refuses NaN and infinite coordinates, and other orders.
func (k Arccos) Contains(x []float64) error {
	if k.Order < 0 || k.Order > 2 {
		return fmt.Errorf("arccos: order = %d must be 0, 1 or 2", k.Order)
	}
	if err := k.layers().Check(); err != nil {
		return fmt.Errorf("arccos: %w", err)
	}
	return finite(x)
}

func (k Arccos) emit(c *compiler) { c.network(k.layers()) }

// slope is that of a function of the angle and of ⟨x, x⟩.
func (k Arccos) slope() (Slope, error) {
	return func(dst []float64, c float64, x, y []float64) { addLayersSlope(k.layers(), dst, c, x, y) }, nil
}

// EvalBig returns k(x, y) to prec bits.
func (k Arccos) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float { return c.layers(k.layers(), c.Of(0.5), x, y) })
}

// FeatureConstruction draws √(2/D)·relu(⟨g, x⟩)ⁿ, layer by layer.
func (k Arccos) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	return k.layers().Units(len(like)), nil
}

// Derive gives the expectation.
func (k Arccos) Derive() kernel.Derivation {
	return proof(k, "2 E relu(⟨g,x⟩)ⁿrelu(⟨g,y⟩)ⁿ for normal g, an expectation of products of functions of one point each; every further layer is the same of the features before (Cho & Saul 2009)")
}

// Reference describes the kernel.
func (k Arccos) Reference() kernel.Reference {
	return kernel.Reference{
		Name: "arccos", Title: "arc-cosine kernel of order " + fmt.Sprint(k.Order), Formula: "‖x‖ⁿ‖y‖ⁿ·J_n(θ)/π, θ the angle of x and y",
		Domain:      "x, y ∈ ℝᵈ; n ∈ {0, 1, 2}",
		Equivalents: []string{fmt.Sprintf("depth = %d", k.layers().Depth), "2 E relu(⟨g,x⟩)ⁿrelu(⟨g,y⟩)ⁿ, g ~ N(0, I)"},
		Source:      "Cho & Saul, Kernel methods for deep learning, NIPS (2009)",
		SeeAlso:     []string{"nngp", "ntk", "cosine"},
	}
}

var arccosEntry = entry{
	Summary:   "‖x‖ⁿ‖y‖ⁿ·J_n(θ)/π, of the angle θ",
	AsWritten: "arc-cosine",
	Arguments: []expr.Argument{{Name: "order", Also: []string{"n"}, Kind: expr.NumberArg, Default: "1", Help: "n = 0, 1 or 2: step, relu or its square"}, depthArgument},
	Build: func(a *expr.Args) (Kernel, error) {
		order := a.Number("order", 1)
		if order != 0 && order != 1 && order != 2 {
			return nil, a.Errorf("order", "arccos: order = %s must be 0, 1 or 2", number(order))
		}
		depth, err := depthOf(a, "arccos")
		return Arccos{Order: int(order), Depth: depth}, err
	},
}
