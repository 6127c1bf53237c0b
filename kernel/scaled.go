package kernel

import (
	"math"
	"math/big"
)

// Scaled is the kernel c·k(x, y). It is positive definite for c ≥ 0 where k is.
// Written as a product with a number in front: 0.5*k.
type Scaled[T any] struct {
	Factor float64 // c
	Of     Kernel[T]
}

// Eval returns c·k(x, y).
func (k Scaled[T]) Eval(x, y T) float64 { return k.Factor * k.Of.Eval(x, y) }

// String returns c*k.
func (k Scaled[T]) String() string { return number(k.Factor) + "*" + enclose(k.Of, looseProduct) }

func (k Scaled[T]) binds() int { return looseProduct }

// Parts returns the kernel that is scaled.
func (k Scaled[T]) Parts() []Kernel[T] { return []Kernel[T]{k.Of} }

// Combine multiplies by c.
func (k Scaled[T]) Combine(dst []float64, parts [][]float64) {
	for i, v := range parts[0] {
		dst[i] = k.Factor * v
	}
}

// Parameters returns the factor, named "scale", where it is positive, and those of
// the kernel that is scaled. Zero and negative factors stay as they are.
func (k Scaled[T]) Parameters() []Parameter {
	return parametersOf(ownNumber("scale", k.Factor), k.Of)
}

func (k Scaled[T]) arity() int { return ownCount(k.Factor) + arity(k.Of) }

// With returns the kernel with another factor and other parameters of its part.
func (k Scaled[T]) With(values []float64) (Kernel[T], error) {
	if len(values) != k.arity() {
		return nil, wrongCount(len(values), k.arity())
	}
	factor, err := ownValue("scale", k.Factor, values)
	if err != nil {
		return nil, err
	}
	of, err := withPart(k.Of, values[ownCount(k.Factor):])
	return Scaled[T]{Factor: factor, Of: of}, err
}

// EvalGrad returns c·k with ∂(c·k)/∂ln c = c·k; see [Gradient].
func (k Scaled[T]) EvalGrad(grad []float64, x, y T) float64 {
	own := ownCount(k.Factor)
	value := k.Factor * evalGrad(k.Of, grad[own:], x, y)
	scale(k.Factor, grad[own:])
	if own > 0 {
		grad[0] = value
	}
	return value
}

// EvalBig multiplies exactly; see [IsExact].
func (k Scaled[T]) EvalBig(x, y T, prec uint) (*big.Float, error) {
	v, err := evalBig(k.Of, x, y, prec+firstExtra)
	if err != nil {
		return nil, err
	}
	c, err := exactly(k.Factor, prec+firstExtra)
	if err != nil {
		return nil, err
	}
	return c.Mul(c, v).SetPrec(prec), nil
}

// NotExact names a part that is not exact.
func (k Scaled[T]) NotExact() error { return notExact(k.Of) }

// NotDifferentiable names a part that is not differentiable.
func (k Scaled[T]) NotDifferentiable() error { return notDifferentiable(k.Of) }

// Features returns those of the part, and false for c < 0.
func (k Scaled[T]) Features(like T) (int, bool) {
	n, ok := features(k.Of, like)
	return n, ok && k.Factor >= 0
}

// Map stores √c·φ(x).
func (k Scaled[T]) Map(phi []float64, x T) {
	copy(phi, mapOf(k.Of, x))
	scale(math.Sqrt(k.Factor), phi)
}

// Derive applies the rule of non-negative factors.
func (k Scaled[T]) Derive() Derivation {
	part := Derive(k.Of)
	d := Derivation{Kernel: k.String(), From: []Derivation{part}}
	constant, isConstant := k.Of.(Constant[T])
	switch {
	case k.Factor == 0:
		d.Verdict, d.Reason = Definite, "the zero kernel: aᵀKa = 0 always"
	case k.Factor > 0 && part.Verdict == Indefinite:
		d.Verdict, d.Reason = Indefinite, "a positive factor keeps the sign of aᵀKa, which is negative for the counter-example of "+part.Kernel
	case k.Factor > 0:
		return concluded(d, "a non-negative multiple of a positive definite kernel is positive definite: its map is √c·φ")
	case isConstant && constant.Value > 0:
		d.Verdict, d.Reason = Indefinite, "one point with the coefficient a = 1 gives aᵀKa < 0"
	case part.Verdict == Definite:
		d.Reason = "a negative multiple of a positive definite kernel is positive definite only where that kernel vanishes: any x with k(x, x) > 0 gives aᵀKa < 0"
	default:
		d.Reason = "a negative factor turns every positive aᵀKa into a negative one, and no rule covers it"
	}
	return d
}

// Reference describes the kernel.
func (k Scaled[T]) Reference() Reference {
	return Reference{
		Name: "scaled", Title: "multiple of a kernel", Formula: "c·k(x, y)", Domain: "that of k; c ≥ 0",
		Equivalents: []string{"c = " + number(k.Factor), "k = " + k.Of.String()}, Source: closureSource,
	}
}
