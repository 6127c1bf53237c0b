package klr_test

import (
	"errors"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/klr"
)

// The full Hessian of a linear kernel and the constants of three classes, formed in the
// (d+1)·3 weights and inverted on the constants with the sum 0.
func TestStandardErrorsOfClassesAreTheInverseHessian(t *testing.T) {
	for _, intercept := range []bool{true, false} {
		p := newProblem(testkit.Rand(t, 16), 40, 3, 3, true)
		const lambda, m, d = 0.03, 3, 3
		sol, _ := solve(t, matrix(parse(t, "linear()"), p.xs), p, klr.Options{Lambda: lambda, NoIntercept: !intercept})
		probabilities := klr.Probabilities(sol.Values)
		// Coordinates: class by class d weights, then the constants in an orthonormal
		// basis of those with the sum 0.
		basis := mat.NewDense(m, m-1, []float64{1 / math.Sqrt2, 1 / math.Sqrt(6), -1 / math.Sqrt2, 1 / math.Sqrt(6), 0, -2 / math.Sqrt(6)})
		size := m*d + m - 1
		if !intercept {
			size = m * d
		}
		features := func(i int) *mat.Dense { // m×size
			f := mat.NewDense(m, size, nil)
			for c := range m {
				for j, x := range p.xs.At(i) {
					f.Set(c, c*d+j, x)
				}
				if intercept {
					f.Set(c, m*d, basis.At(c, 0))
					f.Set(c, m*d+1, basis.At(c, 1))
				}
			}
			return f
		}
		curvature := func(i int) *mat.Dense {
			w := mat.NewDense(m, m, nil)
			for a := range m {
				for b := range m {
					v := -probabilities.At(i, a) * probabilities.At(i, b)
					if a == b {
						v += probabilities.At(i, a)
					}
					w.Set(a, b, p.weight(i)*v)
				}
			}
			return w
		}
		h := mat.NewDense(size, size, nil)
		for i := range 40 {
			var part mat.Dense
			part.Product(features(i).T(), curvature(i), features(i))
			h.Add(h, &part)
		}
		for a := range m * d {
			h.Set(a, a, h.At(a, a)+lambda*p.total())
		}
		var inverse mat.Dense
		if err := inverse.Inverse(h); err != nil {
			t.Fatal(err)
		}
		centre := mat.NewDense(m, m, []float64{2. / 3, -1. / 3, -1. / 3, -1. / 3, 2. / 3, -1. / 3, -1. / 3, -1. / 3, 2. / 3})
		for _, solver := range []klr.Solver{klr.Cholesky, klr.Primal} {
			_, report, err := klr.Fit(t.Context(), parse(t, "linear()"), p.xs, p.y, klr.Options{Lambda: lambda, Weights: p.weights, LOO: true, Solver: solver, NoIntercept: !intercept})
			if err != nil {
				t.Fatal(err)
			}
			dof := 0.0
			for i := range 40 {
				var cov, trace mat.Dense
				cov.Product(features(i), &inverse, features(i).T())
				trace.Mul(curvature(i), &cov)
				var contrast mat.Dense // less the mean over the classes
				contrast.Product(centre, &cov, centre)
				for c := range m {
					testkit.Close(t, "standard error", report.Point.StandardErrors[i*m+c], math.Sqrt(contrast.At(c, c)), 1e-7)
				}
				dof += mat.Trace(&trace)
			}
			testkit.Close(t, "degrees of freedom", report.Point.DOF, dof, 1e-7)
		}
	}
}

// Against exact refits of three classes, as for two.
func TestLeaveOneOutOfClassesApproximatesRefits(t *testing.T) {
	p := newProblem(testkit.Rand(t, 17), 40, 2, 3, true)
	k := parse(t, "rbf(sigma=1.5)")
	o := klr.Options{Ridge: 0.5, LOO: true}
	full := matrix(k, p.xs)
	sol, report := solve(t, full, p, o)
	o.LOO = false
	deviance := func(i int, values []float64) float64 {
		return -2 * p.weight(i) * math.Log(klr.Probabilities(mat.NewDense(1, 3, values)).At(0, p.y[i]))
	}
	exact, approximate, fitted := 0.0, 0.0, 0.0
	for i := range 40 {
		keep := without(40, i)
		refit, _ := solve(t, matrix(k, p.xs.Gather(keep)), p.rows(keep), o)
		want := append([]float64(nil), refit.Bias...)
		for at, j := range keep {
			for c := range want {
				want[c] += refit.Coef.At(at, c) * full.At(i, j)
			}
		}
		got := report.Point.LOOValues[3*i : 3*i+3]
		for c := range want {
			fit := sol.Values.At(i, c)
			if moved := want[c] - fit; math.Abs(got[c]-want[c]) > 0.02+0.15*math.Abs(moved)+0.15*moved*moved {
				t.Errorf("row %d, class %d: fitted %g, left out %g, approximately %g", i, c, fit, want[c], got[c])
			}
		}
		exact += deviance(i, want)
		approximate += deviance(i, got)
		fitted += deviance(i, sol.Values.RawRowView(i))
	}
	testkit.Close(t, "LOO deviance", report.Point.LOODeviance, approximate, 1e-9)
	if math.Abs(approximate-exact) > 0.1*(exact-fitted) {
		t.Errorf("LOO deviance %g by refits, %g approximately, %g of the fit", exact, approximate, fitted)
	}
}

// The factors of three classes, their sum and an inverse beside the matrix, and the sum that is
// factored: 36n² bytes.
func TestStandardErrorsBeyondTheMemoryAreRefused(t *testing.T) {
	p := newProblem(testkit.Rand(t, 18), 100, 2, 3, false)
	_, _, err := solveGram(t.Context(), gram.FromMatrix(matrix(parse(t, "rbf(sigma=1.5)"), p.xs)), p.y, klr.Options{Lambda: 1, LOO: true, Compute: compute.Options{MaxMemory: 300000}})
	var large *compute.TooLarge
	if !errors.As(err, &large) || large.Need != 36*100*100 {
		t.Errorf("in 300 kB: %v", err)
	}
}
