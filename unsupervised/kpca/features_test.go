package kpca_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
	"example.org/mercer/pass/passtest"
	"example.org/mercer/unsupervised/kpca"
)

// mapped are the features of a kernel as rows that are mapped in every pass.
func mapped(t *testing.T, text string, xs data.Rows) data.Rows {
	t.Helper()
	k := parse(t, text).(kernel.Mapped[[]float64])
	dim, ok := k.Features(xs.At(0))
	if !ok {
		t.Fatalf("%s has no features", text)
	}
	return pass.Map(xs, dim, func(dst data.Vectors, of data.Set[[]float64]) {
		kernel.MapRows(k, kernel.Tile{Rows: dst.Len(), Cols: dim, Stride: dim, Data: dst.Raw()}, of, 0)
	})
}

// Components in features are those of the Gram matrix, whose eigenvalues are known to n·u·κ² and
// whose eigenvectors to that over the gap.
func TestFeaturesAreTheGramMatrix(t *testing.T) {
	xs := points(t, 3, 300, 3)
	weights := make([]float64, 300)
	for i := range weights {
		weights[i] = float64(i % 4)
	}
	for _, w := range [][]float64{nil, weights} {
		const text = "poly(degree=2, offset=1)"
		o := kpca.Options{Components: 5, Weights: w}
		e, want := fit(t, parse(t, text), xs, o)
		z, own := mapped(t, text, xs), scores(t, e, xs)
		var first []float64
		for _, workers := range []int{1, 2, 3, 8} {
			o.Compute = compute.Options{Workers: workers}
			rows := z
			if workers == 3 {
				rows = mapped(t, text, passtest.NewRows(xs))
			}
			s, r, err := kpca.Solve(t.Context(), kpca.Features{Rows: rows}, o)
			if err != nil {
				t.Fatal(err)
			}
			coef, bias := s.Coef, s.Bias
			if first == nil {
				first = coef.RawMatrix().Data
			} else if !slices.Equal(coef.RawMatrix().Data, first) {
				t.Errorf("%d workers find other bits", workers)
			}
			if r.Solver != kpca.Primal || r.Components != 5 || math.Abs(r.Total-want.Total) > 1e-12*want.Total {
				t.Errorf("the report is %+v, want the total %v", r, want.Total)
			}
			got := new(mat.Dense)
			phi, err := pass.Read(t.Context(), rows, 1)
			if err != nil {
				t.Fatal(err)
			}
			got.Mul(mat.NewDense(phi.Len(), phi.Dim(), phi.Raw()), coef)
			for j, v := range r.Variances {
				if math.Abs(v-want.Variances[j]) > 1e-12*want.Variances[0] {
					t.Errorf("variance %d is %v, want %v", j, v, want.Variances[j])
				}
				for i := range 300 {
					got.Set(i, j, got.At(i, j)+bias[j])
				}
				if got.At(0, j)*own.At(0, j) < 0 { // the signs are those of the largest weight, of a feature or of a row
					for i := range 300 {
						got.Set(i, j, -got.At(i, j))
					}
				}
			}
			closeColumns(t, "scores in features", got, own, 1e-9)
		}
	}
}

func TestFeaturesRefuse(t *testing.T) {
	xs := points(t, 3, 20, 3)
	for want, o := range map[string]kpca.Options{
		`solver "lanczos" decomposes a matrix`: {Components: 2, Solver: kpca.Lanczos},
		"about their mean":                     {Origin: true},
		"components = 30":                      {Components: 30},
	} {
		if _, _, err := kpca.Solve(t.Context(), kpca.Features{Rows: xs}, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", o, err, want)
		}
	}
	if _, _, err := kpca.Fit(t.Context(), parse(t, "rbf(sigma=1)"), xs, kpca.Options{Solver: kpca.Primal}); err == nil || !strings.Contains(err.Error(), "give Solve the Features") {
		t.Errorf("features of a Gram operator: %v", err)
	}
	_, r, err := kpca.Solve(t.Context(), kpca.Features{Rows: xs}, kpca.Options{Components: 10})
	if err != nil || r.Components != 3 || r.Dropped != 7 || len(r.Warnings) != 1 {
		t.Errorf("ten components of three features: %+v; %v", r, err)
	}
}
