package svm_test

import (
	"fmt"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/internal/testkit"
	"mercer/svm"
)

// TestPartsAreTheWhole solves problems of every type with the matrix in memory and with
// room for that of a part of the rows at most: the same minimum, which the gap certifies,
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
				// A tenth of the matrix of all rows in single precision.
				tc.o.Compute = gram.Options{MaxMemory: 4 * n * n / 10, Workers: workers}
				values, r := fitAny(t, xs, tc.y, targets, tc.o)
				if !r.Converged {
					t.Fatalf("not converged: %q", r.Warnings)
				}
				for i, m := range r.Machines {
					what := fmt.Sprintf("objective of machine %d", i)
					testkit.Close(t, what, m.Objective, whole.Machines[i].Objective, 1e-5)
					if m.Gap > 1e-4*math.Abs(m.Objective) {
						t.Errorf("gap %g of machine %d with the objective %g", m.Gap, i, m.Objective)
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
