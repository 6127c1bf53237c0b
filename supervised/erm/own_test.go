package erm_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/erm"
)

// cauchy is a caller's own robust loss, ln(1 + r²)/2, with the weight 1/(1 + r²).
type cauchy struct{}

func (cauchy) String() string                 { return "cauchy" }
func (cauchy) Value(y, f float64) float64     { return math.Log1p((y-f)*(y-f)) / 2 }
func (cauchy) Gradient(y, f float64) float64  { return (f - y) / (1 + (y-f)*(y-f)) }
func (cauchy) Curvature(y, f float64) float64 { return (1 - (y-f)*(y-f)) / math.Pow(1+(y-f)*(y-f), 2) }
func (cauchy) Majorize(y, f float64) float64  { return 1 / (1 + (y-f)*(y-f)) }
func (cauchy) Nonconvex()                     {}

// Losses that are not convex come to rest where the gradient is zero, near the good rows.
func TestNonconvexIsStationary(t *testing.T) {
	p := newProblem(testkit.Rand(t, 10), 70, true)
	k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
	const lambda = 1e-2
	for _, l := range []loss.Loss{loss.Tukey{Scale: 0.5}, cauchy{}} {
		sol, report := solve(t, k, p, l, erm.Options{Lambda: lambda})
		want := make([]float64, 70)
		for i, y := range p.y {
			want[i] = -p.weight(i) * l.Gradient(y, sol.Values.At(i, 0)) / (lambda * p.total())
		}
		testkit.CloseSlice(t, l.String()+" α", mat.Col(nil, 0, sol.Coef), want, 1e-4)
		if !report.Local {
			t.Errorf("%s is not reported as local", l)
		}
		for i, y := range p.y {
			if r := y - sol.Values.At(i, 0); i%9 == 5 && p.weight(i) > 0 && r < 10 {
				t.Errorf("%s: the outlier %d has the residual %g", l, i, r)
			}
		}
	}
}

// flat is a loss whose author did not know the curvature.
type flat struct{ logCosh }

func (flat) Curvature(_, _ float64) float64 { return 0 }

// Without curvature every step is one of gradient descent in the metric of the space.
func TestLossWithoutCurvature(t *testing.T) {
	p := newProblem(testkit.Rand(t, 11), 50, false)
	k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
	_, want := solve(t, k, p, logCosh{}, erm.Options{Lambda: 0.1})
	_, got := solve(t, k, p, flat{}, erm.Options{Lambda: 0.1})
	testkit.Close(t, "objective", got.Objective, want.Objective, 1e-8)
	if got.Newton.Majorized != got.Iterations {
		t.Errorf("%+v", got.Newton)
	}
}
