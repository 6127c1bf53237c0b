package svm_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/internal/progress/progresstest"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/svm"
)

// TestDescentIsTheSearchByPairs solves problems of every type once in the six features of a
// kernel, one coefficient at a time, and once as a matrix of which no features are known,
// in pairs. Both are certified to the same violation ε of the optimality conditions, which
// bounds the distance of objectives by their gaps; and the first have the same bits for any number
// of workers. Hard ones, such as large C with features of very different lengths, end in pairs,
// too.
func TestDescentIsTheSearchByPairs(t *testing.T) {
	const n = 2100
	xs, y := blobs(t, 41, n, 3)
	two, targets, weights := make([]int, n), make([]float64, n), make([]float64, n)
	for i := range n {
		two[i] = min(y[i], 1)
		targets[i] = math.Sin(xs.At(i)[0]) + 0.1*float64(y[i])
		weights[i] = float64(1 + i%3)
	}
	k, err := vec.Parse("poly(degree=2, offset=1)")
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name string
		y    []int
		o    svm.Options
		hard bool
	}{
		{"pairs of classes", y, svm.Options{Type: svm.CSVC, C: 3}, true},
		{"each against the others", y, svm.Options{Type: svm.CSVC, C: 0.5, Scheme: svm.OneVsRest, Weights: weights}, true},
		{"nu-svc", two, svm.Options{Type: svm.NuSVC, Nu: 0.3}, false},
		{"epsilon-svr", nil, svm.Options{Type: svm.EpsilonSVR, C: 0.01, Epsilon: 0.05, Weights: weights}, false},
		{"nu-svr", nil, svm.Options{Type: svm.NuSVR, C: 0.01, Nu: 0.3}, false},
		{"one-class", nil, svm.Options{Type: svm.OneClass, Nu: 0.1}, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.o.Tolerance = 1e-4
			solve := func(o svm.Options) (*svm.Solution, *svm.Report, error) {
				op := svm.Dual{Source: gram.RowsOf(kernel.Bind(k, xs, xs))}
				switch {
				case tc.y != nil:
					return svm.Solve(t.Context(), op, tc.y, o)
				case o.Type == svm.OneClass:
					return svm.SolveOneClass(t.Context(), op, o)
				}
				return svm.SolveRegression(t.Context(), op, targets, o)
			}
			_, pairs, err := solve(tc.o)
			if err != nil {
				t.Fatal(err)
			}
			var first *mat.Dense
			for _, workers := range []int{1, 3} {
				tc.o.Compute.Workers = workers
				values, r := fitWith(t, k, xs, tc.y, targets, tc.o)
				if !r.Converged || !tc.hard && (r.Evaluations != 0 || len(r.Warnings) > 0) {
					t.Errorf("converged: %v, %d kernel values, %q", r.Converged, r.Evaluations, r.Warnings)
				}
				for i, m := range r.Problems {
					other := pairs.Problems[i]
					if d := m.Objective - other.Objective; d > m.Gap || -d > other.Gap {
						t.Errorf("problem %d: objectives %g and %g, with gaps %g and %g", i, m.Objective, other.Objective, m.Gap, other.Gap)
					}
					if m.Violation > tc.o.Tolerance || other.Violation > tc.o.Tolerance {
						t.Errorf("problem %d: violations %g and %g", i, m.Violation, other.Violation)
					}
				}
				if first == nil {
					first = values
				}
				if !slices.Equal(values.RawMatrix().Data, first.RawMatrix().Data) {
					t.Errorf("%d workers find other bits", workers)
				}
			}
		})
	}
}

// TestDescentTellsAndStops: a descent tells how far it has come, and ends with its context.
func TestDescentTellsAndStops(t *testing.T) {
	xs, y := blobs(t, 48, 2400, 3)
	k, err := vec.Parse("linear")
	if err != nil {
		t.Fatal(err)
	}
	fit := func(ctx context.Context, l *progresstest.Listener) error {
		_, r, err := svm.Fit(ctx, k, xs, y, svm.Options{C: 10, Tolerance: 1e-5, Compute: compute.Options{Workers: 2, Progress: l.Tell}})
		if err == nil && r.Matrix > 0 {
			t.Error("the search was not in the features")
		}
		return err
	}
	whole := new(progresstest.Listener)
	if err := fit(t.Context(), whole); err != nil {
		t.Fatal(err)
	}
	for _, problem := range whole.End() {
		t.Error(problem)
	}
	if whole.Events() < 8 {
		t.Errorf("%d events say nothing of how far it has come", whole.Events())
	}
	for at := 1; at < whole.Events(); at += 2 {
		ctx, stop := context.WithCancel(t.Context())
		stopped := &progresstest.Listener{At: func(event int) {
			if event == at {
				stop()
			}
		}}
		if err := fit(ctx, stopped); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled at event %d of %d: %v", at, whole.Events(), err)
		}
		if more := stopped.Events() - at; more > 1 {
			t.Errorf("cancelled at event %d of %d: %d more", at, whole.Events(), more)
		}
		stop()
	}
}
