package check

import (
	"testing"

	"pgregory.net/rapid"

	"example.org/mercer/kernel"
)

// drawKernel draws a formula of forms that the derivation knows, true ones and near
// misses.
func drawKernel(t *rapid.T, depth int) string {
	leaf := []string{
		"x*y", "2", "0.5*x*y", "abs(x - y)", "(x - y)^2", "-abs(x - y)", "-(x - y)^2", "-abs(x - y)^1.5", "-abs(x - y)^3",
		"cos(x - y)", "cos(x + y)", "sin(x)*sin(y)", "x^2*y^2", "-x*y", "x + y", "-x - y", "-x^2 - y^2", "dot(x, y)", "sqdist(x, y)",
		"-sqdist(x, y)", "-1", "(1 + x*y)", "(1 + abs(x - y))", "(x*y - 1)",
	}
	if depth == 0 {
		return rapid.SampledFrom(leaf).Draw(t, "leaf")
	}
	a := drawKernel(t, depth-1)
	switch rapid.IntRange(0, 7).Draw(t, "op") {
	case 0:
		return "(" + a + ") + (" + drawKernel(t, depth-1) + ")"
	case 1:
		return "(" + a + ")*(" + drawKernel(t, depth-1) + ")"
	case 2:
		return "(" + a + ")/(" + drawKernel(t, depth-1) + ")"
	case 3:
		return "exp(" + a + ")"
	case 4:
		return "2^(" + a + ")"
	case 5:
		return "0.5^(" + a + ")"
	case 6:
		return "(" + a + ")^" + rapid.SampledFrom([]string{"2", "3", "0.5", "-1", "0"}).Draw(t, "power")
	default:
		return "-(" + a + ")"
	}
}

// TestDerivationIsSound: what the derivation of formulas proves is never falsified,
// and what is falsified was not proved.
func TestDerivationIsSound(t *testing.T) {
	proved, falsified := 0, 0
	rapid.Check(t, func(r *rapid.T) {
		text := drawKernel(r, rapid.IntRange(1, 3).Draw(r, "depth"))
		k := mustFormula(t, text)
		report, err := Run(t.Context(), k, Options{Budget: 6000})
		if err != nil {
			return // defined nowhere
		}
		if report.Contradiction || report.Verdict == NotAKernel && kernel.Derive(k).Verdict == kernel.Definite {
			r.Fatalf("a proof of a false kernel:\n%s", report)
		}
		if report.Derivation.Verdict == kernel.Definite {
			proved++
		}
		if report.Verdict == NotAKernel {
			falsified++
		}
	})
	if proved == 0 || falsified == 0 {
		t.Errorf("the test has no teeth: %d proved, %d falsified", proved, falsified)
	}
}
