package formula

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

// grammar draws a formula with positive values only, so that nothing cancels and
// float64 is accurate to a few roundings per operation.
func grammar(t *rapid.T, depth int) string {
	leaf := []string{"x", "y", "1", "0.5", "2", "pi", "e", "(x + y)", "x*y", "abs(x - y)", "min(x, y)", "max(x, y, 1)", "floor(4*x)"}
	if depth == 0 {
		return rapid.SampledFrom(leaf).Draw(t, "leaf")
	}
	a := grammar(t, depth-1)
	switch rapid.IntRange(0, 9).Draw(t, "op") {
	case 0:
		return "(" + a + " + " + grammar(t, depth-1) + ")"
	case 1:
		return a + "*" + grammar(t, depth-1)
	case 2:
		return a + "/(1 + " + grammar(t, depth-1) + ")"
	case 3:
		return "exp(-(" + a + "))"
	case 4:
		return "log1p(" + a + ")"
	case 5:
		return "sqrt(" + a + ")"
	case 6:
		return "tanh(" + a + ")"
	case 7:
		return "(" + a + ")^" + rapid.SampledFrom([]string{"2", "0.5", "1.5", "3"}).Draw(t, "power")
	case 8:
		return "(x < y ? " + a + " : " + grammar(t, depth-1) + ")"
	default:
		return "(2 + cos(" + a + "))"
	}
}

// TestEvalAgreesWithEvalBig: the float64 program and the walk in arbitrary precision
// are two evaluations of one tree.
func TestEvalAgreesWithEvalBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := grammar(t, rapid.IntRange(0, 4).Draw(t, "depth"))
		k, err := New(text)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		x := []float64{rapid.Float64Range(0.1, 3).Draw(t, "x")}
		y := []float64{rapid.Float64Range(0.1, 3).Draw(t, "y")}
		got := k.Eval(x, y)
		v, err := k.EvalBig(x, y, 120)
		if err != nil {
			t.Fatalf("%s at %v, %v: %v", text, x, y, err)
		}
		want, _ := v.Float64()
		// cos of a large argument loses its relative accuracy: compare with 1 as well.
		if math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) && math.Abs(want) < 1e4 {
			t.Fatalf("%s at %v, %v = %v in float64, %v in arbitrary precision", text, x, y, got, want)
		}
		same, err := New(k.tree.text(0))
		if err != nil {
			t.Fatalf("%s is written as %s: %v", text, k.tree.text(0), err)
		}
		if again := same.Eval(x, y); again != got {
			t.Fatalf("%s = %v, but written as %s it is %v", text, got, same.Text(), again)
		}
	})
}
