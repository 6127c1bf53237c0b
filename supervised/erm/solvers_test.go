package erm_test

import (
	"math"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/erm"
)

// TestSolversFindTheSameMinimum: however the systems are solved, the objectives are those of the
// dense factor, within what both are certified to be above the minimum, and the 1e-9 to which a
// scale is found.
func TestSolversFindTheSameMinimum(t *testing.T) {
	p := newProblem(testkit.Rand(t, 31), 90, true)
	k := gram.FromMatrix(matrix(parse(t, "rbf(sigma=1)"), p.xs))
	for _, l := range []loss.Loss{loss.Squared{}, loss.Absolute{}, loss.Huber{}, loss.Insensitive{Epsilon: 0.2}, loss.Hinge{}, loss.Tukey{Scale: 1}} {
		options := erm.Options{Lambda: 1e-2, Weights: p.weights}
		_, want, err := onRows(t.Context(), k, p.targets(l), l, options)
		if err != nil {
			t.Fatal(err)
		}
		for _, how := range []struct {
			solver    erm.Solver
			precision compute.Precision
		}{{erm.Packed, compute.Double}, {erm.Cholesky, compute.Single}, {erm.CG, compute.Double}, {erm.CG, compute.Single}} {
			o := options
			o.Solver, o.Compute.Precision = how.solver, how.precision
			_, got, err := onRows(t.Context(), k, p.targets(l), l, o)
			if err != nil {
				t.Errorf("%s by %s in %s precision: %v", l, how.solver, how.precision, err)
				continue
			}
			if apart := math.Abs(got.Objective - want.Objective); apart > got.Gap+want.Gap+1e-9*want.Objective || !got.Converged {
				t.Errorf("%s by %s in %s precision: an objective of %v, not %v", l, how.solver, how.precision, got.Objective, want.Objective)
			}
		}
	}
}
