package vec

import (
	"fmt"
	"math"
	"math/big"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/tile"
)

// GIntersection is the generalised intersection of histograms
//
//	k(x, y) = Σⱼ min(|xⱼ|^β, |yⱼ|^β)
//
// with Beta β > 0 (0 means 1). For β = 1 and x, y ≥ 0 it is [Min]. A small β lets full bins
// weigh hardly more than others, which images with large even surfaces need.
//
// It is positive definite, as [Min] is, composed with the map x ↦ (|xⱼ|^β)ⱼ.
type GIntersection struct {
	member
	Beta float64
}

func (k GIntersection) beta() float64 { return or(k.Beta, 1) }

// Eval returns Σⱼ min(|xⱼ|, |yⱼ|)^β.
func (k GIntersection) Eval(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		sum += tile.AbsPower(min(math.Abs(v), math.Abs(y[j])), k.beta())
	}
	return sum
}

// String returns gintersection(beta=…).
func (k GIntersection) String() string { return "gintersection(beta=" + number(k.beta()) + ")" }

// Contains refuses NaN and infinite coordinates, and those whose power is infinite.
func (k GIntersection) Contains(x []float64) error {
	if err := positive("gintersection: beta", k.beta()); err != nil {
		return err
	}
	for j, v := range x {
		if math.IsInf(tile.AbsPower(v, k.beta()), 0) && !math.IsInf(v, 0) {
			return fmt.Errorf("coordinate %d (counted from 1) is %s, and |x|^%s is too large a number: give a smaller beta", j+1, number(v), number(k.beta()))
		}
	}
	return finite(x)
}

func (k GIntersection) emit(c *compiler) { c.powers(tile.SumOfMinima, k.beta()) }

// Parameters returns β.
func (k GIntersection) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "beta", Value: k.beta(), Positive: true}}
}

// With returns the kernel with another β.
func (k GIntersection) With(values []float64) (Kernel, error) {
	if err := count("gintersection", len(values), 1); err != nil {
		return nil, err
	}
	return GIntersection{Beta: values[0]}, positive("gintersection: beta", values[0])
}

// EvalGrad stores ∂k/∂ln β = Σⱼ mⱼ^β ln mⱼ^β with mⱼ = min(|xⱼ|, |yⱼ|), and 0 for mⱼ = 0.
func (k GIntersection) EvalGrad(grad, x, y []float64) float64 {
	grad[0] = 0
	for j, v := range x {
		if m := tile.AbsPower(min(math.Abs(v), math.Abs(y[j])), k.beta()); m > 0 {
			grad[0] += m * math.Log(m)
		}
	}
	return k.Eval(x, y)
}

// EvalBig returns k(x, y) to prec bits.
func (k GIntersection) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		sum := c.Of(0)
		for j := range x {
			if m := min(math.Abs(x[j]), math.Abs(y[j])); m > 0 {
				sum = c.Add(sum, c.Pow(c.Of(m), c.Of(k.beta())))
			}
		}
		return sum
	})
}

// FeatureConstruction is that of [Min] at the powers.
func (k GIntersection) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	return construction.Pull(minConstruction(len(like)), func(x []float64) []float64 {
		p := make([]float64, len(x))
		for j, v := range x {
			p[j] = tile.AbsPower(math.Abs(v), k.beta())
		}
		return p
	}), nil
}

// Derive reduces the kernel to that of minima.
func (k GIntersection) Derive() kernel.Derivation {
	return proof(k, "min(s,t) = ∫ 1[u≤s]·1[u≤t] du is positive definite for s = |x|^β ≥ 0; a kernel composed with a map stays one; summed over the coordinates")
}

// Reference describes the kernel.
func (k GIntersection) Reference() kernel.Reference {
	return kernel.Reference{
		Name: "gintersection", Title: "generalised intersection of histograms", Formula: "Σⱼ min(|xⱼ|^β, |yⱼ|^β)", Domain: "x, y ∈ ℝᵈ; β > 0",
		Equivalents: []string{"beta β = " + number(k.beta())},
		Source:      "Boughorbel, Tarel & Boujemaa, Generalized histogram intersection kernel for image recognition, ICIP 2005",
		SeeAlso:     []string{"min", "minmax", "chi2"},
	}
}
