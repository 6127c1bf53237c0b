package svm_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/svm"
)

// TestPartsAreTheWhole solves problems of every type with the matrix in memory and with
// room for that of a working set of the rows at most: the same minimum, which the gap certifies,
// and the same bits for any number of workers.
func TestPartsAreTheWhole(t *testing.T) {
	if testing.Short() {
		t.Skip("large")
	}
	const n = 600
	xs, y := blobs(t, 31, n, 3)
	two, targets := make([]int, n), make([]float64, n)
	for i := range n {
		two[i] = min(y[i], 1)
		targets[i] = math.Sin(xs.At(i)[0]) + 0.1*float64(y[i])
	}
	for _, tc := range []struct {
		name string
		y    []int
		o    svm.Options
	}{
		{"pairs of classes", y, svm.Options{Type: svm.CSVC, C: 3}},
		{"each against the others", y, svm.Options{Type: svm.CSVC, C: 3, Scheme: svm.OneVsRest}},
		{"nu-svc", two, svm.Options{Type: svm.NuSVC, Nu: 0.3}},
		{"epsilon-svr", nil, svm.Options{Type: svm.EpsilonSVR, C: 2, Epsilon: 0.05}},
		{"nu-svr", nil, svm.Options{Type: svm.NuSVR, C: 2, Nu: 0.3}},
		{"one-class", nil, svm.Options{Type: svm.OneClass, Nu: 0.1}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.o.Tolerance = 1e-5
			_, whole := fitAny(t, xs, tc.y, targets, tc.o)
			var first *mat.Dense
			for _, workers := range []int{1, 2, 3, 8} {
				// Room for a tenth of the matrix of all rows in single precision.
				tc.o.Compute = compute.Options{MaxMemory: 4 * (4 * n * n / 10), Workers: workers}
				values, r := fitAny(t, xs, tc.y, targets, tc.o)
				if !r.Converged {
					t.Fatalf("not converged: %q", r.Warnings)
				}
				for i, m := range r.Problems {
					what := fmt.Sprintf("objective of problem %d", i)
					testkit.Close(t, what, m.Objective, whole.Problems[i].Objective, 1e-5)
					if m.Gap > 1e-4*math.Abs(m.Objective) {
						t.Errorf("gap %g of problem %d with the objective %g", m.Gap, i, m.Objective)
					}
				}
				if first == nil {
					first = values
				} else if !mat.Equal(first, values) {
					t.Errorf("%d workers: other bits", workers)
				}
			}
		})
	}
}

// TestPartGrows solves a problem with few support vectors by a working set that grows, and one
// whose labels are noise on all rows at once: the minimum is that of a search on the whole
// matrix, which has no working sets where it is bound already, the bits are those of any number
// of workers, and the first problem needs fewer kernel values than there are pairs, with
// those of the passes over the rows outside.
func TestPartGrows(t *testing.T) {
	const n = 2400
	xs, y := blobs(t, 32, n, 2)
	noise, rng := make([]int, n), testkit.Rand(t, 33)
	for i := range noise {
		noise[i] = rng.IntN(2)
	}
	for _, tc := range []struct {
		name string
		y    []int
		most float64 // kernel values of the search, in those of all pairs
	}{{"few", y, 0.9}, {"all", noise, 1}} {
		t.Run(tc.name, func(t *testing.T) {
			whole, want, err := svm.Solve(t.Context(), svm.Dual{Source: gram.RowsOf(kernel.Bind(vec.RBF{}, xs, xs))}, tc.y, svm.Options{})
			if err != nil {
				t.Fatal(err)
			}
			var first *mat.Dense
			for _, workers := range []int{1, 2, 3, 8} {
				values, r := fitAny(t, xs, tc.y, nil, svm.Options{Type: svm.CSVC, Compute: compute.Options{Workers: workers}})
				testkit.Close(t, "objective", r.Problems[0].Objective, want.Problems[0].Objective, 1e-5)
				testkit.Close(t, "bias", r.Problems[0].Bias, whole.Bias[0], 2e-3)
				if pairs := float64(n) * (n + 1) / 2; !r.Converged || float64(r.Evaluations) > tc.most*pairs {
					t.Errorf("converged: %v, by %d kernel values, %.2f of all", r.Converged, r.Evaluations, float64(r.Evaluations)/pairs)
				}
				if first == nil {
					first = values
				} else if !mat.Equal(first, values) {
					t.Errorf("%d workers: other bits", workers)
				}
			}
		})
	}
}

// TestSmallMatrixIsEvaluatedOnce: where the matrix is in memory in double precision, the
// exact gradient takes its values from there.
func TestSmallMatrixIsEvaluatedOnce(t *testing.T) {
	xs, y := blobs(t, 34, 200, 3)
	for name, o := range map[string]svm.Options{"c-svc": {Type: svm.CSVC}, "one-class": {Type: svm.OneClass}} {
		if _, r := fitAny(t, xs, y, nil, o); r.Certified != 0 || r.Evaluations != 200*201/2 || !r.Converged {
			t.Errorf("%s: %d kernel values for the search, %d for the gradient", name, r.Evaluations, r.Certified)
		}
	}
}
