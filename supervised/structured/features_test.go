package structured_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/internal/checkpoint/checkpointtest"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/space"
	"example.org/mercer/supervised/structured"
)

// quadratic returns points with answers, and their features of a polynomial kernel.
func quadratic(t *testing.T, n int) (design.Matrix, *mat.SymDense, [][]bool) {
	t.Helper()
	xs, ys := points(t, 7, n)
	phi, ok := design.Of(parse(t, "poly(degree=2, offset=1)"), xs)
	if !ok {
		t.Fatal("no features")
	}
	all, err := phi.Blocks().All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	k := mat.NewSymDense(n, nil)
	k.SymOuterK(1, all)
	return phi, k, ys
}

// primal is the space of features.
func primal(t *testing.T, phi design.Matrix, o compute.Options) space.Space {
	t.Helper()
	s, err := space.NewPrimal(t.Context(), phi, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// dual is the space of coefficients of the rows.
func dual(t *testing.T, k *mat.SymDense) space.Space {
	t.Helper()
	s, err := space.DualOf(t.Context(), gram.FromMatrix(k), space.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The regression in the space of features is that of their Gram matrix, with leave-one-out, held or
// not, for any number of workers. The condition number κ of both systems is at most 1 + tr K/Nλ,
// and scores are off by a multiple of κε.
func TestFeaturesAreTheirMatrix(t *testing.T) {
	const n, lambda = 300, 1e-3
	phi, k, ys := quadratic(t, n)
	all, err := phi.Blocks().All(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out, weights := structured.LabelSet{Labels: 3}, make([]float64, n)
	for i := range weights {
		weights[i] = float64(i % 3)
	}
	for _, o := range []structured.Options{{}, {Weights: weights}, {NoIntercept: true}} {
		o.Lambda, o.LOO = lambda, true
		t.Run(fmt.Sprint(o.Weights != nil, o.NoIntercept), func(t *testing.T) {
			want, wanted, err := structured.Solve(t.Context(), dual(t, k), ys, out, o)
			if err != nil {
				t.Fatal(err)
			}
			weights := new(mat.Dense)
			weights.Mul(all.T(), want.Coef)
			var bits []float64
			for _, o.Compute = range []compute.Options{{Workers: 1}, {Workers: 2, MaxMemory: 1 << 12}, {Workers: 3}, {Workers: 8, MaxMemory: 1 << 12}} {
				got, r, err := structured.Solve(t.Context(), primal(t, phi, o.Compute), ys, out, o)
				if err != nil {
					t.Fatal(err)
				}
				tol := 16 * 0x1p-52 * (1 + mat.Trace(k)/(n*lambda))
				testkit.CloseSlice(t, "weights", got.Coef.RawMatrix().Data, weights.RawMatrix().Data, tol)
				testkit.CloseSlice(t, "bias", got.Bias, want.Bias, tol)
				// Losses count rows: no score is so near to a tie that rounding decides.
				testkit.Close(t, "loss", r.Loss, wanted.Loss, 1e-12)
				testkit.Close(t, "leave-one-out loss", *r.LOOLoss, *wanted.LOOLoss, 1e-12)
				testkit.Close(t, "ridge", r.Ridge, wanted.Ridge, 0)
				found := slices.Concat(got.Coef.RawMatrix().Data, got.Bias, []float64{r.Loss, *r.LOOLoss})
				if bits == nil {
					bits = found
				}
				if !slices.Equal(found, bits) {
					t.Errorf("other bits with %d workers and %d bytes", o.Compute.Workers, o.Compute.MaxMemory)
				}
			}
		})
	}
}

// A fit that is killed after any of its passes goes on to the same bits.
func TestPassesAreSteps(t *testing.T) {
	phi, _, ys := quadratic(t, 300)
	path := filepath.Join(t.TempDir(), "c")
	fit := func(after int, resume bool) (found []float64, steps, known int, err error) {
		steps, known, err = checkpointtest.Run(t, path, after, resume, func(s *checkpointtest.Steps) error {
			o := structured.Options{Lambda: 1e-3, LOO: true, Compute: compute.Options{Workers: 2, Checkpoint: s}}
			w, r, err := structured.Solve(t.Context(), primal(t, phi, o.Compute), ys, structured.LabelSetF1{Labels: 3}, o)
			if err == nil {
				found = slices.Concat(w.Coef.RawMatrix().Data, w.Bias, []float64{r.Loss, *r.LOOLoss})
			}
			return err
		})
		return found, steps, known, err
	}
	want, passes, _, err := fit(checkpointtest.Never, false)
	if err != nil || passes != 3 {
		t.Fatalf("%d passes, %v", passes, err)
	}
	for after := range passes {
		if _, _, _, err := fit(after, false); err == nil {
			t.Fatalf("not killed after pass %d", after)
		}
		if got, _, known, err := fit(checkpointtest.Never, true); err != nil || known != after || !slices.Equal(got, want) {
			t.Errorf("killed after pass %d: %d are known, and it ends elsewhere: %v", after, known, err)
		}
	}
}

// Errors are those of the matrix.
func TestFeaturesRefuse(t *testing.T) {
	phi, _, ys := quadratic(t, 20)
	for want, fit := range map[string]func() error{
		"without a penalty": func() error {
			_, _, err := structured.Solve(t.Context(), primal(t, phi, compute.Options{}), ys, structured.LabelSet{Labels: 3}, structured.Options{})
			return err
		},
		"the answer of row 0": func() error {
			_, _, err := structured.Solve(t.Context(), primal(t, phi, compute.Options{}), ys, structured.LabelSet{Labels: 4}, structured.Options{Lambda: 1})
			return err
		},
		"has 0 dimensions": func() error {
			_, _, err := structured.Solve(t.Context(), primal(t, phi, compute.Options{}), ys, structured.LabelSet{}, structured.Options{Lambda: 1})
			return err
		},
		"19 ": func() error {
			_, _, err := structured.Solve(t.Context(), primal(t, phi, compute.Options{}), ys[1:], structured.LabelSet{Labels: 3}, structured.Options{Lambda: 1})
			return err
		},
	} {
		if err := fit(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
