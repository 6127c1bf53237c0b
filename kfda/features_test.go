package kfda_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/gram"
	"mercer/internal/testkit"
	"mercer/kernel"
	"mercer/kfda"
)

// features returns Φ of points as an operator, and ΦΦᵀ.
func features(t testing.TB, text string, xs data.Vectors, o gram.Options) (*gram.Features, *mat.SymDense) {
	t.Helper()
	k := parse(t, text)
	design, ok := gram.DesignOf[[]float64](k, xs)
	if !ok {
		t.Fatalf("%s has no features", text)
	}
	op, err := gram.OfFeatures(t.Context(), xs.Len(), design.Dim, design.Fill, o)
	if err != nil {
		t.Fatal(err)
	}
	return op, matrix(k, xs)
}

// The discriminant in the space of the features is that of their Gram matrix, and its weights Φᵀα
// give its values. Both solve with A + NλI, whose condition number κ is at most 1 + tr K/Nλ: what
// is made of z is off by a multiple of κε.
func TestFeaturesAreTheirMatrix(t *testing.T) {
	const n = 160
	for _, m := range []int{2, 4} {
		for _, weighted := range []bool{false, true} {
			for _, lambda := range []float64{1e-4, 1e-2, 10} {
				t.Run(fmt.Sprint(m, weighted, lambda), func(t *testing.T) {
					p := newProblem(testkit.Rand(t, 21), n, 3, m, weighted)
					op, k := features(t, "poly(degree=2, offset=1)", p.xs, gram.Options{})
					want, wanted := solve(t, k, p, kfda.Options{Lambda: lambda})
					got, r, err := kfda.Solve(t.Context(), op, p.y, kfda.Options{Lambda: lambda, Weights: p.weights})
					if err != nil {
						t.Fatal(err)
					}
					tol := 8 * 0x1p-52 * (1 + mat.Trace(k)/(n*lambda))
					testkit.CloseSlice(t, "ratios", r.Ratios, wanted.Ratios, tol)
					testkit.Close(t, "accuracy", r.Accuracy, wanted.Accuracy, 1e-12)
					for c, row := range r.Decision.Centroids {
						testkit.CloseSlice(t, "centroid", row, wanted.Decision.Centroids[c], tol)
					}
					var values, other, predicted []float64
					again := new(mat.Dense)
					again.Mul(op.Features(), op.Weights(got.Coef))
					for i := range n {
						if p.weight(i) == 0 {
							if !math.IsNaN(got.Values.At(i, 0)) || got.Coef.At(i, 0) != 0 {
								t.Errorf("row %d has no weight, the value %v and the coefficient %v", i, got.Values.At(i, 0), got.Coef.At(i, 0))
							}
							continue
						}
						values, other = append(values, got.Values.RawRowView(i)...), append(other, want.Values.RawRowView(i)...)
						for d, b := range got.Bias {
							predicted = append(predicted, again.At(i, d)+b)
						}
					}
					testkit.CloseSlice(t, "values", values, other, tol)
					testkit.CloseSlice(t, "predictions", predicted, values, tol)
				})
			}
		}
	}
}

// What the method holds of features is less than any matrix of n rows, which is refused.
func TestFeaturesTakeNoMatrix(t *testing.T) {
	const n = 600
	p := newProblem(testkit.Rand(t, 22), n, 2, 3, false)
	compute := gram.Options{MaxMemory: 8 * n * n / 4}
	op, k := features(t, "linear() + poly(degree=2, offset=1)", p.xs, compute)
	var first *mat.Dense
	for _, workers := range []int{1, 2, 3, 8} {
		compute.Workers = workers
		got, _, err := kfda.Solve(t.Context(), op, p.y, kfda.Options{Lambda: 1e-2, Compute: compute})
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = got.Coef
		}
		if !mat.Equal(got.Coef, first) {
			t.Errorf("other bits with %d workers", workers)
		}
	}
	_, _, err := kfda.Solve(t.Context(), gram.Of(kernel.Bind(parse(t, "linear()"), data.Set[[]float64](p.xs), data.Set[[]float64](p.xs)), compute), p.y, kfda.Options{Lambda: 1e-2, Compute: compute})
	if large := (*gram.TooLarge)(nil); !errors.As(err, &large) {
		t.Errorf("the matrix is not refused: %v", err)
	}
	want, wanted, err := kfda.SolveBarycentres(t.Context(), gram.FromMatrix(k), p.y, kfda.BarycentreOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got, r, err := kfda.SolveBarycentres(t.Context(), op, p.y, kfda.BarycentreOptions{Compute: compute})
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "values", got.Values.RawMatrix().Data, want.Values.RawMatrix().Data, n*0x1p-52)
	testkit.CloseSlice(t, "norms", r.Norm2, wanted.Norm2, n*0x1p-52)
}
