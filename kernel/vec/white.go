package vec

import (
	"math/big"

	"example.org/mercer/kernel"
	"example.org/mercer/kernel/tile"
)

// White is the kernel of independent noise as a function of points
//
//	k(x, y) = v if x = y, and 0 otherwise,
//
// with Value v > 0 (0 means 1). Equal means equal in every coordinate, so two rows
// that repeat a point are correlated, and a new point is not correlated with any
// training point that differs from it.
//
// It is positive definite on any set: the Gram matrix is block diagonal with blocks
// of v. See also the constant kernel.
type White struct {
	member
	Value float64
}

func (k White) value() float64 { return or(k.Value, 1) }

// Eval returns v if x = y, and 0 otherwise.
func (k White) Eval(x, y []float64) float64 { return k.value() * tile.Equality.Value(x, y) }

// String returns white(value=…).
func (k White) String() string { return "white(value=" + number(k.value()) + ")" }

// Contains refuses NaN and infinite coordinates.
func (k White) Contains(x []float64) error {
	if err := positive("white: value", k.value()); err != nil {
		return err
	}
	return finite(x)
}

func (k White) emit(c *compiler) {
	c.statistic(tile.Equality, nil, 0)
	c.op(tile.OpAffine, k.value(), 0)
}

// Parameters returns the value.
func (k White) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "value", Value: k.value(), Positive: true}}
}

// With returns the kernel with another value.
func (k White) With(values []float64) (Kernel, error) {
	if err := count("white", len(values), 1); err != nil {
		return nil, err
	}
	return White{Value: values[0]}, positive("white: value", values[0])
}

// EvalGrad stores ∂k/∂ln v = k.
func (k White) EvalGrad(grad, x, y []float64) float64 {
	grad[0] = k.Eval(x, y)
	return grad[0]
}

// EvalBig returns k(x, y).
func (k White) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float { return c.Of(k.Eval(x, y)) })
}

// Derive gives the shape of the Gram matrix.
func (k White) Derive() kernel.Derivation {
	return proof(k, "the Gram matrix is block diagonal, with one block v·11ᵀ for each distinct point")
}

// Reference describes the kernel.
func (k White) Reference() kernel.Reference {
	return kernel.Reference{
		Name: "white", Title: "independent noise at every distinct point", Formula: "v if x = y, else 0", Domain: "x, y ∈ ℝᵈ; v > 0",
		Equivalents: []string{"value = " + number(k.value())},
		Source:      "Rasmussen & Williams, Gaussian Processes for Machine Learning (2006), section 2.2",
		SeeAlso:     []string{"constant"},
	}
}
