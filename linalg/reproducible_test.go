package linalg

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
)

// everything runs all that shares work between goroutines and returns all results.
func everything(t *testing.T, n int, o Options) []float64 {
	t.Helper()
	ctx := context.Background()
	a := gaussGram(t, n, 4, 1)
	var results []float64
	take := func(err error, parts ...[]float64) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range parts {
			results = append(results, p...)
		}
	}
	e, err := EigenSym(ctx, a, o)
	take(err, e.Values, e.Vectors.RawMatrix().Data)
	p := pack(a)
	c, err := Factor(ctx, a, 0.5, o)
	take(err, []float64{c.LogDet(), c.Condition()})
	f, err := FactorPacked(ctx, p, 0.5, o)
	take(err, p.data, []float64{f.LogDet()})
	b := randomDense(testkit.Rand(t, 3), n, rhsChunk+5)
	var x, one mat.Dense
	take(f.Solve(ctx, &one, b.Slice(0, n, 0, 1).(*mat.Dense)), one.RawMatrix().Data)
	s, err := FactorPackedSingle(ctx, packSingle(a), constants(n, 0.5), o)
	take(err, []float64{s.LogDet(), s.Condition()})
	one.Reset()
	take(s.Solve(ctx, &one, b), one.RawMatrix().Data)
	take(c.Solve(ctx, &x, b), x.RawMatrix().Data)
	residual, err := c.Refine(ctx, &x, b)
	take(err, x.RawMatrix().Data, []float64{residual})
	diag := make([]float64, n)
	take(f.InverseDiag(ctx, diag), diag)
	inverse, err := c.Inverse(ctx)
	take(err, inverse.RawSymmetric().Data)
	return results
}

// TestSameBitsForAnyWorkers covers Workers, and GOMAXPROCS for the goroutines inside
// gonum's product.
func TestSameBitsForAnyWorkers(t *testing.T) {
	n := 700 // more than two tiles, two levels of merges above symvSmall
	if testing.Short() {
		n = 350
	}
	want := everything(t, n, Options{Workers: 1})
	same := func(what string, o Options) {
		for i, v := range everything(t, n, o) {
			if math.Float64bits(v) != math.Float64bits(want[i]) {
				t.Fatalf("%s: result %d is %.17g, with one worker %.17g", what, i, v, want[i])
			}
		}
	}
	for _, workers := range []int{2, 3, 8} {
		same(fmt.Sprintf("%d workers", workers), Options{Workers: workers})
	}
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	same("GOMAXPROCS=1", Options{})
}

// TestContextEndsEveryStage cancels at the first report of each stage.
func TestContextEndsEveryStage(t *testing.T) {
	const n = 600
	background := context.Background()
	a := gaussGram(t, n, 4, 1)
	packed := pack(a)
	f, err := FactorPacked(background, pack(a), 0.5, Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := randomDense(testkit.Rand(t, 3), n, 2*rhsChunk)
	runs := map[string]func(ctx context.Context, o Options) error{
		"factor": func(ctx context.Context, o Options) error {
			_, err := Factor(ctx, a, 0.5, o)
			return err
		},
		"solve": func(ctx context.Context, o Options) error {
			return (&CholeskyFactor{factor[float64]{l: f.l, o: o}}).Solve(ctx, new(mat.Dense), b)
		},
		"inverse diagonal": func(ctx context.Context, o Options) error {
			return (&CholeskyFactor{factor[float64]{l: f.l, o: o}}).InverseDiag(ctx, make([]float64, n))
		},
		"conjugate gradients": func(ctx context.Context, o Options) error {
			_, _, err := CG(ctx, packed, b, CGOptions{Progress: o.Progress})
			return err
		},
	}
	for _, stage := range []string{"inverse factor", "inverse"} {
		runs[stage] = func(ctx context.Context, o Options) error {
			_, err := (&CholeskyFactor{factor[float64]{l: f.l, o: o}}).Inverse(ctx)
			return err
		}
	}
	for _, stage := range []string{"tridiagonal form", "divide and conquer", "eigenvectors"} {
		runs[stage] = func(ctx context.Context, o Options) error {
			_, err := EigenSym(ctx, a, o)
			return err
		}
	}
	for stage, run := range runs {
		t.Run(stage, func(t *testing.T) {
			ctx, cancel := context.WithCancel(background)
			late := 0
			err := run(ctx, Options{Workers: 2, Progress: func(s string, done, total int64) {
				if s == stage && done > 0 {
					cancel()
				}
				if ctx.Err() != nil {
					late++
				}
			}})
			if !errors.Is(err, context.Canceled) {
				t.Fatalf("error is %v, want context.Canceled", err)
			}
			if late > 2 { // one tile per worker may be on its way
				t.Errorf("%d reports after the context ended", late)
			}
		})
	}
}

// TestProgressEndsAtTotal: reports rise to the total of their stage.
func TestProgressEndsAtTotal(t *testing.T) {
	const n = 300
	ctx := context.Background()
	last := map[string][2]int64{}
	o := Options{Workers: 3, Progress: func(stage string, done, total int64) {
		if l, begun := last[stage]; begun && done <= l[0] || !begun && done != 0 {
			t.Errorf("%s: %d reported after %d", stage, done, l[0])
		}
		last[stage] = [2]int64{done, total}
	}}
	a := gaussGram(t, n, 4, 1)
	if _, err := EigenSym(ctx, a, o); err != nil {
		t.Fatal(err)
	}
	c, err := Factor(ctx, a, 0.5, o)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Solve(ctx, new(mat.Dense), randomDense(testkit.Rand(t, 3), n, 3)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Inverse(ctx); err != nil {
		t.Fatal(err)
	}
	if len(last) != 7 {
		t.Errorf("%d stages reported, want 7: %v", len(last), last)
	}
	for stage, l := range last {
		if l[0] != l[1] {
			t.Errorf("%s ended at %d of %d", stage, l[0], l[1])
		}
	}
}
