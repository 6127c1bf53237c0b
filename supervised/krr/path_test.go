package krr_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/krr"
)

// Leaving a row out with the same ridge R, by fitting again without it: exact up to
// the condition of the system, 1e5·1e-16.
func TestLeaveOneOutEqualsRefits(t *testing.T) {
	cases(t, func(t *testing.T, weighted, intercept bool, m int) {
		p := newProblem(t, testkit.Rand(t, 11), 24, 2, m, weighted)
		path, err := krr.NewPath(t.Context(), rowsOf(t, p.op()), p.y, krr.PathOptions{NoIntercept: !intercept, Weights: p.weights})
		if err != nil {
			t.Fatal(err)
		}
		for _, ridge := range []float64{1e-3, 0.1, 10} {
			point, err := path.AtRidge(t.Context(), ridge)
			if err != nil {
				t.Fatal(err)
			}
			want := mat.NewDense(24, m, nil)
			for i := range 24 {
				f := predict(brute(t, p.without(i), ridge, intercept), p.crossWithout(i))
				for j := range m {
					want.Set(i, j, p.y.At(i, j)-f.At(0, j))
				}
			}
			testkit.CloseSlice(t, "LOO residuals", point.LOOResiduals.RawMatrix().Data, want.RawMatrix().Data, 1e-9)
			var predicted mat.Dense
			predicted.Sub(p.y, want)
			scores := krr.Measure(p.y, &predicted, p.weights)
			testkit.CloseSlice(t, "LOO RMSE", point.LOO.RMSE, scores.RMSE, 1e-9)
			testkit.CloseSlice(t, "LOO MAE", point.LOO.MAE, scores.MAE, 1e-9)
		}
	})
}

func TestPathEqualsSolve(t *testing.T) {
	cases(t, func(t *testing.T, weighted, intercept bool, m int) {
		p := newProblem(t, testkit.Rand(t, 12), 33, 2, m, weighted)
		path, err := krr.NewPath(t.Context(), rowsOf(t, p.op()), p.y, krr.PathOptions{NoIntercept: !intercept, Weights: p.weights})
		if err != nil {
			t.Fatal(err)
		}
		for _, lambda := range []float64{1e-4, 1e-2, 1} {
			got, err := path.At(t.Context(), lambda)
			if err != nil {
				t.Fatal(err)
			}
			sol, report, err := solveGram(t.Context(), p.op(), p.y, krr.Options{Lambda: lambda, NoIntercept: !intercept, Weights: p.weights, LOO: true})
			if err != nil {
				t.Fatal(err)
			}
			want := report.Point
			testkit.CloseSlice(t, "α", got.Solution.Coef.RawMatrix().Data, sol.Coef.RawMatrix().Data, 1e-9)
			testkit.CloseSlice(t, "leverage", got.Leverage, want.Leverage, 1e-9)
			testkit.CloseSlice(t, "LOO", got.LOOResiduals.RawMatrix().Data, want.LOOResiduals.RawMatrix().Data, 1e-9)
			testkit.Close(t, "dof", got.DOF, want.DOF, 1e-9)
			testkit.Close(t, "GCV", got.GCV, want.GCV, 1e-9)
			testkit.Close(t, "evidence", got.Evidence, want.Evidence, 1e-9)
			testkit.Close(t, "profiled evidence", got.ProfiledEvidence, want.ProfiledEvidence, 1e-9)
			testkit.CloseSlice(t, "training MAE", got.Train.MAE, report.Train.MAE, 1e-9)
		}
	})
}

// Many ridges at once are the same points as one by one, up to the order of sums of n
// terms that the width of a product may change.
func TestAlongEqualsAt(t *testing.T) {
	cases(t, func(t *testing.T, weighted, intercept bool, m int) {
		p := newProblem(t, testkit.Rand(t, 14), 300, 2, m, weighted)
		path, err := krr.NewPath(t.Context(), rowsOf(t, p.op()), p.y, krr.PathOptions{NoIntercept: !intercept, Weights: p.weights})
		if err != nil {
			t.Fatal(err)
		}
		lambdas := []float64{1e-3, 0.1, 1e-3, 5}
		points, err := path.Along(t.Context(), lambdas)
		if err != nil || len(points) != len(lambdas) {
			t.Fatalf("%d points, error %v", len(points), err)
		}
		for i, got := range points {
			want, err := path.At(t.Context(), lambdas[i])
			if err != nil {
				t.Fatal(err)
			}
			testkit.Close(t, "λ", got.Lambda, want.Lambda, 0)
			testkit.CloseSlice(t, "α", got.Solution.Coef.RawMatrix().Data, want.Solution.Coef.RawMatrix().Data, 1e-10)
			testkit.CloseSlice(t, "LOO", got.LOOResiduals.RawMatrix().Data, want.LOOResiduals.RawMatrix().Data, 1e-10)
			testkit.Close(t, "dof", got.DOF, want.DOF, 1e-10)
			testkit.Close(t, "evidence", got.Evidence, want.Evidence, 1e-9)
		}
	})
}

func TestAlongRefuses(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 15), 20, 2, 1, false)
	path, err := krr.NewPath(t.Context(), rowsOf(t, p.op()), p.y, krr.PathOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if points, err := path.Along(t.Context(), nil); err != nil || len(points) != 0 {
		t.Errorf("no λ: %d points, error %v", len(points), err)
	}
	if _, err := path.Along(t.Context(), []float64{1, math.NaN()}); err == nil || !strings.Contains(err.Error(), "NaN") {
		t.Errorf("λ = NaN: error %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := path.Along(ctx, []float64{1}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}

// hat returns H with ŷ = H·y, column by column from fits to unit vectors.
func hat(t *testing.T, p *problem, ridge float64, intercept bool) *mat.Dense {
	n := p.xs.Len()
	unit := mat.NewDense(n, n, nil)
	for i := range n {
		unit.Set(i, i, 1)
	}
	q := *p
	q.y = unit
	return predict(brute(t, &q, ridge, intercept), p.k)
}

func TestLeverageAndGCVComeFromTheHatMatrix(t *testing.T) {
	cases(t, func(t *testing.T, weighted, intercept bool, m int) {
		p := newProblem(t, testkit.Rand(t, 13), 20, 2, m, weighted)
		path, err := krr.NewPath(t.Context(), rowsOf(t, p.op()), p.y, krr.PathOptions{NoIntercept: !intercept, Weights: p.weights})
		if err != nil {
			t.Fatal(err)
		}
		const ridge = 0.3
		point, err := path.AtRidge(t.Context(), ridge)
		if err != nil {
			t.Fatal(err)
		}
		h := hat(t, p, ridge, intercept)
		trace, active, total := 0.0, 0.0, 0.0
		var fitted mat.Dense
		fitted.Mul(h, p.y)
		gcv := 0.0
		for i := range 20 {
			w := 1.0
			if weighted {
				w = p.weights[i]
			}
			testkit.Close(t, "leverage", point.Leverage[i], h.At(i, i), 1e-10)
			trace += h.At(i, i)
			total += w
			if w > 0 {
				active++
			}
			for j := range m {
				gcv += w * math.Pow(p.y.At(i, j)-fitted.At(i, j), 2) / float64(m)
			}
		}
		testkit.Close(t, "dof", point.DOF, trace, 1e-10)
		testkit.Close(t, "GCV", point.GCV, gcv/total/math.Pow(1-trace/active, 2), 1e-10)
	})
}

// logGauss is log N(y; 0, s) by LU.
func logGauss(t *testing.T, y mat.Vector, s *mat.Dense) float64 {
	var lu mat.LU
	lu.Factorize(s)
	var x mat.VecDense
	if err := lu.SolveVecTo(&x, false, y); err != nil {
		t.Fatal(err)
	}
	logDet, _ := lu.LogDet()
	return -mat.Dot(y, &x)/2 - logDet/2 - float64(y.Len())/2*math.Log(2*math.Pi)
}

// A flat prior on b is the limit of b ~ N(0, τ) as τ → ∞, with the density of the
// prior at 0 divided out; the error is O(1/τ) relative to the evidence. The profiled
// evidence is the largest over a common factor of both variances.
func TestEvidenceIsTheLogMarginalLikelihood(t *testing.T) {
	cases(t, func(t *testing.T, weighted, intercept bool, m int) {
		p := newProblem(t, testkit.Rand(t, 14), 18, 2, m, weighted).without(-1)
		n := p.xs.Len()
		const ridge = 0.2
		path, err := krr.NewPath(t.Context(), rowsOf(t, p.op()), p.y, krr.PathOptions{NoIntercept: !intercept, Weights: p.weights})
		if err != nil {
			t.Fatal(err)
		}
		point, err := path.AtRidge(t.Context(), ridge)
		if err != nil {
			t.Fatal(err)
		}
		likelihood := func(j int, scale float64) float64 {
			const tau = 1e7
			s := mat.NewDense(n, n, nil)
			for a := range n {
				for b := range n {
					v := scale * p.k.At(a, b)
					if a == b {
						w := 1.0
						if weighted {
							w = p.weights[a]
						}
						v += scale * ridge / w
					}
					if intercept {
						v += tau
					}
					s.Set(a, b, v)
				}
			}
			l := logGauss(t, p.y.ColView(j), s)
			if intercept {
				l += math.Log(2*math.Pi*tau) / 2
			}
			return l
		}
		plain, best := 0.0, 0.0
		for j := range m {
			plain += likelihood(j, 1)
			lo, hi := math.Log(1e-3), math.Log(1e3) // golden section in ln σ²
			for range 60 {
				a, b := hi-(hi-lo)/math.Phi, lo+(hi-lo)/math.Phi
				if likelihood(j, math.Exp(a)) > likelihood(j, math.Exp(b)) {
					hi = b
				} else {
					lo = a
				}
			}
			best += likelihood(j, math.Exp(lo))
		}
		testkit.Close(t, "evidence", point.Evidence, plain, 2e-6)
		testkit.Close(t, "profiled evidence", point.ProfiledEvidence, best, 2e-6)
	})
}

func TestPointOfSignsHasAccuracy(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 15), 40, 2, 1, false)
	for i := range 40 {
		p.y.Set(i, 0, math.Copysign(1, p.xs.At(i)[0]))
	}
	path, err := krr.NewPath(t.Context(), rowsOf(t, p.op()), p.y, krr.PathOptions{})
	if err != nil {
		t.Fatal(err)
	}
	point, err := path.At(t.Context(), 1e-2)
	if err != nil {
		t.Fatal(err)
	}
	right := 0.0
	for i := range 40 {
		if y := p.y.At(i, 0); y*(y-point.LOOResiduals.At(i, 0)) > 0 {
			right += 1. / 40
		}
	}
	if right < 0.8 {
		t.Errorf("a half-plane is learned with accuracy %g", right)
	}
	testkit.Close(t, "LOO accuracy", point.LOO.Accuracy[0], right, 1e-12)
}

// Rows of weight zero change nothing but their own entries.
func TestRowsOfWeightZeroAreAsIfTheyWereNotThere(t *testing.T) {
	for _, intercept := range []bool{true, false} {
		p := newProblem(t, testkit.Rand(t, 16), 25, 2, 2, true)
		point := func(p *problem) *krr.Point {
			path, err := krr.NewPath(t.Context(), rowsOf(t, p.op()), p.y, krr.PathOptions{NoIntercept: !intercept, Weights: p.weights})
			if err != nil {
				t.Fatal(err)
			}
			point, err := path.At(t.Context(), 1e-2)
			if err != nil {
				t.Fatal(err)
			}
			return point
		}
		got, want := point(p), point(p.without(-1))
		testkit.Close(t, "ridge", got.Ridge, want.Ridge, 1e-14)
		testkit.Close(t, "dof", got.DOF, want.DOF, 1e-10)
		testkit.Close(t, "GCV", got.GCV, want.GCV, 1e-10)
		testkit.Close(t, "evidence", got.Evidence, want.Evidence, 1e-10)
		testkit.Close(t, "profiled evidence", got.ProfiledEvidence, want.ProfiledEvidence, 1e-10)
		testkit.CloseSlice(t, "LOO", got.LOO.RMSE, want.LOO.RMSE, 1e-10)
		testkit.CloseSlice(t, "train", got.Train.R2, want.Train.R2, 1e-10)
		at := 0
		for i, w := range p.weights {
			if w > 0 {
				testkit.Close(t, "leverage", got.Leverage[i], want.Leverage[at], 1e-10)
				at++
			} else if got.Leverage[i] != 0 {
				t.Errorf("leverage %g of a row of weight 0", got.Leverage[i])
			}
		}
	}
}

func TestPathRefuses(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 17), 10, 2, 1, false)
	path, err := krr.NewPath(t.Context(), rowsOf(t, p.op()), p.y, krr.PathOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if v := path.Eigenvalues(); len(v) != 10 || v[0] > v[9] {
		t.Errorf("eigenvalues %v", v)
	}
	for _, lambda := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := path.At(t.Context(), lambda); err == nil || !strings.Contains(err.Error(), "not a finite number") {
			t.Errorf("λ = %g: %v", lambda, err)
		}
		if _, err := path.AtRidge(t.Context(), lambda); err == nil || !strings.Contains(err.Error(), "not a finite number") {
			t.Errorf("ridge = %g: %v", lambda, err)
		}
	}
	if _, err := krr.NewPath(t.Context(), rowsOf(t, p.op()), p.y, krr.PathOptions{Weights: []float64{1}}); err == nil || !strings.Contains(err.Error(), "1 weights for 10 rows") {
		t.Errorf("wrong number of weights: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := path.At(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("after cancelling: %v", err)
	}
}
