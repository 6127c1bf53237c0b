package klr_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/klr"
)

// The standard errors are those of the inverse Hessian in the space of the weights of a
// linear kernel and the constant, formed and inverted as a matrix.
func TestStandardErrorsAreTheInverseHessian(t *testing.T) {
	p := newProblem(testkit.Rand(t, 11), 40, 3, 2, true)
	const lambda = 0.03
	_, report, err := klr.Fit(t.Context(), parse(t, "linear()"), p.xs, p.y, klr.Options{Lambda: lambda, Weights: p.weights, LOO: true, Solver: klr.Cholesky})
	if err != nil {
		t.Fatal(err)
	}
	sol, _ := solve(t, matrix(parse(t, "linear()"), p.xs), p, klr.Options{Lambda: lambda})
	h := mat.NewDense(4, 4, nil)
	features := func(i int) *mat.VecDense {
		return mat.NewVecDense(4, append([]float64{1}, p.xs.At(i)...))
	}
	curvature := make([]float64, 40)
	for i := range 40 {
		f := sol.Values.At(i, 0)
		curvature[i] = p.weight(i) / (1 + math.Exp(f)) / (1 + math.Exp(-f))
		var outer mat.Dense
		outer.Outer(curvature[i], features(i), features(i))
		h.Add(h, &outer)
	}
	for d := 1; d < 4; d++ {
		h.Set(d, d, h.At(d, d)+lambda*p.total())
	}
	var inverse mat.Dense
	if err := inverse.Inverse(h); err != nil {
		t.Fatal(err)
	}
	dof := 0.0
	for i := range 40 {
		var hx mat.VecDense
		hx.MulVec(&inverse, features(i))
		variance := mat.Dot(features(i), &hx)
		testkit.Close(t, "standard error", report.Point.StandardErrors[i], math.Sqrt(variance), 1e-8)
		dof += variance * curvature[i]
	}
	testkit.Close(t, "degrees of freedom", report.Point.DOF, dof, 1e-8)
}

// Against exact refits: the error of one Newton step is of second order in what the
// removal of the row changes.
func TestLeaveOneOutApproximatesRefits(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		p := newProblem(testkit.Rand(t, 12), 40, 2, 2, weighted)
		k := parse(t, "rbf(sigma=1.5)")
		o := klr.Options{Ridge: 0.5, LOO: true}
		full := matrix(k, p.xs)
		sol, report := solve(t, full, p, o)
		o.LOO = false
		exact, approximate, change := 0.0, 0.0, 0.0
		for i := range 40 {
			keep := without(40, i)
			refit, _ := solve(t, matrix(k, p.xs.Gather(keep)), p.rows(keep), o)
			want := refit.Bias[0]
			for at, j := range keep {
				want += refit.Coef.At(at, 0) * full.At(i, j)
			}
			got, fit := report.Point.LOOValues[i], sol.Values.At(i, 0)
			if p.weight(i) == 0 {
				testkit.Close(t, "a row of weight zero", got, fit, 1e-12)
				testkit.Close(t, "its refit", want, fit, 1e-7)
				continue
			}
			if moved := want - fit; math.Abs(got-want) > 0.1*math.Abs(moved)+0.15*moved*moved {
				t.Errorf("row %d: fitted %g, left out %g, approximately %g", i, fit, want, got)
			}
			s := float64(2*p.y[i] - 1)
			exact += 2 * p.weight(i) * math.Log1p(math.Exp(-s*want))
			approximate += 2 * p.weight(i) * math.Log1p(math.Exp(-s*got))
			change += 2 * p.weight(i) * math.Log1p(math.Exp(-s*fit))
		}
		testkit.Close(t, "LOO deviance", report.Point.LOODeviance, approximate, 1e-9)
		if math.Abs(approximate-exact) > 0.03*(exact-change) {
			t.Errorf("LOO deviance %g by refits, %g approximately, %g of the fit", exact, approximate, change)
		}
	}
}

// The formula is one exact Newton step of the problem without the row.
func TestLeaveOneOutIsOneNewtonStep(t *testing.T) {
	p := newProblem(testkit.Rand(t, 13), 12, 2, 2, false)
	k := matrix(parse(t, "rbf(sigma=1)"), p.xs)
	const ridge = 0.3
	sol, report := solve(t, k, p, klr.Options{Ridge: ridge, LOO: true})
	for out := range 12 {
		// Unknowns: α of all rows (that of the left-out one falls out), b.
		a, b := mat.NewDense(13, 13, nil), mat.NewVecDense(13, nil)
		for i := range 12 {
			f := sol.Values.At(i, 0)
			probability := 1 / (1 + math.Exp(-f))
			v, g := probability*(1-probability), probability-float64(p.y[i])
			if i == out { // α = 0
				a.Set(i, i, 1)
				continue
			}
			for j := range 12 {
				a.Set(i, j, v*k.At(i, j))
			}
			a.Set(i, i, a.At(i, i)+ridge)
			a.Set(i, 12, v)
			a.Set(12, i, 1)
			b.SetVec(i, v*f-g)
		}
		var x mat.VecDense
		if err := x.SolveVec(a, b); err != nil {
			t.Fatal(err)
		}
		want := x.AtVec(12)
		for j := range 12 {
			want += k.At(out, j) * x.AtVec(j)
		}
		testkit.Close(t, "left-out value", report.Point.LOOValues[out], want, 1e-8)
	}
}

func TestFitReturnsTheSameFunctionAsSolve(t *testing.T) {
	p := newProblem(testkit.Rand(t, 14), 50, 2, 4, false)
	k := parse(t, "rbf(sigma=1)")
	f, _, err := klr.Fit(t.Context(), k, p.xs, p.y, klr.Options{Lambda: 1e-2})
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Predict(t.Context(), p.xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sol, _ := solve(t, matrix(k, p.xs), p, klr.Options{Lambda: 1e-2})
	testkit.CloseSlice(t, "values", got.RawMatrix().Data, sol.Values.RawMatrix().Data, 1e-8)
	if _, _, err := klr.Fit(t.Context(), k, p.xs, p.y, klr.Options{Lambda: 1e-2, Solver: klr.Primal}); err == nil {
		t.Error("a primal fit of a kernel without features")
	}
}
