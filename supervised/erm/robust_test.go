package erm_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/supervised/erm"
)

// plane fits a linear kernel almost without penalty: b and the slopes.
func plane(t *testing.T, xs data.Vectors, y []float64, l loss.Loss) ([]float64, *erm.Report) {
	t.Helper()
	f, report, err := erm.Fit(t.Context(), parse(t, "linear()"), xs, y, l, erm.Options{Lambda: 1e-9})
	if err != nil {
		t.Fatalf("%s: %v", l, err)
	}
	if !report.Converged {
		t.Errorf("%s: %+v", l, report)
	}
	p := f.(*model.Primal[[]float64])
	return append([]float64{p.Bias[0]}, mat.Col(nil, 0, p.W)...), report
}

// Ordinary least squares, least absolute deviations (quantreg: rq, tau = 0.5) and Huber's
// estimator with the MAD of the residuals as scale (MASS: rlm, R 4.2.2) on stackloss.
// The Huber values are those of the README of the public data sets; those of rq are in
// its documentation.
func TestStackloss(t *testing.T) {
	xs, y := small(t, "stackloss")
	squares, _ := plane(t, xs, y, loss.Squared{})
	testkit.CloseSlice(t, "least squares", squares, []float64{-39.919674, 0.715640, 1.295286, -0.152123}, 1e-5)
	deviations, _ := plane(t, xs, y, loss.Absolute{})
	testkit.CloseSlice(t, "least absolute deviations", deviations, []float64{-39.68986, 0.83188, 0.57391, -0.06087}, 1e-5)
	huber, report := plane(t, xs, y, loss.Huber{})
	testkit.CloseSlice(t, "Huber", huber, []float64{-41.0265, 0.8294, 0.9261, -0.1278}, 1e-4)
	if report.Scale < 2 || report.Scale > 3 {
		t.Errorf("scale %g", report.Scale)
	}
	// Rows 1, 3, 4 and 21 are the outliers: the biweight leaves them far away.
	tukey, _ := plane(t, xs, y, loss.Tukey{})
	for i, v := range y {
		r := math.Abs(v - at(tukey, xs.At(i)))
		if outlier := i == 0 || i == 2 || i == 3 || i == 20; outlier != (r > 4) {
			t.Errorf("row %d has the residual %g", i+1, r)
		}
	}
}

func at(w, x []float64) float64 {
	sum := w[0]
	for j, v := range x {
		sum += w[1+j] * v
	}
	return sum
}

// Belgian calls 1950–1973 (Rousseeuw and Leroy 1987): least squares has the slope 0.504
// because of six years in another unit; the least median of squares 0.115.
func TestTelef(t *testing.T) {
	xs, y := small(t, "telef")
	squares, _ := plane(t, xs, y, loss.Squared{})
	testkit.Close(t, "slope of least squares", squares[1], 0.504, 1e-3)
	tukey, _ := plane(t, xs, y, loss.Tukey{})
	testkit.Close(t, "slope of the biweight", tukey[1], 0.115, 0.01)
	for _, l := range []loss.Loss{loss.Huber{}, loss.Absolute{}} {
		if w, _ := plane(t, xs, y, l); w[1] > 0.35 {
			t.Errorf("slope of %s is %g", l, w[1])
		}
	}
}

// Stars of the cluster CYG OB1 (Rousseeuw and Leroy 1987): four giants turn the slope of
// least squares negative, −0.409; high-breakdown estimators have 2 to 4.
func TestStarsCYG(t *testing.T) {
	xs, y := small(t, "starsCYG")
	squares, _ := plane(t, xs, y, loss.Squared{})
	testkit.Close(t, "slope of least squares", squares[1], -0.4133, 1e-3)
	tukey, report := plane(t, xs, y, loss.Tukey{})
	if tukey[1] < 2 || tukey[1] > 4 {
		t.Errorf("slope of the biweight is %g", tukey[1])
	}
	if !report.Local {
		t.Error("the biweight is not convex")
	}
	for _, giant := range []int{10, 19, 29, 33} {
		if r := y[giant] - at(tukey, xs.At(giant)); r < 3*report.Scale {
			t.Errorf("giant %d has the residual %g at scale %g", giant+1, r, report.Scale)
		}
	}
}

// Hawkins, Bradu and Kass (1984): rows 1–10 are bad leverage points, which least squares
// follows; all others have targets near 0.
func TestHBK(t *testing.T) {
	xs, y := small(t, "hbk")
	squares, _ := plane(t, xs, y, loss.Squared{})
	tukey, report := plane(t, xs, y, loss.Tukey{})
	for i, v := range y {
		r := math.Abs(v - at(tukey, xs.At(i)))
		if bad := i < 10; bad != (r > 4.685*report.Scale) {
			t.Errorf("row %d has the residual %g at scale %g", i+1, r, report.Scale)
		}
	}
	worst, kept := 0.0, 0.0
	for i := range 10 {
		worst = math.Max(worst, math.Abs(y[i]-at(squares, xs.At(i))))
		kept = math.Max(kept, math.Abs(y[i]-at(tukey, xs.At(i))))
	}
	if worst > 6 || kept < 8 {
		t.Errorf("bad leverage points are at most %g from least squares and %g from the biweight", worst, kept)
	}
}

// A curve with a Gaussian kernel and a fifth of outliers: the biweight and Huber's loss
// find it, least squares does not.
func TestCurveWithOutliers(t *testing.T) {
	rng := testkit.Rand(t, 12)
	xs, y := data.MakeVectors(100, 1), make([]float64, 100)
	truth := func(x float64) float64 { return 3 * math.Sin(x) }
	for i := range y {
		xs.At(i)[0] = 0.06 * float64(i)
		y[i] = truth(xs.At(i)[0]) + 0.1*rng.NormFloat64()
		if i%5 == 2 {
			y[i] = 15
		}
	}
	k := matrix(parse(t, "rbf(sigma=1)"), xs)
	p := &problem{xs: xs, y: y}
	errorOf := func(l loss.Loss) float64 {
		sol, _ := solve(t, k, p, l, erm.Options{Lambda: 1e-3})
		worst := 0.0
		for i := range y {
			worst = math.Max(worst, math.Abs(sol.Values.At(i, 0)-truth(xs.At(i)[0])))
		}
		return worst
	}
	squares, huber, tukey := errorOf(loss.Squared{}), errorOf(loss.Huber{}), errorOf(loss.Tukey{})
	if squares < 2 || huber > 0.5 || tukey > 0.4 {
		t.Errorf("largest errors: squares %g, Huber %g, Tukey %g", squares, huber, tukey)
	}
}
