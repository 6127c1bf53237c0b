package krr_test

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/krr"
)

// repeated is a table of 20 rows whose last 8 are among the first, with other targets.
func repeated(t *testing.T, weighted bool) *problem {
	p := newProblem(t, testkit.Rand(t, 17), 20, 2, 2, weighted)
	index := make([]int, 20)
	for i := range index {
		index[i] = i % 12
	}
	p.xs = p.xs.Gather(index)
	p.k = matrix(t, gauss{0.3}, p.xs)
	return p
}

// With λ = 0 and repeated rows f is the limit of ridge regression, and its values at rows that
// agree are the weighted means of their targets, whatever the solver: least squares decides the
// values, and the norm the rest.
func TestLambdaZeroOfRepeatedRowsIsTheMeanOfTheirTargets(t *testing.T) {
	for _, weighted := range []bool{false, true} {
		for _, solver := range []krr.Solver{krr.Cholesky, krr.Packed, krr.Eigen} {
			p := repeated(t, weighted)
			sol, report, err := solveGram(t.Context(), p.op(), p.y, krr.Options{Weights: p.weights, Solver: solver})
			if err != nil {
				t.Fatal(err)
			}
			f := predict(sol, p.k)
			for i := range 12 {
				for c := range 2 {
					sum, total := 0.0, 0.0
					for k := i; k < 20; k += 12 {
						w := 1.0
						if p.weights != nil {
							w = p.weights[k]
						}
						sum, total = sum+w*p.y.At(k, c), total+w
					}
					if total > 0 {
						testkit.Close(t, "mean of the targets of a point", f.At(i, c), sum/total, 1e-8)
					}
				}
			}
			if report.Rank == 0 || report.Point != nil || len(report.Warnings) == 0 || !strings.Contains(report.Warnings[0], "least norm") {
				t.Errorf("%s: rank %d, point %v, warnings %q", solver, report.Rank, report.Point, report.Warnings)
			}
			near, _, err := solveGram(t.Context(), p.op(), p.y, krr.Options{Weights: p.weights, Lambda: 1e-9, Solver: krr.Eigen})
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, "the limit of small λ", f.RawMatrix().Data, predict(near, p.k).RawMatrix().Data, 1e-5)
		}
	}
}

// In the features of a linear kernel whose last column repeats the first, w is the solution of
// least norm: that of lstsq, by the singular value decomposition of the centred rows.
func TestLambdaZeroOfCollinearColumnsIsLstsq(t *testing.T) {
	const n, d = 15, 4
	rng := testkit.Rand(t, 5)
	x, y := mat.NewDense(n, d, nil), mat.NewDense(n, 1, nil)
	for i := range n {
		for c := range d - 1 {
			x.Set(i, c, rng.NormFloat64())
		}
		x.Set(i, d-1, x.At(i, 0))
		y.Set(i, 0, rng.NormFloat64())
	}
	xs := data.MakeVectors(n, d)
	centred, target := mat.DenseCopyOf(x), mat.DenseCopyOf(y)
	for c := range d {
		mean := mat.Sum(x.ColView(c)) / n
		for i := range n {
			centred.Set(i, c, x.At(i, c)-mean)
			xs.At(i)[c] = x.At(i, c)
		}
	}
	mean := mat.Sum(y) / n
	target.Apply(func(_, _ int, v float64) float64 { return v - mean }, target)
	var svd mat.SVD
	svd.Factorize(centred, mat.SVDThin)
	want := new(mat.Dense)
	svd.SolveTo(want, target, 3)

	f, report, err := krr.Fit(t.Context(), poly2{-1}, xs, y, krr.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Predict(t.Context(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fitted := new(mat.Dense)
	fitted.Mul(centred, want)
	for i := range n {
		testkit.Close(t, "f(x)", got.At(i, 0), mean+fitted.At(i, 0), 1e-9)
	}
	testkit.Close(t, "‖w‖²", report.Norm2[0], mat.Dot(want.ColView(0), want.ColView(0)), 1e-9)
	if report.Solver != krr.Primal || report.Rank != 3 || !(report.Residual < 1e-12) {
		t.Errorf("solver %s, rank %d, residual %g", report.Solver, report.Rank, report.Residual)
	}
}

// A kernel that is not positive definite has no solution of least norm, and no room none either.
func TestLambdaZeroStaysAnErrorWithoutOne(t *testing.T) {
	p := repeated(t, false)
	indefinite := mat.NewSymDense(20, nil)
	indefinite.CopySym(p.k)
	indefinite.SetSym(3, 3, -5)
	p.k = indefinite
	if _, _, err := solveGram(t.Context(), p.op(), p.y, krr.Options{}); err == nil || !strings.Contains(err.Error(), "λ = 0 asks for interpolation") {
		t.Errorf("an indefinite kernel: %v", err)
	}
	p = repeated(t, false)
	if _, _, err := solveGram(t.Context(), p.op(), p.y, krr.Options{Compute: compute.Options{MaxMemory: 9000}}); err == nil {
		t.Error("a solution of least norm was found in less memory than it takes")
	}
}
