package vec

import (
	"fmt"
	"math"
	"math/big"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/tile"
)

// Tanh is the sigmoid kernel k(x, y) = tanh(s·⟨x, y⟩ + c) with scale s (0 means 1)
// and offset c.
//
// It is not positive definite for any s ≠ 0: f(⟨x,y⟩) is positive definite near 0
// only if no Taylor coefficient of f at 0 is negative (Schoenberg, Duke Math. J. 9,
// 1942), and tanh(s·t+c) has a negative one: the first for s < 0, else f(0) for
// c < 0, the third for c = 0, the second for c > 0. It is kept because it is in use; solvers that
// need a positive definite Gram matrix may refuse it. See also [Poly].
type Tanh struct {
	member
	Scale, Offset float64
}

func (k Tanh) scale() float64 { return or(k.Scale, 1) }

// Eval returns tanh(s·⟨x, y⟩ + c).
func (k Tanh) Eval(x, y []float64) float64 { return math.Tanh(k.scale()*tile.Dot(x, y) + k.Offset) }

// String returns tanh(scale=…, offset=…).
func (k Tanh) String() string {
	return fmt.Sprintf("tanh(scale=%s, offset=%s)", number(k.scale()), number(k.Offset))
}

// Contains refuses NaN and infinite coordinates.
func (k Tanh) Contains(x []float64) error {
	if err := finiteNumber("tanh: scale", k.scale()); err != nil {
		return err
	}
	if err := finiteNumber("tanh: offset", k.Offset); err != nil {
		return err
	}
	return finite(x)
}

func (k Tanh) emit(c *compiler) {
	c.statistic(tile.InnerProduct, nil, 0)
	c.op(tile.OpAffine, k.scale(), k.Offset)
	c.op(tile.OpTanh, 0, 0)
}

// Parameters returns scale and offset.
func (k Tanh) Parameters() []kernel.Parameter {
	return []kernel.Parameter{{Name: "scale", Value: k.scale()}, {Name: "offset", Value: k.Offset}}
}

// With returns the kernel with another scale and offset.
func (k Tanh) With(values []float64) (Kernel, error) {
	if err := count("tanh", len(values), 2); err != nil {
		return nil, err
	}
	if values[0] == 0 {
		return nil, fmt.Errorf("tanh: scale must not be 0")
	}
	made := Tanh{Scale: values[0], Offset: values[1]}
	return made, made.Contains(nil)
}

// EvalGrad stores ∂k/∂s = (1−k²)⟨x, y⟩ and ∂k/∂c = 1−k².
func (k Tanh) EvalGrad(grad, x, y []float64) float64 {
	t := tile.Dot(x, y)
	value := math.Tanh(k.scale()*t + k.Offset)
	slope := 1 / math.Cosh(k.scale()*t+k.Offset)
	slope *= slope // 1 − tanh² without its cancellation
	grad[0], grad[1] = slope*t, slope
	return value
}

// EvalBig returns k(x, y) to prec bits.
func (k Tanh) EvalBig(x, y []float64, prec uint) (*big.Float, error) {
	return bigEval(k, x, y, prec, func(c *calculator) *big.Float {
		return c.Call(bigmath.Tanh, c.Add(c.Mul(c.Of(k.scale()), c.Dot(x, y)), c.Of(k.Offset)))
	})
}

// Derive says which Taylor coefficient is negative.
func (k Tanh) Derive() kernel.Derivation {
	which := "the third at offset = 0"
	switch {
	case k.scale() < 0:
		which = "the first, for scale < 0"
	case k.Offset < 0:
		which = "the value at 0, tanh(offset) < 0"
	case k.Offset > 0:
		which = "the second at offset > 0"
	}
	return disproof(k, "a Taylor coefficient of tanh(s·t+c) at t = 0 is negative ("+which+"), so it is not positive definite near 0 (Schoenberg 1942)")
}

// Reference describes the kernel.
func (k Tanh) Reference() kernel.Reference {
	return kernel.Reference{
		Name: "tanh", Title: "sigmoid kernel, not positive definite", Formula: "tanh(s·⟨x,y⟩ + c)", Domain: "x, y ∈ ℝᵈ; s ≠ 0, c ∈ ℝ",
		Equivalents: []string{"scale = " + number(k.scale()), "offset = " + number(k.Offset)},
		Source:      "Lin & Lin, A study on sigmoid kernels for SVM and the training of non-PSD kernels (2003)",
		SeeAlso:     []string{"poly"},
	}
}
