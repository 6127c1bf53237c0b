package vec

import (
	"fmt"
	"math"
	"math/big"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/network"
	"example.org/mercer/kernel/tile"
)

// Network is the kernel of a random network of Depth layers of infinitely many units (0 means 1)
// with the Activation "relu" (also "") or "erf", of weights of variance w = Weight (0 means 2) and
// biases of variance b = Bias ≥ 0: NNGP, the covariance of its values,
//
//	Σ⁰ = w⟨x, y⟩/d + b,   Σˡ⁺¹ = w·E φ(u)φ(v) + b,   (u, v) normal of covariance Σˡ,
//
// or, with Tangent, NTK, the kernel of its training by small steps on all weights,
//
//	Θ⁰ = Σ⁰,   Θˡ⁺¹ = Θˡ·w·E φ′(u)φ′(v) + Σˡ⁺¹.
//
// Either is positive definite: expectations of products, sums and products of kernels. A value
// takes O(d + Depth). Sources: package network. See also [Arccos].
type Network struct {
	member
	Depth      int
	Activation string
	Weight     float64
	Bias       float64
	Tangent    bool
}

func (k Network) name() string {
	if k.Tangent {
		return "ntk"
	}
	return "nngp"
}

// activations are the names of what a unit can do.
var activations = map[string]network.Activation{"": network.Rectifier, "relu": network.Rectifier, "erf": network.Erf}

func (k Network) activation() network.Activation { return activations[k.Activation] }

func (k Network) layers(d int) network.Network {
	return network.Network{Activation: k.activation(), Depth: max(k.Depth, 1), Input: 1 / float64(max(d, 1)), Weight: or(k.Weight, 2), Bias: k.Bias, Tangent: k.Tangent}
}

// Eval returns the kernel of the last layer.
func (k Network) Eval(x, y []float64) float64 { return evalLayers(k.layers(len(x)), x, y) }

// String returns nngp(depth=…, activation=…, weight=…, bias=…), or ntk(…).
func (k Network) String() string {
	n := k.layers(1)
	return fmt.Sprintf("%s(depth=%d, activation=%s, weight=%s, bias=%s)", k.name(), n.Depth, n.Activation, number(n.Weight), number(n.Bias))
}

// Contains refuses NaN and infinite coordinates, and numbers that are no variances.
func (k Network) Contains(x []float64) error {
	if _, ok := activations[k.Activation]; !ok {
		return fmt.Errorf("%s: activation = %s is not known: use relu or erf", k.name(), k.Activation)
	}
	if err := k.layers(len(x)).Check(); err != nil {
		return fmt.Errorf("%s: %w", k.name(), err)
	}
	return finite(x)
}

func (k Network) emit(c *compiler) { c.network(k.layers(c.width())) }

// Parameters returns the weight, and the bias unless it is 0, which has no logarithm.
func (k Network) Parameters() []kernel.Parameter {
	p := []kernel.Parameter{{Name: "weight", Value: or(k.Weight, 2), Positive: true}}
	if k.Bias > 0 {
		p = append(p, kernel.Parameter{Name: "bias", Value: k.Bias, Positive: true})
	}
	return p
}

// With returns the kernel with other variances.
func (k Network) With(values []float64) (Kernel, error) {
	if err := count(k.name(), len(values), len(k.Parameters())); err != nil {
		return nil, err
	}
	for i, p := range k.Parameters() {
		if err := positive(k.name()+": "+p.Name, values[i]); err != nil {
			return nil, err
		}
	}
	if k.Weight = values[0]; k.Bias > 0 {
		k.Bias = values[1]
	}
	return k, k.Contains(nil)
}

// EvalGrad stores ∂k/∂ln w and ∂k/∂ln b.
func (k Network) EvalGrad(grad, x, y []float64) float64 {
	value, g := k.layers(len(x)).Gradient(tile.Angle.Value(x, y), tile.Dot(x, x), tile.Dot(y, y))
	if grad[0] = g.Weight; k.Bias > 0 {
		grad[1] = k.Bias * g.Bias
	}
	return value
}

// slope is that of a function of the angle and of ⟨x, x⟩.
func (k Network) slope() (Slope, error) {
	return func(dst []float64, c float64, x, y []float64) { addLayersSlope(k.layers(len(x)), dst, c, x, y) }, nil
}

// EvalBig returns k(x, y) to prec bits.
func (k Network) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		return c.layers(k.layers(len(x)), new(big.Float).SetPrec(2*c.Prec+256).Quo(c.Of(1), c.Of(float64(max(len(x), 1)))), x, y)
	})
}

// FeatureConstruction draws the units of each layer.
func (k Network) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	return k.layers(len(like)).Units(len(like)), nil
}

// Derive says why each layer keeps the kernel positive definite.
func (k Network) Derive() kernel.Derivation {
	reason := "w⟨x,y⟩/d + b is an inner product, and each layer w times E φ(u)φ(v), an expectation of products of functions of one point each, plus b ≥ 0"
	if k.Tangent {
		reason += "; the tangent kernel is a sum over the layers of such covariances times expectations of products φ′(u)φ′(v), positive definite as products are (Schur)"
	}
	return proof(k, reason)
}

// Reference describes the kernel.
func (k Network) Reference() kernel.Reference {
	r := kernel.Reference{
		Name: k.name(), Title: "random network of infinite width (NNGP)", Formula: "Σˡ⁺¹ = w·E φ(u)φ(v) + b, Σ⁰ = w⟨x,y⟩/d + b",
		Domain:      "x, y ∈ ℝᵈ; w > 0, b ≥ 0",
		Equivalents: []string{fmt.Sprintf("depth = %d layers of %s", k.layers(1).Depth, k.activation()), "weight w = " + number(or(k.Weight, 2)), "bias b = " + number(k.Bias)},
		Source:      "Lee et al., Deep neural networks as Gaussian processes, ICLR (2018)",
		SeeAlso:     []string{"arccos", "ntk"},
	}
	if k.Tangent {
		r.Title, r.Formula = "training of a network of infinite width (NTK)", "Θˡ⁺¹ = Θˡ·w·E φ′(u)φ′(v) + Σˡ⁺¹, Θ⁰ = Σ⁰ = w⟨x,y⟩/d + b"
		r.Source, r.SeeAlso = "Jacot, Gabriel & Hongler, Neural tangent kernel, NeurIPS (2018)", []string{"nngp", "arccos"}
	}
	return r
}

func networkEntry(tangent bool) entry {
	k := Network{Tangent: tangent}
	summary := "covariance of a random network of infinite width"
	if tangent {
		summary = "training of a network of infinite width"
	}
	return entry{
		Summary: summary,
		Arguments: []expr.Argument{
			depthArgument,
			{Name: "activation", Kind: expr.WordArg, Default: "relu", Help: "of the units: relu or erf"},
			{Name: "weight", Also: []string{"w"}, Kind: expr.NumberArg, Default: "2", Help: "variance w > 0 of the weights"},
			{Name: "bias", Also: []string{"b"}, Kind: expr.NumberArg, Default: "0", Help: "variance b ≥ 0 of the biases"},
		},
		Build: func(a *expr.Args) (Kernel, error) {
			var err error
			if k.Depth, err = depthOf(a, k.name()); err != nil {
				return nil, err
			}
			if k.Weight, err = positiveArgument(a, k.name(), "weight", 2); err != nil {
				return nil, err
			}
			k.Activation, k.Bias = a.Text("activation", "relu"), a.Number("bias", 0)
			if err := k.Contains(nil); err != nil {
				return nil, a.Errorf("activation", "%w", err)
			}
			return k, nil
		},
	}
}

var depthArgument = expr.Argument{Name: "depth", Also: []string{"l"}, Kind: expr.NumberArg, Default: "1", Help: "layers of units, 1, 2, 3, …"}

func depthOf(a *expr.Args, name string) (int, error) {
	depth := a.Number("depth", 1)
	if depth != math.Trunc(depth) || depth < 1 || depth > network.MostDepth {
		return 0, a.Errorf("depth", "%s: depth = %s must be a whole number from 1 to %d", name, number(depth), network.MostDepth)
	}
	return int(depth), nil
}
