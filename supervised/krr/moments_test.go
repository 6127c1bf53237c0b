package krr_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/moments"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
)

// The solution from sums is that of the fit in the same features to the same rows, and so are its
// scores, with weights and without, with an intercept and without.
func TestSolveMomentsIsThePrimalFit(t *testing.T) {
	const n, d = 400, 3
	rng := testkit.Rand(t, 1)
	xs, y, weights := data.MakeVectors(n, d), mat.NewDense(n, 2, nil), make([]float64, n)
	for i := range n {
		x := xs.At(i)
		for j := range x {
			x[j] = rng.NormFloat64()
		}
		y.SetRow(i, []float64{50 + x[0]*x[1] + 0.1*rng.NormFloat64(), math.Sin(x[2])})
		weights[i] = 1 + rng.Float64()
	}
	k, err := vec.Parse("poly(degree=2, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range []krr.Options{{Lambda: 1e-3}, {Ridge: 0.5, NoIntercept: true}, {Lambda: 1e-4, Weights: weights}, {Solver: krr.Primal, Weights: weights, NoIntercept: true, Lambda: 1}} {
		fit, want, err := krr.Fit(t.Context(), k, xs, y, o)
		if err != nil {
			t.Fatal(err)
		}
		s, err := moments.Of(t.Context(), moments.Rows[[]float64]{Map: k.(kernel.Mapped[[]float64]), Points: xs, Targets: y, Weights: o.Weights}, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		o.Weights = nil
		found, got, err := krr.SolveMoments(t.Context(), s, o)
		if err != nil {
			t.Fatal(err)
		}
		primal := fit.(*model.Primal[[]float64])
		// Targets below 64, features below 32 and roots of weights below √2 are off by 2⁻⁴³ of
		// these at most, the right-hand side of a feature by n·2·(64+32)·2⁻⁴³·32, and w by this
		// over the ridge.
		bound := n * 2 * 96 * 32 * 0x1p-43 / want.Ridge
		testkit.CloseSlice(t, "w", found.W.RawMatrix().Data, primal.W.RawMatrix().Data, bound)
		testkit.CloseSlice(t, "b", found.Bias, primal.Bias, 32*bound)
		testkit.Close(t, "ridge", got.Ridge, want.Ridge, 0x1p-40*want.Ridge)
		testkit.CloseSlice(t, "R²", got.Train.R2, want.Train.R2, 1e-9)
		testkit.CloseSlice(t, "RMSE", got.Train.RMSE, want.Train.RMSE, 1e-7)
		testkit.CloseSlice(t, "norm", got.Norm2, want.Norm2, 1e-6*want.Norm2[0])
		if got.N != n || got.Targets != 2 || got.Features != want.Features || got.Solver != krr.Primal || !(got.Residual < 1e-12) {
			t.Errorf("report %+v", got)
		}
	}
}

func TestSolveMomentsRefuses(t *testing.T) {
	xs, y := data.MakeVectors(4, 3), mat.NewDense(4, 1, []float64{1, 2, 3, 5})
	for i := range 4 {
		xs.At(i)[0], xs.At(i)[1] = float64(i), float64(2*i)
	}
	k, err := vec.Parse("linear")
	if err != nil {
		t.Fatal(err)
	}
	s, err := moments.Of(t.Context(), moments.Rows[[]float64]{Map: k.(kernel.Mapped[[]float64]), Points: xs, Targets: y}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	_, _, err = krr.SolveMoments(t.Context(), s, krr.Options{Lambda: -1, LOO: true})
	if err == nil || !strings.Contains(err.Error(), "lambda = -1") || !strings.Contains(err.Error(), "sums have none") {
		t.Errorf("two problems: %v", err)
	}
	var singular *linalg.NotPositiveDefinite
	if _, _, err = krr.SolveMoments(t.Context(), s, krr.Options{}); !errors.As(err, &singular) || !strings.Contains(err.Error(), "give a λ > 0") {
		t.Errorf("columns that depend on one another, without a penalty: %v", err)
	}
}
