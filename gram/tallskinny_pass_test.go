package gram

import (
	"errors"
	"testing"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/pass/passtest"
)

// TestTallSkinnyPassesHaveTheSameBitsElsewhere: moments and folds, in both precisions.
func TestTallSkinnyPassesHaveTheSameBitsElsewhere(t *testing.T) {
	const n, m = 3000, 40
	xs, cs := randomPoints(t, 1, n, 4), randomPoints(t, 2, m, 4)
	var k kernel.Kernel[[]float64] = gaussian{}
	x, y := mat.NewDense(m, 2, randomPoints(t, 3, m, 2).Raw()), mat.NewDense(n, 2, randomPoints(t, 4, n, 2).Raw())
	weights := make([]float64, n)
	for i := range weights {
		weights[i] = float64(i % 5)
	}
	rows, driver := passtest.Apart(xs)
	for _, precision := range []compute.Precision{compute.Double, compute.Single} {
		for _, w := range [][]float64{nil, weights} {
			var want, got []mat.Matrix
			for to, of := range map[*[]mat.Matrix]data.Rows{&want: xs, &got: rows} {
				tall := OnLandmarks(k, of, cs, nil, compute.Options{}).Rows.In(precision)
				tall.Hold()
				if to == &got && tall.Held() {
					t.Error("elements that are elsewhere are held")
				}
				second, first, err := tall.Moments(t.Context(), w, y)
				if err != nil {
					t.Fatal(err)
				}
				folded, right, seen, u := mat.NewDense(m, 2, nil), mat.NewDense(m, 1, nil), mat.NewDense(n, 2, nil), new(mat.Dense)
				ones := func(_, _ int, _, g blas64.General) {
					for i := range g.Rows {
						g.Data[i*g.Stride] = 1
					}
				}
				if err := errors.Join(tall.Fold(t.Context(), folded, x, normal(seen, 0.25)), tall.Fold(t.Context(), right, nil, ones), tall.Mul(t.Context(), u, x)); err != nil {
					t.Fatal(err)
				}
				normal := mat.NewDense(m, 2, nil)
				if err := tall.Normal(t.Context(), normal, x, []float64{0.5, -1}, func(row, j int) float64 {
					if w == nil { // the same in all rows: nothing goes along
						return 1.5 + float64(j)
					}
					return float64(row%3 + j)
				}); err != nil {
					t.Fatal(err)
				}
				*to = []mat.Matrix{normal, second, first, folded, right, seen, u}
			}
			for i := range want {
				if !mat.Equal(want[i], got[i]) {
					t.Errorf("%v precision, weighted %v: result %d differs elsewhere", precision, w != nil, i)
				}
			}
		}
	}
	if driver.Passes != 4*6 {
		t.Errorf("the driver made %d passes, not 24", driver.Passes)
	}
}
