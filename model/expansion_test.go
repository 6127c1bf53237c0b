package model_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
)

// sample returns an expansion of n points in d dimensions with m outputs.
func sample(t *testing.T, n, d, m int) *model.Expansion[[]float64] {
	r := testkit.Rand(t, 1)
	return &model.Expansion[[]float64]{
		Kernel: gauss{sigma: 1.5},
		Points: normals(r, n, d),
		Coef:   mat.NewDense(n, m, numbers(r, n*m)),
		Bias:   numbers(r, m),
	}
}

// slowly is f(x) = b + Σ αᵢ k(x, xᵢ) as it is written.
func slowly[T any](e *model.Expansion[T], xs data.Set[T]) []float64 {
	var out []float64
	for i := range xs.Len() {
		for j := range e.Outputs() {
			f := 0.0
			for k := range e.Points.Len() {
				f += e.Coef.At(k, j) * e.Kernel.Eval(xs.At(i), e.Points.At(k))
			}
			if e.Bias != nil {
				f += e.Bias[j]
			}
			out = append(out, f)
		}
	}
	return out
}

func TestExpansionPredictsTheSum(t *testing.T) {
	for _, c := range []struct{ n, d, m, points int }{{1, 1, 1, 1}, {7, 3, 1, 5}, {300, 4, 2, 150}, {129, 2, 70, 33}} {
		e := sample(t, c.n, c.d, c.m)
		xs := normals(testkit.Rand(t, 2), c.points, c.d)
		got, err := e.Predict(t.Context(), xs, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		// A sum of n terms of size 1 has an error of at most n·ε of Σ|αᵢ|k ≤ n·4.
		testkit.CloseSlice(t, "prediction", got.RawMatrix().Data, slowly(e, xs), 1e-12)
	}
}

func TestExpansionOfStrings(t *testing.T) {
	e := &model.Expansion[string]{
		Kernel: letters{},
		Points: data.Slice[string]{"ab", "b"},
		Coef:   mat.NewDense(2, 1, []float64{2, -1}),
		Bias:   []float64{10},
	}
	got, err := e.Predict(t.Context(), data.Slice[string]{"abb", "c", "a"}, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// k("abb","ab") = 1+2, k("abb","b") = 2: 10 + 2·3 − 2 = 14; 10; 10 + 2·1.
	testkit.CloseSlice(t, "prediction", got.RawMatrix().Data, []float64{14, 10, 12}, 0)
	_, err = e.Predict(t.Context(), data.Slice[string]{"a", ""}, compute.Options{})
	if err == nil || !strings.Contains(err.Error(), "row 1") {
		t.Errorf("a point outside the domain gives %v, want an error that names row 1", err)
	}
}

func TestExpansionSameBitsForAnyWorkers(t *testing.T) {
	e := sample(t, 400, 3, 3)
	xs := normals(testkit.Rand(t, 3), 333, 3)
	want, err := e.Predict(t.Context(), xs, compute.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, workers := range []int{2, 3, 8} {
		got, err := e.Predict(t.Context(), xs, compute.Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		if !cmp.Equal(want.RawMatrix().Data, got.RawMatrix().Data) {
			t.Errorf("%d workers give other bits than one", workers)
		}
	}
}

func TestExpansionTellsItsProgress(t *testing.T) {
	last, calls := int64(-1), 0
	o := compute.Options{Progress: func(stage string, done, total int64) {
		if stage != "predict" || done <= last || done > total {
			t.Errorf("progress %q %d of %d after %d", stage, done, total, last)
		}
		last = done
		if calls++; done == total {
			last = math.MaxInt64
		}
	}}
	if _, err := sample(t, 50, 2, 1).Predict(t.Context(), normals(testkit.Rand(t, 4), 500, 2), o); err != nil {
		t.Fatal(err)
	}
	if last != math.MaxInt64 || calls < 2 {
		t.Errorf("progress ended at %d after %d calls", last, calls)
	}
}

func TestExpansionStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	e := sample(t, 50, 2, 1)
	xs := normals(testkit.Rand(t, 5), 10, 2)
	if _, err := e.Predict(ctx, xs, compute.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Predict gives %v", err)
	}
	if _, err := e.Contributions(ctx, xs.At(0)); !errors.Is(err, context.Canceled) {
		t.Errorf("Contributions gives %v", err)
	}
}

// counted counts the pairs that it is evaluated for, and cancels a context at one of them.
type counted struct {
	gauss
	pairs  *atomic.Int64
	at     int64
	cancel context.CancelFunc
}

func (c counted) Eval(x, y []float64) float64 {
	if c.pairs.Add(1) == c.at {
		c.cancel()
	}
	return c.gauss.Eval(x, y)
}

// TestExpansionStops cancels a prediction at one of its four million pairs. What is computed
// afterwards is the tile at work, and what was bound for the next: far less than the rest.
func TestExpansionStops(t *testing.T) {
	const points, rows, at = 1000, 4096, 20_000
	e := sample(t, points, 2, 1)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var pairs atomic.Int64
	e.Kernel = counted{gauss{1}, &pairs, at, cancel}
	_, err := e.Predict(ctx, normals(testkit.Rand(t, 5), rows, 2), compute.Options{Workers: 1})
	if after := pairs.Load() - at; !errors.Is(err, context.Canceled) || after < 0 || after > points*rows/8 {
		t.Errorf("error %v, and %d of %d pairs after the end of the context", err, after, points*rows)
	}
}

func TestContributionsAddUp(t *testing.T) {
	e := sample(t, 5000, 2, 2) // more than one tile
	xs := normals(testkit.Rand(t, 6), 1, 2)
	terms, err := e.Contributions(t.Context(), xs.At(0))
	if err != nil {
		t.Fatal(err)
	}
	want := slowly(e, xs)
	for j, b := range e.Bias {
		sum := b
		for i := range e.Points.Len() {
			sum += terms.At(i, j)
		}
		testkit.Close(t, "sum of contributions", sum, want[j], 1e-11)
	}
	k := e.Kernel.Eval(xs.At(0), e.Points.At(4999))
	testkit.Close(t, "last contribution", terms.At(4999, 1), e.Coef.At(4999, 1)*k, 1e-15)
}

func TestCompactKeepsTheFunction(t *testing.T) {
	e := sample(t, 40, 2, 2)
	if e.Compact() != e {
		t.Error("an expansion without zeros was rebuilt")
	}
	for i := range 40 {
		if i%3 != 0 {
			e.Coef.SetRow(i, []float64{0, 0})
		}
	}
	e.Coef.SetRow(3, []float64{0, 1}) // one zero of two is not a zero row
	c := e.Compact()
	if c.Points.Len() != 14 {
		t.Errorf("%d points are left, want 14", c.Points.Len())
	}
	xs := normals(testkit.Rand(t, 7), 9, 2)
	testkit.CloseSlice(t, "compacted", slowly(c, xs), slowly(e, xs), 0)

	e.Coef.Zero()
	got, err := e.Compact().Predict(t.Context(), xs.Gather([]int{0}), compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "constant", got.RawMatrix().Data, e.Bias, 0)
}

func TestExpansionRefuses(t *testing.T) {
	xs := normals(testkit.Rand(t, 8), 4, 2)
	for want, change := range map[string]func(e *model.Expansion[[]float64]){
		"needs a kernel":      func(e *model.Expansion[[]float64]) { e.Kernel = nil },
		"needs a kernel and":  func(e *model.Expansion[[]float64]) { e.Points = nil },
		"Coef is empty":       func(e *model.Expansion[[]float64]) { e.Coef = &mat.Dense{} },
		"are 9 points":        func(e *model.Expansion[[]float64]) { e.Points = normals(testkit.Rand(t, 9), 9, 2) },
		"3 biases for 1":      func(e *model.Expansion[[]float64]) { e.Bias = make([]float64, 3) },
		"has 2 coordinates":   func(e *model.Expansion[[]float64]) { e.Points = normals(testkit.Rand(t, 9), 6, 3) },
		"trained on 3: prepa": func(e *model.Expansion[[]float64]) { e.Points = normals(testkit.Rand(t, 9), 6, 3) },
	} {
		e := sample(t, 6, 2, 1)
		change(e)
		if _, err := e.Predict(t.Context(), xs, compute.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not contain %q", err, want)
		}
	}
	e := sample(t, 6, 2, 1)
	ragged := data.Slice[[]float64]{{1, 2}, {1}}
	if _, err := e.Predict(t.Context(), ragged, compute.Options{}); err == nil || !strings.Contains(err.Error(), "point 1 has 1") {
		t.Errorf("ragged points give %v", err)
	}
	if out, err := e.Predict(t.Context(), data.Vectors{}, compute.Options{}); err != nil || !out.IsEmpty() {
		t.Errorf("no points give %v, %v", out, err)
	}
}

var _ kernel.Mapped[[]float64] = square{}
