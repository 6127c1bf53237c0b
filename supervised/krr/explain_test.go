package krr_test

import (
	"math"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/krr"
)

func TestExplainEqualsRefits(t *testing.T) {
	const ridge, n = 0.1, 24
	cases(t, func(t *testing.T, weighted, intercept bool, m int) {
		rng := testkit.Rand(t, 51)
		p := newProblem(t, rng, n, 2, m, weighted)
		fresh := newProblem(t, rng, 3, 2, 1, false).xs
		cross := crossOf(gauss{1.3}, fresh, p.xs)
		f := fitted(t, p, ridge, intercept)
		got, err := krr.Explain(t.Context(), p.op(), f, cross, 0, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		whole := predict(brute(t, p, ridge, intercept), cross)
		h := hat(t, p, ridge, intercept)
		if len(got) != 3*m {
			t.Fatalf("%d explanations for 3 points and %d targets", len(got), m)
		}
		for at, e := range got {
			if e.Row != at/m || e.Target != at%m {
				t.Fatalf("explanation %d is of point %d, target %d", at, e.Row, e.Target)
			}
			testkit.Close(t, "prediction", e.Prediction, whole.At(e.Row, e.Target), 1e-10)
			sum, last := e.Bias, math.Inf(1)
			for _, term := range e.Terms {
				sum += term.Contribution
				if a := math.Abs(term.Contribution); a > last {
					t.Errorf("terms are not sorted: %g after %g", a, last)
				} else {
					last = a
				}
				testkit.Close(t, "contribution", term.Contribution, f.Solution.Coef.At(term.Row, e.Target)*cross.At(e.Row, term.Row), 0)
				without := predict(brute(t, p.without(term.Row), ridge, intercept), dropColumn(cross, term.Row))
				testkit.Close(t, "effect of removal", term.Removal, whole.At(e.Row, e.Target)-without.At(e.Row, e.Target), 1e-9)
				testkit.Close(t, "leverage", term.Leverage, h.At(term.Row, term.Row), 1e-9)
			}
			testkit.Close(t, "sum of contributions", sum, e.Prediction, 1e-10)
		}
		top, err := krr.Explain(t.Context(), p.op(), f, cross, 4, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(top[0].Terms) != 4 || top[0].Terms[3] != got[0].Terms[3] {
			t.Errorf("the first 4 terms are %v, want %v", top[0].Terms, got[0].Terms[:4])
		}
	})
}
