package model_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
)

// boundSample returns an expansion of a compiled kernel and its bound form.
func boundSample(t *testing.T, n, d, m int) (*model.Expansion[[]float64], *model.Bound[[]float64]) {
	t.Helper()
	e := sample(t, n, d, m)
	k, err := vec.Parse(fmt.Sprintf("rbf(gamma=%g)", 0.5/float64(d)))
	if err != nil {
		t.Fatal(err)
	}
	e.Kernel = k
	b, err := e.Bind()
	if err != nil {
		t.Fatal(err)
	}
	return e, b
}

// One row at a time, a few, or all at once, bound or not, by any number of workers and
// from several goroutines: the same bits.
func TestBoundHasTheBitsOfTheExpansion(t *testing.T) {
	for _, size := range [][3]int{{1, 1, 1}, {300, 3, 2}, {2500, 40, 1}} {
		e, b := boundSample(t, size[0], size[1], size[2])
		xs := normals(testkit.Rand(t, 2), 70, size[1])
		want, err := e.Predict(t.Context(), xs, compute.Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for _, step := range []int{1, 3, 70} {
			wg.Go(func() {
				var got mat.Dense
				for at := 0; at < xs.Len(); at += step {
					n := min(step, xs.Len()-at)
					some := data.Slice[[]float64]{}
					for i := range n {
						some = append(some, xs.At(at+i))
					}
					got.Reset()
					if err := b.PredictInto(context.Background(), &got, some, compute.Options{Workers: 1 + at%3}); err != nil {
						t.Error(err)
						return
					}
					if !mat.Equal(&got, want.Slice(at, at+n, 0, e.Outputs())) {
						t.Errorf("n = %d, d = %d: rows %d to %d have other bits than among all", size[0], size[1], at, at+n-1)
						return
					}
				}
			})
		}
		wg.Wait()
	}
}

func TestBoundRefuses(t *testing.T) {
	e, b := boundSample(t, 20, 2, 1)
	one := normals(testkit.Rand(t, 3), 1, 2)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := b.Predict(cancelled, one, compute.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("after its context ended Predict gives %v", err)
	}
	for name, err := range map[string]error{
		"three coordinates": b.PredictInto(t.Context(), new(mat.Dense), normals(testkit.Rand(t, 4), 1, 3), compute.Options{}),
		"a dst of two rows": b.PredictInto(t.Context(), mat.NewDense(2, 1, nil), one, compute.Options{}),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if out, err := b.Predict(t.Context(), data.MakeVectors(0, 2), compute.Options{}); err != nil || !out.IsEmpty() {
		t.Errorf("no rows give %v, %v", out, err)
	}
	if _, err := (&model.Expansion[[]float64]{Kernel: e.Kernel, Points: e.Points}).Bind(); err == nil {
		t.Error("an expansion without coefficients was bound")
	}
}

// A server that asks for one row at a time into the same matrix makes next to no
// garbage: what goroutines and their closures take, nothing of the size of the model.
func TestBoundAllocatesLittle(t *testing.T) {
	testkit.SkipUnderRace(t)
	_, b := boundSample(t, 3000, 50, 1)
	xs, dst := normals(testkit.Rand(t, 5), 1, 50), mat.NewDense(1, 1, nil)
	const runs = 100
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range runs {
		if err := b.PredictInto(t.Context(), dst, xs, compute.Options{Workers: 2}); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if bytes := (after.TotalAlloc - before.TotalAlloc) / runs; bytes > 4000 {
		t.Errorf("%d bytes in %d allocations for one row", bytes, (after.Mallocs-before.Mallocs)/runs)
	}
}
