package model_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/model"
)

// primalOf returns the primal form w = Σ αᵢ φ(xᵢ) of an expansion in square{}.
func primalOf(e *model.Expansion[[]float64]) *model.Primal[[]float64] {
	like := e.Points.At(0)
	features, _ := square{}.Features(like)
	w, phi := mat.NewDense(features, e.Outputs(), nil), make([]float64, features)
	for i := range e.Points.Len() {
		square{}.Map(phi, e.Points.At(i))
		for k, v := range phi {
			for j := range e.Outputs() {
				w.Set(k, j, w.At(k, j)+e.Coef.At(i, j)*v)
			}
		}
	}
	return &model.Primal[[]float64]{Kernel: square{}, W: w, Bias: e.Bias, Like: like}
}

func TestPrimalEqualsDual(t *testing.T) {
	e := sample(t, 60, 4, 3)
	e.Kernel = square{}
	xs := normals(testkit.Rand(t, 11), 101, 4)
	got, err := primalOf(e).Predict(t.Context(), xs, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	// 60 terms, each with 15 features of rounding ε: far below 1e-12 of the largest.
	testkit.CloseSlice(t, "primal", got.RawMatrix().Data, slowly(e, xs), 1e-12)
}

func TestPrimalSameBitsForAnyWorkers(t *testing.T) {
	p := primalOf(sample(t, 20, 3, 2))
	xs := normals(testkit.Rand(t, 12), 200, 3)
	want, err := p.Predict(t.Context(), xs, compute.Options{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	total := int64(0)
	got, err := p.Predict(t.Context(), xs, compute.Options{Workers: 5, Progress: func(_ string, done, of int64) {
		if total = done; of != 200 {
			t.Errorf("progress of %d rows, want 200", of)
		}
	}})
	if err != nil || !cmp.Equal(want.RawMatrix().Data, got.RawMatrix().Data) {
		t.Errorf("5 workers give other bits than one (%v)", err)
	}
	if total != 200 {
		t.Errorf("progress ended at %d, want 200", total)
	}
}

func TestPrimalRefuses(t *testing.T) {
	p := primalOf(sample(t, 5, 3, 1))
	for want, change := range map[string]func(p *model.Primal[[]float64]){
		"needs a kernel":       func(p *model.Primal[[]float64]) { p.Kernel = nil },
		"no finite feature":    func(p *model.Primal[[]float64]) { p.Kernel = unmapped{} },
		"there are 6 features": func(p *model.Primal[[]float64]) { p.Like = make([]float64, 2) },
		"2 biases":             func(p *model.Primal[[]float64]) { p.Bias = make([]float64, 2) },
	} {
		broken := *p
		change(&broken)
		if _, err := broken.Predict(t.Context(), normals(testkit.Rand(t, 13), 2, 3), compute.Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not contain %q", err, want)
		}
	}
	if _, err := p.Predict(t.Context(), normals(testkit.Rand(t, 13), 2, 2), compute.Options{}); err == nil || !strings.Contains(err.Error(), "has 2 coordinates") {
		t.Errorf("points of another length give %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := p.Predict(ctx, normals(testkit.Rand(t, 13), 2, 3), compute.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context gives %v", err)
	}
	if out, err := p.Predict(t.Context(), data.Vectors{}, compute.Options{}); err != nil || !out.IsEmpty() {
		t.Errorf("no points give %v, %v", out, err)
	}
}

// unmapped is a kernel whose map is not finite for any point.
type unmapped struct{ square }

func (unmapped) Features([]float64) (int, bool) { return 0, false }
