package krr_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/model"
	"example.org/mercer/space"
	"example.org/mercer/supervised/krr"
)

// inFeatures is the space of features.
func inFeatures(t *testing.T, f design.Matrix) space.Space {
	t.Helper()
	s, err := space.NewPrimal(t.Context(), f, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// primalPath returns the path of a kernel in its features.
func primalPath(t *testing.T, k poly2, xs data.Vectors, y *mat.Dense, o krr.PathOptions) *krr.Path {
	t.Helper()
	f, ok := design.Of(k, xs)
	if !ok {
		t.Fatalf("%s has no features", k)
	}
	s, err := space.NewPrimal(t.Context(), f, o.Compute)
	if err != nil {
		t.Fatal(err)
	}
	path, err := krr.NewPath(t.Context(), s, y, o)
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// In six features of the kernel a path is the one of the Gram matrix, the fits of the primal,
// and the refits without a row; rounding is that of moments, the square of the features' condition.
func TestPathInFeaturesEqualsPathAndFits(t *testing.T) {
	cases(t, func(t *testing.T, weighted, intercept bool, m int) {
		p := newProblem(t, testkit.Rand(t, 61), 40, 2, m, weighted)
		k := poly2{1}
		p.k = matrix(t, k, p.xs)
		o := krr.PathOptions{NoIntercept: !intercept, Weights: p.weights}
		lambdas := []float64{1e-3, 0.1, 10}
		path := primalPath(t, k, p.xs, p.y, o)
		points, err := path.Along(t.Context(), lambdas)
		if err != nil {
			t.Fatal(err)
		}
		w, bias, err := path.Functions(t.Context(), lambdas)
		if err != nil {
			t.Fatal(err)
		}
		dual, err := krr.NewPath(t.Context(), rowsOf(t, p.op()), p.y, o)
		if err != nil {
			t.Fatal(err)
		}
		for i, lambda := range lambdas {
			got := points[i]
			want, err := dual.At(t.Context(), lambda)
			if err != nil {
				t.Fatal(err)
			}
			samePoint(t, got, want)
			f, report, err := krr.Fit(t.Context(), k, p.xs, p.y, krr.Options{Lambda: lambda, NoIntercept: !intercept, Weights: p.weights, Solver: krr.Primal, LOO: true})
			if err != nil {
				t.Fatal(err)
			}
			samePoint(t, got, report.Point)
			primal := f.(*model.Primal[[]float64])
			testkit.CloseSlice(t, "w", w[i].RawMatrix().Data, primal.W.RawMatrix().Data, 1e-9)
			testkit.CloseSlice(t, "b", bias[i], primal.Bias, 1e-9)
			for row := range 40 {
				refit := predict(brute(t, p.without(row), got.Ridge, intercept), p.crossWithout(row))
				for j := range m {
					testkit.Close(t, "LOO residual", got.LOOResiduals.At(row, j), p.y.At(row, j)-refit.At(0, j), 1e-8)
				}
			}
		}
	})
}

func samePoint(t *testing.T, got, want *krr.Point) {
	t.Helper()
	testkit.Close(t, "λ", got.Lambda, want.Lambda, 1e-15)
	testkit.CloseSlice(t, "leverage", got.Leverage, want.Leverage, 1e-9)
	testkit.CloseSlice(t, "LOO", got.LOOResiduals.RawMatrix().Data, want.LOOResiduals.RawMatrix().Data, 1e-9)
	testkit.CloseSlice(t, "LOO RMSE", got.LOO.RMSE, want.LOO.RMSE, 1e-9)
	testkit.CloseSlice(t, "training RMSE", got.Train.RMSE, want.Train.RMSE, 1e-9)
	testkit.Close(t, "dof", got.DOF, want.DOF, 1e-9)
	testkit.Close(t, "GCV", got.GCV, want.GCV, 1e-9)
	testkit.Close(t, "evidence", got.Evidence, want.Evidence, 1e-7)
	testkit.Close(t, "profiled evidence", got.ProfiledEvidence, want.ProfiledEvidence, 1e-7)
}

// Rows that pass in blocks and rows that are held give the same bits, for any number of workers.
func TestPathInFeaturesInBlocks(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 62), 700, 3, 2, true)
	var want []*krr.Point
	for _, limit := range []int64{0, 8 * 700 * 10} { // the second holds at most half of the features
		for _, workers := range []int{1, 2, 3, 8} {
			path := primalPath(t, poly2{1}, p.xs, p.y, krr.PathOptions{Weights: p.weights, Compute: compute.Options{Workers: workers, MaxMemory: limit}})
			points, err := path.Along(t.Context(), []float64{1e-4, 1})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = points
			}
			for i, got := range points {
				if !mat.Equal(got.LOOResiduals, want[i].LOOResiduals) || got.GCV != want[i].GCV || got.Evidence != want[i].Evidence {
					t.Errorf("%d workers, limit %d: other bits", workers, limit)
				}
			}
		}
	}
}

// Leave-one-out errors of scikit-learn 1.9.1: RidgeCV(alphas, store_cv_results=True), cv_results_
// averaged over the rows, by Σ w/n for the weighted ones; GCV by the hat matrix of Ridge(alpha),
// whose columns are fits to unit targets.
func TestLeaveOneOutAndGCVOfRidgeCV(t *testing.T) {
	const n = 30
	xs, y, weights := data.MakeVectors(n, 3), mat.NewDense(n, 1, nil), make([]float64, n)
	for i := range n {
		v, x := float64(i), xs.At(i)
		x[0], x[1], x[2] = math.Sin(v), math.Cos(2*v), math.Sin(3*v+1)
		y.Set(i, 0, 2+x[0]-0.5*x[1]+0.25*x[2]+0.3*math.Cos(5*v))
		weights[i] = float64(1 + i%3)
	}
	for _, c := range []struct {
		weights              []float64
		ridge, loo, gcv, dof float64
	}{
		{nil, 0.1, 0.060925325737311346, 0.05914245875403843, 3.9790294832514284},
		{nil, 1, 0.06363367409893929, 0.061398981208142175, 3.8027614832210244},
		{nil, 10, 0.17479002348165357, 0.17034806372733396, 2.7621376105049236},
		{weights, 0.1, 0.12089255565537406 / 2, 0.056191683836612716, 3.989441285363144},
		{weights, 1, 0.1216959669966619 / 2, 0.056592825271883404, 3.89781854012891},
		{weights, 10, 0.20875810134716977 / 2, 0.09764155780179101, 3.224940164333339},
	} {
		total := float64(n)
		if c.weights != nil {
			total *= 2
		}
		o := krr.PathOptions{Weights: c.weights}
		low, err := primalPath(t, poly2{-1}, xs, y, o).At(t.Context(), c.ridge/total)
		if err != nil {
			t.Fatal(err)
		}
		path, err := krr.NewPath(t.Context(), rowsOf(t, gram.FromMatrix(matrix(t, poly2{-1}, xs))), y, o)
		if err != nil {
			t.Fatal(err)
		}
		full, err := path.AtRidge(t.Context(), c.ridge)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []*krr.Point{low, full} {
			testkit.Close(t, "leave-one-out", krr.LOO.Of(p), c.loo, 1e-12)
			testkit.Close(t, "GCV", krr.GCV.Of(p), c.gcv, 1e-12)
			testkit.Close(t, "dof", p.DOF, c.dof, 1e-11)
		}
	}
}

func TestPathInFeaturesRefuses(t *testing.T) {
	p := newProblem(t, testkit.Rand(t, 63), 30, 2, 1, false)
	path := primalPath(t, poly2{1}, p.xs, p.y, krr.PathOptions{})
	if points, err := path.Along(t.Context(), nil); err != nil || len(points) != 0 {
		t.Errorf("no λ: %d points, error %v", len(points), err)
	}
	if _, err := path.Along(t.Context(), []float64{1, -1}); err == nil || !strings.Contains(err.Error(), "-1") {
		t.Errorf("λ = −1: error %v", err)
	}
	// The first of the features is the constant, which an intercept takes away: one eigenvalue is
	// 0.
	if _, err := path.At(t.Context(), 0); err == nil || !strings.Contains(err.Error(), "give a larger λ") {
		t.Errorf("λ = 0 with a feature that says nothing: error %v", err)
	}
	f, _ := design.Of(poly2{1}, p.xs)
	if _, err := krr.NewPath(t.Context(), inFeatures(t, f), p.y, krr.PathOptions{Weights: []float64{1}}); err == nil {
		t.Error("one weight for 30 rows was taken")
	}
	p.xs.At(7)[0] = math.Inf(1)
	if _, err := krr.NewPath(t.Context(), inFeatures(t, f), p.y, krr.PathOptions{}); err == nil || !strings.Contains(err.Error(), "moments") {
		t.Errorf("a feature that is not finite: error %v", err)
	}
	if _, ok := design.Of(gauss{1}, p.xs); ok {
		t.Error("a kernel without a finite map has features")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := path.At(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
}
