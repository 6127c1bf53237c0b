package pca_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/pass/passtest"
	"example.org/mercer/unsupervised/pca"
)

// Rows that are read in passes have the components of rows in memory, to the bit and for any
// number of workers, with weights and by both solvers.
func TestPassesHaveTheBitsOfMemory(t *testing.T) {
	const n, d = 3000, 60
	xs, weights := points(t, 31, n, d, 0.9), make([]float64, n)
	for i := range weights {
		weights[i] = float64(i % 3)
	}
	for _, o := range []pca.Options{{}, {Components: 2, Solver: pca.Krylov, Seed: 3}, {Components: 3, Weights: weights}} {
		m, r := fit(t, xs, o)
		for _, workers := range []int{1, 2, 3, 8} {
			o.Compute = compute.Options{Workers: workers}
			read := passtest.NewRows(xs)
			got, report, err := pca.Fit(t.Context(), read, o)
			if err != nil {
				t.Fatal(err)
			}
			if !mat.Equal(got.Components, m.Components) || !floats.Equal(got.Mean, m.Mean) || !floats.Equal(report.Variances, r.Variances) || report.Total != r.Total || report.Residual != r.Residual {
				t.Errorf("%+v with %d workers: components or variances differ", o, workers)
			}
			// A mean, two passes of moments and that of the residuals.
			elsewhere, driver := passtest.Apart(xs)
			there, _, err := pca.Fit(t.Context(), elsewhere, o)
			if err != nil || !mat.Equal(there.Components, m.Components) || o.Solver != pca.Krylov && driver.Passes != 4 {
				t.Errorf("%+v: other components elsewhere, in %d passes: %v", o, driver.Passes, err)
			}
			if blocks := int64(n+255) / 256; o.Solver != pca.Krylov && read.Reads() != 4*blocks {
				t.Errorf("%d blocks were read, want 4 times %d", read.Reads(), blocks)
			}
		}
	}
}

// Rows with more columns than there are of them, in passes, have the components of the other way.
func TestWidePassesAreExact(t *testing.T) {
	xs := points(t, 32, 40, 90, 0.9)
	for _, o := range []pca.Options{{Components: 5, Solver: pca.Exact}, {Components: 5, Solver: pca.Krylov}} {
		want, r := fit(t, xs, o)
		got, report, err := pca.Fit(t.Context(), passtest.NewRows(xs), o)
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "variances", report.Variances, r.Variances, 1e-12)
		testkit.CloseSlice(t, "components", got.Components.RawMatrix().Data, want.Components.RawMatrix().Data, 1e-10)
		testkit.Close(t, "total", report.Total, r.Total, 1e-12)
	}
}

// Far from the origin and with dependent columns the small variances are those of the SVD: the mean
// is that of the rows about the first, and moments are taken once more in the basis found.
func TestTallIsSVDFarFromTheOrigin(t *testing.T) {
	const n, d = 700, 9
	rnd, xs := testkit.Rand(t, 33), data.MakeVectors(n, d)
	for i := range n {
		row := xs.At(i)
		for j := range d - 1 {
			row[j] = 1e3*math.Pow(10, -float64(j)) + rnd.NormFloat64()*math.Pow(10, -float64(j))
		}
		row[d-1] = row[0] - 3*row[1]
	}
	m, r := fit(t, xs, pca.Options{})
	a := mat.NewDense(n, d, nil)
	for i := range n {
		floats.SubTo(a.RawRowView(i), xs.At(i), m.Mean)
	}
	a.Scale(1/math.Sqrt(n), a)
	var svd mat.SVD
	if !svd.Factorize(a, mat.SVDThin) {
		t.Fatal("no decomposition")
	}
	// The rows are rounded to 2⁻⁵³·10³, and the mean to that of its columns.
	for j, want := range svd.Values(nil)[:r.Components] {
		if got := math.Sqrt(r.Variances[j]); !(math.Abs(got-want) <= 1e-14*(r.Variances[0]+1e3)) {
			t.Errorf("σ%d = %.17g, want %.17g", j, got, want)
		}
	}
	if r.Components != d-1 || r.Dropped != 1 {
		t.Errorf("%d components, %d dropped: the last column depends on others", r.Components, r.Dropped)
	}
}

func TestPassesRefuse(t *testing.T) {
	xs := points(t, 34, 600, 4, 0.9)
	bad := xs.Gather(make([]int, 600))
	bad.At(517)[2] = math.Inf(1)
	if _, _, err := pca.Fit(t.Context(), passtest.NewRows(bad), pca.Options{}); err == nil || !strings.Contains(err.Error(), "row 517, column 2 is +Inf") {
		t.Errorf("a number that is not finite: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := pca.Fit(ctx, passtest.NewRows(xs), pca.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of its context: %v", err)
	}
}
