package vec

import (
	"fmt"
	"math"
	"math/big"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/monomial"
	"example.org/mercer/kernel/tile"
)

// Poly is the polynomial kernel k(x, y) = (s·⟨x, y⟩ + c)ⁿ with integer Degree n ≥ 1
// (0 means 2), Offset c and Scale s > 0 (0 means 1).
//
// It is positive definite for c ≥ 0: a product (Schur) of sums of positive definite
// kernels, with the monomials of degree at most n (exactly n for c = 0) as feature
// map, each weighted by the root of its multinomial coefficient. For c < 0 it is not:
// the coefficient n·s^{n−1}·c of ⟨x,y⟩^{n−1} is negative. See also [Linear].
type Poly struct {
	member
	Degree int
	Offset float64
	Scale  float64
}

func (k Poly) scale() float64 { return or(k.Scale, 1) }

func (k Poly) degree() int {
	if k.Degree == 0 {
		return 2
	}
	return k.Degree
}

// Eval returns (s·⟨x, y⟩ + c)ⁿ.
func (k Poly) Eval(x, y []float64) float64 {
	return monomial.Power(k.scale()*tile.Dot(x, y)+k.Offset, k.degree())
}

// String returns poly(degree=…, offset=…), and the scale where it is not 1.
func (k Poly) String() string {
	if k.scale() == 1 {
		return fmt.Sprintf("poly(degree=%d, offset=%s)", k.degree(), number(k.Offset))
	}
	return fmt.Sprintf("poly(degree=%d, offset=%s, scale=%s)", k.degree(), number(k.Offset), number(k.scale()))
}

// Contains refuses NaN and infinite coordinates.
func (k Poly) Contains(x []float64) error {
	if k.degree() < 1 {
		return fmt.Errorf("poly: degree = %d must be a whole number of at least 1", k.Degree)
	}
	if err := finiteNumber("poly: offset", k.Offset); err != nil {
		return err
	}
	if err := positive("poly: scale", k.scale()); err != nil {
		return err
	}
	return finite(x)
}

func (k Poly) emit(c *compiler) {
	c.statistic(tile.InnerProduct, nil, 0)
	c.op(tile.OpAffine, k.scale(), k.Offset)
	c.op(tile.OpPower, float64(k.degree()), 0)
}

// Parameters returns offset and scale; the degree is a choice, not a parameter.
func (k Poly) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "offset", Value: k.Offset}, {Name: "scale", Value: k.scale(), Positive: true}}
}

// With returns the kernel with another offset and scale.
func (k Poly) With(values []float64) (Kernel, error) {
	if err := count("poly", len(values), 2); err != nil {
		return nil, err
	}
	if err := positive("poly: scale", values[1]); err != nil {
		return nil, err
	}
	made := Poly{Degree: k.Degree, Offset: values[0], Scale: values[1]}
	return made, made.Contains(nil)
}

// EvalGrad stores ∂k/∂c = n·bⁿ⁻¹ and ∂k/∂ln s = n·bⁿ⁻¹·s⟨x, y⟩, with b = s⟨x, y⟩+c.
func (k Poly) EvalGrad(grad, x, y []float64) float64 {
	n, scaled := k.degree(), k.scale()*tile.Dot(x, y)
	slope := float64(n) * monomial.Power(scaled+k.Offset, n-1)
	grad[0], grad[1] = slope, slope*scaled
	return monomial.Power(scaled+k.Offset, n)
}

// EvalBig returns k(x, y) to prec bits.
func (k Poly) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		base := c.Add(c.Mul(c.Of(k.scale()), c.Dot(x, y)), c.Of(k.Offset))
		return c.PowInt(base, k.degree())
	})
}

// Features returns the number of monomials: C(d+n, n) of degree at most n, or
// C(d+n−1, n) of degree n where the offset is 0. There is no real map for a negative
// offset, and more than 2³⁰ monomials are not offered.
func (k Poly) Features(like []float64) (int, bool) {
	variables := len(like)
	if k.Offset > 0 {
		variables++
	}
	dim, ok := monomial.Count(variables, k.degree())
	return dim, ok && k.Offset >= 0
}

// Map stores the weighted monomials: with a₀ = n − Σ aⱼ the exponent of the offset,
// φₐ(x) = √(n!/(a₀!⋯a_d!)·c^a₀·s^(n−a₀))·Π xⱼ^aⱼ.
func (k Poly) Map(phi, x []float64) {
	n := k.degree()
	s, c := math.Sqrt(k.scale()), math.Sqrt(k.Offset)
	monomial.Expansion{
		X: x, Homogeneous: k.Offset == 0,
		// n!/(a₀!⋯a_d!) is the product of C(left, a) over the coordinates.
		Weight: func(left, a int) float64 { return math.Sqrt(monomial.Binomial(left, a)) * monomial.Power(s, a) },
		Rest:   func(left int) float64 { return monomial.Power(c, left) },
	}.Store(phi, n)
}

// FeatureConstruction is a product of n factors s⟨x, y⟩ + c, for any number of coordinates.
func (k Poly) FeatureConstruction(like []float64) (construction.Features[[]float64], error) {
	if k.Offset < 0 {
		return nil, construction.None(k, "its offset is negative")
	}
	s, d := math.Sqrt(k.scale()), len(like)
	factor := construction.Explicit[[]float64]{Dim: d, Map: func(phi, x []float64) {
		for j, v := range x {
			phi[j] = s * v
		}
		if k.Offset > 0 {
			phi[len(x)] = math.Sqrt(k.Offset)
		}
	}}
	if k.Offset > 0 {
		factor.Dim++
	}
	t := construction.Tensor[[]float64]{Exact: construction.Explicit[[]float64]{Map: k.Map}}
	t.Exact.Dim, _ = k.Features(like)
	for range k.degree() {
		t.Factors = append(t.Factors, factor)
	}
	return t, nil
}

// Derive gives the feature map, or the negative coefficient.
func (k Poly) Derive() kernel.Derivation {
	if k.Offset < 0 {
		return disproof(k, "the coefficient n·s^(n−1)·c of ⟨x,y⟩^(n−1) is negative, and monomials of different degree are independent")
	}
	return proof(k, "a product (Schur) of sums of inner products and constants ≥ 0; its features are the weighted monomials")
}

// Reference describes the kernel.
func (k Poly) Reference() kernel.Reference {
	title := "polynomial"
	if k.Offset < 0 {
		title = "polynomial, not positive definite for offset < 0"
	}
	return kernel.Reference{
		Name: "poly", Title: title, Formula: "(s·⟨x,y⟩ + c)ⁿ", Domain: "x, y ∈ ℝᵈ; n ∈ {1, 2, …}, c ≥ 0, s > 0",
		Equivalents: []string{
			fmt.Sprintf("degree n = %d", k.degree()), "offset c = " + number(k.Offset) + " (coef0)",
			"scale s = " + number(k.scale()) + " (gamma)",
		},
		Source:  "Shawe-Taylor & Cristianini, Kernel Methods for Pattern Analysis (2004), section 9.1",
		SeeAlso: []string{"linear", "tanh"},
	}
}
