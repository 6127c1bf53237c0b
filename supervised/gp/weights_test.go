package gp_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/newton"
)

// The approximation in the weights of features is that of the rows with K = ΦΦᵀ: mode, evidence,
// covariances and probabilities, for two classes and three. Both objectives are strongly convex in
// f: a mode is within √(2·gap·k(x, x)) of the best, and what is computed at it moves with it. The
// condition number of either system is at most 1 + tr K.
func TestWeightsAreTheRows(t *testing.T) {
	const n = 80
	k := parse(t, "poly(degree=2, offset=1)")
	for _, classes := range []int{2, 3} {
		for _, weighted := range []bool{false, true} {
			t.Run(fmt.Sprint(classes, weighted), func(t *testing.T) {
				xs, y := thirds(t, 51, n)
				o := gp.ClassOptions{}
				if weighted {
					o.Weights = positive(testkit.Rand(t, 52), n)
					o.Weights[7] = 0
				}
				for i := range y {
					y[i] = min(y[i], classes-1)
				}
				here, ok := design.Of(k, xs)
				if !ok {
					t.Fatal("no features")
				}
				whole := matrix(k, xs)
				rows, want, err := gp.SolveClasses(t.Context(), rowsOf(t, gram.FromMatrix(whole), &gp.ClassOptions{}), y, o)
				if err != nil {
					t.Fatal(err)
				}
				weights, got, err := gp.SolveClasses(t.Context(), features(t, here, compute.Options{}), y, o)
				if err != nil {
					t.Fatal(err)
				}
				fresh, _ := thirds(t, 53, 30)
				there, _ := design.Of(k, fresh)
				phi, err := there.Blocks().All(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				cross, prior, widest := mat.NewDense(30, n, nil), make([]float64, 30), 0.0
				for i := range prior {
					prior[i] = k.Eval(fresh.At(i), fresh.At(i))
					widest = math.Max(widest, prior[i])
					for j := range n {
						cross.Set(i, j, k.Eval(fresh.At(i), xs.At(j)))
					}
				}
				moved := math.Sqrt(2*want.Newton.Gap*widest) + math.Sqrt(2*got.Newton.Gap*widest)
				tol := moved + 8*0x1p-52*(1+mat.Trace(whole))
				if tol > 1e-5 {
					t.Fatalf("modes are known to %g only: %+v %+v", moved, want.Newton, got.Newton)
				}
				var mean, other mat.Dense
				mean.Mul(phi, weights.Coef)
				other.Mul(cross, rows.Coef)
				testkit.CloseSlice(t, "means", mean.RawMatrix().Data, other.RawMatrix().Data, tol)
				testkit.Close(t, "evidence", got.LogEvidence, want.LogEvidence, tol)
				testkit.Close(t, "likelihood", got.Likelihood, want.Likelihood, tol)
				testkit.Close(t, "accuracy", got.Accuracy, want.Accuracy, 1e-12)
				if got.Classes != classes || got.N != n || got.Features != here.Dim {
					t.Errorf("%+v", got)
				}
				covs, _, err := weights.Covariances(t.Context(), prior, phi)
				if err != nil {
					t.Fatal(err)
				}
				others, _, err := rows.Covariances(t.Context(), prior, cross)
				if err != nil {
					t.Fatal(err)
				}
				for i, cov := range covs {
					for c := range cov.SymmetricDim() {
						for d := range cov.SymmetricDim() {
							// The difference of a prior variance and what is explained of it.
							testkit.Close(t, "covariance", cov.At(c, d), others[i].At(c, d), tol*math.Max(1, widest))
						}
					}
				}
				p, err := weights.Probabilities(t.Context(), &mean, prior, phi, compute.Options{})
				if err != nil {
					t.Fatal(err)
				}
				q, err := rows.Probabilities(t.Context(), &other, prior, cross, compute.Options{})
				if err != nil {
					t.Fatal(err)
				}
				testkit.CloseSlice(t, "probabilities", p.RawMatrix().Data, q.RawMatrix().Data, tol*math.Max(1, widest))
			})
		}
	}
}

// M is the Hessian of −ln p(y|Φw) + ½‖w‖² at the mode, entry by entry.
func TestPrecisionIsTheHessian(t *testing.T) {
	const n = 30
	xs, y := thirds(t, 54, n)
	k := parse(t, "linear()")
	here, _ := design.Of(k, xs)
	o := gp.ClassOptions{Weights: positive(testkit.Rand(t, 55), n)}
	l, _, err := gp.SolveClasses(t.Context(), features(t, here, compute.Options{}), y, o)
	if err != nil {
		t.Fatal(err)
	}
	phi, err := here.Blocks().All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	likelihood := &newton.Multinomial{Y: y, Weights: o.Weights, Classes: 3}
	value := func(w *mat.Dense) float64 {
		var f mat.Dense
		f.Mul(phi, w)
		return likelihood.Value(&f) + math.Pow(mat.Norm(w, 2), 2)/2
	}
	order, dim, rows := l.Precision().Dim(), here.Dim, l.Precision().Rows()
	if order != 3*dim {
		t.Fatalf("the precision is of order %d for %d features", order, dim)
	}
	lower := mat.NewTriDense(order, mat.Lower, nil)
	for i, at := 0, 0; i < order; i++ {
		for j := range i + 1 {
			lower.SetTri(i, j, rows[at])
			at++
		}
	}
	var m mat.Dense
	m.Mul(lower, lower.T())
	// The four-point formula is off by h² of a fourth derivative and by 4ε of the value over 4h².
	const h = 1e-3
	moved := func(a, b int, s, t float64) float64 {
		w := mat.DenseCopyOf(l.Coef)
		w.Set(a%dim, a/dim, w.At(a%dim, a/dim)+s*h)
		w.Set(b%dim, b/dim, w.At(b%dim, b/dim)+t*h)
		return value(w)
	}
	for a := range order {
		for b := range order {
			want := (moved(a, b, 1, 1) - moved(a, b, 1, -1) - moved(a, b, -1, 1) + moved(a, b, -1, -1)) / (4 * h * h)
			testkit.Close(t, fmt.Sprintf("M[%d,%d]", a, b), m.At(a, b), want, 1e-5)
		}
	}
}

func TestWeightsHaveTheSameBits(t *testing.T) {
	const n = 300
	xs, y := thirds(t, 56, n)
	here, _ := design.Of(parse(t, "poly(degree=2, offset=1)"), xs)
	var first *gp.Laplace
	var evidence float64
	for _, workers := range []int{1, 2, 3, 8} {
		// Less than a matrix of the rows would take.
		l, r, err := gp.SolveClasses(t.Context(), features(t, here, compute.Options{Workers: workers, MaxMemory: 8 * n * n / 4}), y, gp.ClassOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first, evidence = l, r.LogEvidence
		}
		if !mat.Equal(l.Coef, first.Coef) || r.LogEvidence != evidence {
			t.Errorf("other bits with %d workers", workers)
		}
	}
	if _, _, err := gp.SolveClasses(t.Context(), features(t, here, compute.Options{MaxMemory: 1000}), y, gp.ClassOptions{}); !errors.As(err, new(*compute.TooLarge)) {
		t.Errorf("a precision beyond the memory: %v", err)
	}
	if _, _, err := gp.SolveClasses(t.Context(), features(t, here, compute.Options{}), y[1:], gp.ClassOptions{}); err == nil {
		t.Error("too few classes are taken")
	}
	if _, _, err := first.Covariances(t.Context(), make([]float64, 2), mat.NewDense(2, 1, nil)); err == nil {
		t.Error("too few features are taken")
	}
}
