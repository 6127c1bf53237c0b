package propagation_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/propagation"
)

// reference are labels spread by scikit-learn: see testdata/reference.py.
type reference struct {
	X, New       data.Slice[[]float64]
	Y            []int
	Gamma        float64
	Harmonic     [][]float64
	HarmonicNew  [][]float64 `json:"harmonic-new"`
	Spreading    [][]float64
	SpreadingNew [][]float64 `json:"spreading-new"`
}

// flat puts rows behind one another.
func flat(rows [][]float64) (out []float64) {
	for _, row := range rows {
		out = append(out, row...)
	}
	return out
}

// The iterations of scikit-learn stop where a step changes less than 1e-13 in all: they are that,
// over one minus the rate at which they converge, from their limit.
func TestAgainstScikitLearn(t *testing.T) {
	text, err := os.ReadFile("testdata/reference.json")
	if err != nil {
		t.Fatal(err)
	}
	var r reference
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	k := vec.RBF{Sigma: 1 / math.Sqrt(2*r.Gamma)}
	for _, c := range []struct {
		name      string
		o         propagation.Options
		want, new [][]float64
	}{
		{"harmonic", propagation.Options{}, r.Harmonic, r.HarmonicNew},
		{"spreading", propagation.Options{Alpha: 0.3}, r.Spreading, r.SpreadingNew},
	} {
		f, report, err := propagation.Fit(t.Context(), k, r.X, r.Y, c.o)
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, c.name, f.Coef.RawMatrix().Data, flat(c.want), 1e-9)
		values, err := f.Predict(t.Context(), r.New, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.New { // that of scikit-learn is divided by the sum
			row := values.RawRowView(i)
			sum := 0.0
			for _, v := range row {
				sum += v
			}
			for j := range row {
				row[j] /= sum
			}
		}
		testkit.CloseSlice(t, c.name+" of new points", values.RawMatrix().Data, flat(c.new), 1e-9)
		if report.Labelled != 6 || report.Classes != 3 || report.Reached != len(r.X) {
			t.Errorf("%s: %+v", c.name, report)
		}
	}
}

// On a line of points of which each has affinities to its neighbours alone, the harmonic function
// between two labels is linear.
func TestHarmonicIsLinearOnALine(t *testing.T) {
	const n = 11
	xs := make(data.Slice[[]float64], n)
	y := make([]int, n)
	for i := range n {
		xs[i], y[i] = []float64{float64(i)}, -1
	}
	y[0], y[n-1] = 0, 1
	f, _, err := propagation.Fit(t.Context(), near{}, xs, y, propagation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		testkit.Close(t, fmt.Sprintf("share of point %d", i), f.Coef.At(i, 1), float64(i)/(n-1), 1e-13)
	}
}

// near is 1 between points at most 1 apart.
type near struct{}

func (near) Eval(x, z []float64) float64 {
	if math.Abs(x[0]-z[0]) <= 1 {
		return 1
	}
	return 0
}
func (near) String() string { return "near" }

func TestRefusals(t *testing.T) {
	xs := data.Slice[[]float64]{{0}, {1}, {5}}
	for _, c := range []struct {
		y    []int
		o    propagation.Options
		want string
	}{
		{[]int{0, -1}, propagation.Options{}, "2 classes are given for 3 points"},
		{[]int{-1, -1, -1}, propagation.Options{}, "has a label"},
		{[]int{0, -2, 1}, propagation.Options{}, "−1 is none"},
		{[]int{0, -1, 1}, propagation.Options{Alpha: 1}, "alpha = 1"},
		{[]int{0, 1, -1}, propagation.Options{}, "take a wider kernel"},
		{[]int{0, 1, -1}, propagation.Options{Compute: compute.Options{MaxMemory: 8}}, "limit"},
	} {
		if _, _, err := propagation.Fit(t.Context(), near{}, xs, c.y, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, %+v: the error is %v, want %q in it", c.y, c.o, err, c.want)
		}
	}
	_, r, err := propagation.Fit(t.Context(), near{}, xs, []int{0, 1, -1}, propagation.Options{Alpha: 0.5})
	if err != nil || r.Reached != 2 || len(r.Warnings) != 1 {
		t.Errorf("a point without affinities: %+v, %v", r, err)
	}
	if _, _, err := propagation.Fit(t.Context(), vec.Linear{}, data.Slice[[]float64]{{1}, {-1}}, []int{0, -1}, propagation.Options{}); err == nil || !strings.Contains(err.Error(), "≥ 0") {
		t.Errorf("affinities below zero: %v", err)
	}
	stopped, stop := context.WithCancel(context.Background())
	stop()
	if _, _, err := propagation.Fit(stopped, near{}, xs, []int{0, -1, 1}, propagation.Options{}); err == nil {
		t.Error("a context that has ended is not noticed")
	}
}

func TestSameBitsForAnyWorkers(t *testing.T) {
	xs, y := make(data.Slice[[]float64], 60), make([]int, 60)
	for i := range xs {
		xs[i], y[i] = []float64{math.Sin(float64(i)), math.Cos(1.7 * float64(i))}, -1
	}
	y[0], y[1], y[2] = 0, 1, 2
	for _, alpha := range []float64{0, 0.8} {
		var first *mat.Dense
		for _, workers := range []int{1, 2, 3, 8} {
			f, _, err := propagation.Fit(t.Context(), vec.RBF{Sigma: 0.5}, xs, y, propagation.Options{Alpha: alpha, Compute: compute.Options{Workers: workers}})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = f.Coef
			}
			if !mat.Equal(first, f.Coef) {
				t.Errorf("other bits for %d workers", workers)
			}
		}
	}
}
