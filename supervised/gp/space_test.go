package gp_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/gp"
)

// In features a process is that of the rows with K = ΦΦᵀ. The rows' system has a condition of at
// most 1 + tr K over the least noise, and the features' one that of its square root.
func TestRegressionInFeatures(t *testing.T) {
	const n = 120
	rng := testkit.Rand(t, 61)
	xs, y := wave(rng, n, 2)
	fresh, _ := wave(rng, 20, 2)
	k := parse(t, "poly(degree=2, offset=1)")
	whole := matrix(k, xs)
	here, _ := design.Of(k, xs)
	there, _ := design.Of(k, fresh)
	phi, err := there.Blocks().All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	cross, prior := mat.NewDense(20, n, nil), mat.NewSymDense(20, nil)
	for i := range 20 {
		for j := range n {
			cross.Set(i, j, k.Eval(fresh.At(i), xs.At(j)))
		}
		for j := i; j < 20; j++ {
			prior.SetSym(i, j, k.Eval(fresh.At(i), fresh.At(j)))
		}
	}
	noise, weights := positive(rng, n), positive(rng, n)
	weights[5] = 0
	for _, o := range []gp.Options{{Noise: 0.3}, {Noise: 0.3, Mean: gp.Zero}, {Noise: 0.1, RowNoise: noise, Weights: weights}, {RowNoise: noise, Weights: weights, Mean: gp.Zero}} {
		rows, want, err := gp.Solve(t.Context(), rowsOf(t, gram.FromMatrix(whole), &o), y, o)
		if err != nil {
			t.Fatal(err)
		}
		in, got, err := gp.Solve(t.Context(), features(t, here, compute.Options{}), y, o)
		if err != nil {
			t.Fatal(err)
		}
		tol := n * 0x1p-52 * mat.Trace(whole) / 0.1
		if tol > 1e-8 {
			t.Fatalf("the tolerance is %g", tol)
		}
		var mean, other mat.Dense
		mean.Mul(phi, in.Coef)
		other.Mul(cross, rows.Coef)
		for i := range 20 {
			testkit.Close(t, "mean", mean.At(i, 0)+in.Mean, other.At(i, 0)+rows.Mean, tol)
		}
		testkit.Close(t, "evidence", got.LogEvidence, want.LogEvidence, tol*math.Abs(want.LogEvidence))
		testkit.Close(t, "RMSE", got.RMSE, want.RMSE, tol)
		if in.Lower() != nil || got.Solver != gp.Primal || got.Active != want.Active {
			t.Errorf("%+v", got)
		}
		a, b := mat.NewSymDense(20, nil), mat.NewSymDense(20, nil)
		a.CopySym(prior)
		b.CopySym(prior)
		if err := in.CovarianceAt(t.Context(), a, phi); err != nil {
			t.Fatal(err)
		}
		if err := rows.CovarianceAt(t.Context(), b, cross); err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "covariance", mat.DenseCopyOf(a).RawMatrix().Data, mat.DenseCopyOf(b).RawMatrix().Data, tol*mat.Norm(prior, 2))
	}
}

// Packed storage and single precision change the rounding of a fit, and nothing else: of a
// regression, which is in double precision in both, and of classes, whose Newton steps are refined.
// Tolerances are as above, with a least noise of 0.3 and of W⁻¹ ≥ 4.
func TestStorageAndPrecision(t *testing.T) {
	const n = 150
	rng := testkit.Rand(t, 62)
	xs, y := wave(rng, n, 2)
	k := gram.FromMatrix(matrix(parse(t, "2*rbf(sigma=1)"), xs))
	tol := n * 0x1p-52 * (2 * n / 0.3)
	single := compute.Options{Precision: compute.Single}
	o := gp.Options{Noise: 0.3}
	want, report, err := gp.Solve(t.Context(), rowsOf(t, k, &o), y, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []gp.Options{{Noise: 0.3, Solver: gp.Packed}, {Noise: 0.3, Compute: single}} {
		p, r, err := gp.Solve(t.Context(), rowsOf(t, k, &o), y, o)
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "α", mat.Col(nil, 0, p.Coef), mat.Col(nil, 0, want.Coef), 10*tol)
		testkit.Close(t, "evidence", r.LogEvidence, report.LogEvidence, tol*math.Abs(report.LogEvidence))
	}
	for _, classes := range []int{2, 3} {
		xs, y := thirds(t, 63, n)
		for i := range y {
			y[i] = min(y[i], classes-1)
		}
		k := gram.FromMatrix(matrix(parse(t, "2*rbf(sigma=1)"), xs))
		want, report, err := gp.SolveClasses(t.Context(), rowsOf(t, k, &gp.ClassOptions{}), y, gp.ClassOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range []gp.ClassOptions{{Solver: gp.Packed}, {Compute: single}, {Solver: gp.CG}} {
			l, r, err := gp.SolveClasses(t.Context(), rowsOf(t, k, &o), y, o)
			if err != nil {
				t.Fatal(err)
			}
			moved := math.Sqrt(4*report.Newton.Gap) + math.Sqrt(4*r.Newton.Gap) + tol
			if moved > 1e-6 {
				t.Fatalf("the modes are known to %g only", moved)
			}
			testkit.CloseSlice(t, "mode", l.Mode.RawMatrix().Data, want.Mode.RawMatrix().Data, moved)
			testkit.Close(t, "evidence", r.LogEvidence, report.LogEvidence, moved)
			a, _, err := l.Covariances(t.Context(), []float64{2}, mat.NewDense(1, n, nil))
			if err != nil {
				t.Fatal(err)
			}
			testkit.Close(t, "variance far away", a[0].At(0, 0), 2, 0)
		}
	}
}

// A row without noise among rows with noise is passed through, and moves the others as it does
// where its noise is next to nothing.
func TestRowsWithoutNoise(t *testing.T) {
	const n, least = 25, 1e-9
	rng := testkit.Rand(t, 64)
	xs, y := wave(rng, n, 2)
	k := matrix(parse(t, "matern(nu=0.5, lengthscale=1)"), xs)
	noise := positive(rng, n)
	noise[3], noise[11] = 0, 0
	exact, r := solve(t, k, y, gp.Options{RowNoise: noise})
	if r.Condition != 0 {
		t.Errorf("condition %g", r.Condition)
	}
	f := mat.NewDense(n, 1, nil)
	f.Mul(k, exact.Coef)
	for _, i := range []int{3, 11} {
		testkit.Close(t, "value of a row without noise", f.At(i, 0)+exact.Mean, y[i], 1e-12)
		noise[i] = least
	}
	near, _ := solve(t, k, y, gp.Options{RowNoise: noise})
	testkit.CloseSlice(t, "α", mat.Col(nil, 0, exact.Coef), mat.Col(nil, 0, near.Coef), 1e3*least)
}
