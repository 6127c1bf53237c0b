package formula

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// cancelling draws any formula at all: differences, quotients, jumps.
func cancelling(t *rapid.T, depth int) string {
	if depth == 0 {
		return rapid.SampledFrom([]string{"x", "y", "1", "2", "3", "0.5", "pi", "x*x", "(x - y)", "1e-9", "x*y"}).Draw(t, "leaf")
	}
	a := cancelling(t, depth-1)
	b := func() string { return cancelling(t, depth-1) }
	one := []string{"exp", "log", "log1p", "log2", "sqrt", "abs", "sin", "cos", "tan", "tanh", "asin", "erf", "floor", "sign"}
	switch rapid.IntRange(0, 8).Draw(t, "op") {
	case 0:
		return "(" + a + " + " + b() + ")"
	case 1, 2:
		return "(" + a + " - " + b() + ")"
	case 3:
		return "(" + a + ")*(" + b() + ")"
	case 4:
		return "(" + a + ")/(" + b() + ")"
	case 5:
		return "pow(" + a + ", " + rapid.SampledFrom([]string{"2", "3", "0.5", "1.5", "-1", "y", "x - 1"}).Draw(t, "power") + ")"
	case 6:
		return "(" + a + " < " + b() + " ? " + b() + " : 1)"
	case 7:
		return rapid.SampledFrom([]string{"min", "max"}).Draw(t, "extreme") + "(" + a + ", " + b() + ")"
	}
	return rapid.SampledFrom(one).Draw(t, "function") + "(" + a + ")"
}

// TestErrorBound: a value at 60 bits differs from the value at 1000 bits by no more
// than its bound allows, whatever cancels.
func TestErrorBound(t *testing.T) {
	values := []float64{1, 2, 0.5, 3, 0.1, 1 + 0x1p-40, 1.5, math.Pi, 1e-5, 100}
	compared := 0
	rapid.Check(t, func(r *rapid.T) {
		text := cancelling(r, rapid.IntRange(1, 4).Draw(r, "depth"))
		k, err := New(text)
		if err != nil {
			r.Fatalf("%s: %v", text, err)
		}
		x := []float64{rapid.SampledFrom(values).Draw(r, "x")}
		y := []float64{rapid.SampledFrom(values).Draw(r, "y")}
		few, err := k.EvalBig(x, y, 60)
		if err != nil {
			return // outside the domain, or undecided
		}
		many, err := k.EvalBig(x, y, 1000)
		if err != nil {
			r.Fatalf("%s at %v, %v is %v at 60 bits and undecided at 1000: %v", text, x, y, few, err)
		}
		compared++
		d := new(big.Float).SetPrec(1100).Sub(few, many)
		if d.Sign() != 0 && (many.Sign() == 0 || d.MantExp(nil) > many.MantExp(nil)-59) {
			r.Fatalf("%s at %v, %v = %.30g at 60 bits, %.30g at 1000", text, x, y, few, many)
		}
	})
	if compared < 10 {
		t.Errorf("only %d formulas were compared", compared)
	}
}
