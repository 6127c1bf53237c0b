package structured_test

import (
	"errors"
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/internal/testkit"
	"mercer/structured"
)

// The regression in the space of features is that of their Gram matrix, with leave-one-out, and
// takes no matrix of n rows. The condition number κ of both systems is at most 1 + tr K/Nλ, and
// scores are off by a multiple of κε.
func TestFeaturesAreTheirMatrix(t *testing.T) {
	const n, lambda = 300, 1e-3
	xs, ys := points(t, 7, n)
	k := parse(t, "poly(degree=2, offset=1)")
	design, ok := gram.DesignOf[[]float64](k, xs)
	if !ok {
		t.Fatal("no features")
	}
	compute := gram.Options{MaxMemory: 8 * n * n / 4}
	op, err := gram.OfFeatures(t.Context(), n, design.Dim, design.Fill, compute)
	if err != nil {
		t.Fatal(err)
	}
	matrix := new(mat.Dense)
	matrix.Mul(op.Features(), op.Features().T())
	square := mat.NewSymDense(n, matrix.RawMatrix().Data)
	out, weights := structured.LabelSet{Labels: 3}, make([]float64, n)
	for i := range weights {
		weights[i] = float64(i % 3)
	}
	for _, o := range []structured.Options{{}, {Weights: weights}, {NoIntercept: true}} {
		o.Lambda, o.LOO = lambda, true
		t.Run(fmt.Sprint(o.Weights != nil, o.NoIntercept), func(t *testing.T) {
			want, wanted, err := structured.Solve(t.Context(), gram.FromMatrix(square), ys, out, o)
			if err != nil {
				t.Fatal(err)
			}
			var first *structured.Solution
			for _, workers := range []int{1, 2, 3, 8} {
				o.Compute = compute
				o.Compute.Workers = workers
				got, r, err := structured.Solve(t.Context(), op, ys, out, o)
				if err != nil {
					t.Fatal(err)
				}
				tol := 16 * 0x1p-52 * (1 + mat.Trace(square)/(n*lambda))
				testkit.CloseSlice(t, "weights", op.Weights(got.Coef).RawMatrix().Data, op.Weights(want.Coef).RawMatrix().Data, tol)
				testkit.CloseSlice(t, "bias", got.Bias, want.Bias, tol)
				// Losses count rows: no score is so near to a tie that rounding decides.
				testkit.Close(t, "loss", r.Loss, wanted.Loss, 1e-12)
				testkit.Close(t, "leave-one-out loss", *r.LOOLoss, *wanted.LOOLoss, 1e-12)
				if first == nil {
					first = got
				}
				if !mat.Equal(got.Coef, first.Coef) {
					t.Errorf("other bits with %d workers", workers)
				}
			}
		})
	}
	o := structured.Options{Lambda: lambda, Compute: compute}
	if _, _, err := structured.Fit(t.Context(), k, xs, ys, out, o); !errors.As(err, new(*gram.TooLarge)) {
		t.Errorf("the matrix is not refused: %v", err)
	}
}
