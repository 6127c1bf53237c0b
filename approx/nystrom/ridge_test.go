package nystrom_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/krr"
)

// TestRidgeByMomentsIsRidgeInFeatures compares ridge regression by the moments of kernel
// values with that by the features of every row, which leave-one-out errors take.
func TestRidgeByMomentsIsRidgeInFeatures(t *testing.T) {
	const n, m = 700, 60
	xs, fresh := cloud(t, 31, n, 3), cloud(t, 32, 50, 3)
	rng, y, weights := testkit.Rand(t, 33), mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range n {
		y.SetRow(i, []float64{5 + math.Sin(3*xs.At(i)[0]) + 0.1*rng.NormFloat64(), xs.At(i)[1] * xs.At(i)[2]})
		weights[i] = float64(i % 4)
	}
	for _, c := range []struct {
		name, kernel string
		options      krr.Options
		tolerance    float64
	}{
		// Both round in units of the condition of H and the root of that of K_CC.
		{"plain", "rbf(sigma=0.4)", krr.Options{Ridge: 0.1, NoIntercept: true}, 1e-10},
		{"an intercept and weights", "rbf(sigma=0.4)", krr.Options{Lambda: 1e-4, Weights: weights}, 1e-10},
		{"a small ridge", "rbf(sigma=0.8)", krr.Options{Ridge: 1e-4}, 1e-6},
	} {
		low := approximate(t, parse(t, c.kernel), xs, m, compute.Options{})
		predict := func(o krr.Options) (*mat.Dense, *krr.Report) {
			f, report, err := krr.Fit(background, low, xs, y, o)
			if err != nil {
				t.Fatal(err)
			}
			p, err := f.Predict(background, fresh, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			return p, report
		}
		got, by := predict(c.options)
		if by.Iterations == 0 || by.Residual > 1e-10 || len(by.Warnings) > 0 {
			t.Errorf("%s: %d passes, residual %.1e, warnings %q: not solved by moments", c.name, by.Iterations, by.Residual, by.Warnings)
		}
		slow := c.options
		slow.LOO = true
		want, in := predict(slow)
		testkit.CloseSlice(t, c.name+": predictions", got.RawMatrix().Data, want.RawMatrix().Data, c.tolerance)
		testkit.CloseSlice(t, c.name+": training errors", by.Train.RMSE, in.Train.RMSE, c.tolerance)
		testkit.CloseSlice(t, c.name+": norms", by.Norm2, in.Norm2, math.Sqrt(c.tolerance))
		for _, w := range []int{1, 2, 3, 8} {
			o := c.options
			o.Compute.Workers = w
			if again, _ := predict(o); !mat.Equal(again, got) {
				t.Errorf("%s: %d workers give other bits", c.name, w)
			}
		}
	}
}

// TestRidgeInFeaturesWhereMomentsRound solves where rounding of the moments exceeds the
// ridge.
func TestRidgeInFeaturesWhereMomentsRound(t *testing.T) {
	xs := cloud(t, 34, 400, 3)
	y := mat.NewDense(400, 1, nil)
	for i := range 400 {
		y.Set(i, 0, math.Sin(xs.At(i)[0]))
	}
	low := approximate(t, parse(t, "rbf(sigma=3)"), xs, 80, compute.Options{})
	_, report, err := krr.Fit(background, low, xs, y, krr.Options{Ridge: 1e-10})
	if err != nil {
		t.Fatal(err)
	}
	if report.Iterations > 0 || report.Residual > 1e-10 || report.Train.RMSE[0] > 1e-4 {
		t.Errorf("%d passes, residual %.1e, training error %.1e", report.Iterations, report.Residual, report.Train.RMSE[0])
	}
}
