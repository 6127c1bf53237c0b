package lab_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/lab"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/supervised/svm"
)

// ask calls a screen and reads its answer.
func ask(t *testing.T, screen string, request, answer any) {
	t.Helper()
	text, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	got, err := lab.Call(t.Context(), screen, text, compute.Options{})
	if err != nil {
		t.Fatalf("%s: %v", screen, err)
	}
	if err := json.Unmarshal(got, answer); err != nil {
		t.Fatalf("%s: %v in %s", screen, err, got)
	}
}

type object = map[string]any

// The curve of ridge regression is that of package krr, in the digits that are sent.
func TestCurve(t *testing.T) {
	x, y := []float64{0, 0.3, 0.5, 1.1, 1.9, 2.4}, []float64{1, 0.7, 0.2, -0.4, 0.1, 0.8}
	var a struct {
		At, F          []float64
		Left_out       []float64
		Train, LOO     float64
		Path           []struct{ Lambda, Loo float64 }
		Spectrum       []float64
		Low, High      []float64
		Draws          [][]float64
		Evidence, Bias float64
	}
	ask(t, "curve", object{"method": "krr", "x": x, "y": y, "kernel": "rbf(sigma=0.8)", "lambda": 1e-2, "from": -1, "to": 3, "grid": 21}, &a)
	xs, err := data.NewVectors(6, 1, x)
	if err != nil {
		t.Fatal(err)
	}
	f, r, err := krr.Fit(t.Context(), vec.Kernel(vec.RBF{Sigma: 0.8}), xs, mat.NewDense(6, 1, y), krr.Options{Lambda: 1e-2, LOO: true})
	if err != nil {
		t.Fatal(err)
	}
	grid, _ := data.NewVectors(21, 1, a.At)
	want, err := f.Predict(t.Context(), grid, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range a.F {
		if math.Abs(v-want.At(i, 0)) > 1e-6*(1+math.Abs(v)) {
			t.Errorf("f(%v) = %v, want %v", a.At[i], v, want.At(i, 0))
		}
	}
	if math.Abs(a.LOO-r.Point.LOO.RMSE[0]) > 1e-9 || math.Abs(a.Train-r.Train.RMSE[0]) > 1e-9 {
		t.Errorf("errors %v and %v, want %v and %v", a.Train, a.LOO, r.Train.RMSE[0], r.Point.LOO.RMSE[0])
	}
	if len(a.Path) != 31 || len(a.Spectrum) != 6 || len(a.Left_out) != 6 {
		t.Errorf("%d steps of the path, %d eigenvalues, %d residuals", len(a.Path), len(a.Spectrum), len(a.Left_out))
	}
	ask(t, "curve", object{"method": "gp", "x": x, "y": y, "kernel": "matern(nu=1.5, sigma=1)", "noise": 1e-4, "from": -1, "to": 3, "grid": 21, "samples": 3}, &a)
	for i := range a.F {
		if !(a.Low[i] <= a.F[i] && a.F[i] <= a.High[i]) {
			t.Errorf("the band at %v is [%v, %v] around %v", a.At[i], a.Low[i], a.High[i], a.F[i])
		}
	}
	if len(a.Draws) != 3 || len(a.Draws[0]) != 21 {
		t.Errorf("%d draws", len(a.Draws))
	}
}

// cloud are two classes of points in the plane.
func cloud(n int) (points [][]float64, labels []int) {
	for i := range n {
		a := 2.4 * float64(i)
		r := 0.5 + 1.1*float64(i%2)
		points, labels = append(points, []float64{r * math.Cos(a), r * math.Sin(a)}), append(labels, i%2)
	}
	return points, labels
}

var square = object{"x0": -2, "x1": 2, "y0": -2, "y1": 2, "side": 9}

// Each method tells rings apart: below 0 in the middle, above it outside.
func TestBoundary(t *testing.T) {
	points, labels := cloud(40)
	for _, method := range []string{"svc", "klr", "kfda"} {
		var a struct {
			Field, Weights []float64
			Wrong          []bool
			Says           string
		}
		ask(t, "boundary", object{"method": method, "points": points, "labels": labels, "kernel": "rbf(sigma=1)", "c": 10, "lambda": 1e-3, "box": square}, &a)
		if len(a.Field) != 81 || !(a.Field[40] < 0) || !(a.Field[4*9+1] > 0) {
			t.Errorf("%s: %v in the middle, %v outside", method, a.Field[40], a.Field[4*9+1])
		}
		if !strings.Contains(a.Says, " 0 of 40 points are on the other side") || len(a.Weights) != 40 {
			t.Errorf("%s: %s", method, a.Says)
		}
	}
	xs := data.MakeVectors(40, 2)
	for i, p := range points {
		copy(xs.At(i), p)
	}
	_, r, err := svm.Fit(t.Context(), vec.Kernel(vec.RBF{Sigma: 1}), xs, labels, svm.Options{C: 10})
	if err != nil {
		t.Fatal(err)
	}
	var a struct{ Says string }
	ask(t, "boundary", object{"method": "svc", "points": points, "labels": labels, "kernel": "rbf(sigma=1)", "c": 10, "box": square}, &a)
	if want := fmt.Sprintf("%d of 40 points are support vectors", r.SupportVectors); !strings.Contains(a.Says, want) {
		t.Errorf("%s, want %s", a.Says, want)
	}
}

// The trace of a Gram matrix is the sum of its eigenvalues, centred too, and tanh has negative
// ones.
func TestGram(t *testing.T) {
	points, _ := cloud(20)
	for _, centre := range []bool{false, true} {
		var a struct {
			Matrix   [][]float64
			Spectrum []float64
			Negative int
		}
		ask(t, "gram", object{"points": points, "kernel": "rbf(sigma=1)", "centre": centre}, &a)
		trace, sum := 0.0, 0.0
		for i, v := range a.Spectrum {
			trace, sum = trace+a.Matrix[i][i], sum+v
		}
		if a.Negative != 0 || math.Abs(trace-sum) > 1e-4 {
			t.Errorf("centred %v: trace %v, sum of eigenvalues %v, %d negative", centre, trace, sum, a.Negative)
		}
		ask(t, "gram", object{"points": points, "kernel": "tanh(scale=1, offset=-1)", "centre": centre}, &a)
		if a.Negative == 0 {
			t.Error("tanh has no negative eigenvalue")
		}
	}
}

func TestOtherScreens(t *testing.T) {
	points, _ := cloud(30)
	var w struct {
		Sections, Draws [][]float64
		Says            string
	}
	ask(t, "workshop", object{"kernel": "rbf(sigma=1) + linear", "from": -2, "to": 2, "grid": 41, "at": []float64{0, 1}, "draws": 2}, &w)
	if len(w.Sections) != 2 || w.Sections[0][20] != 1 || len(w.Draws) != 2 || !strings.Contains(w.Says, "positive") {
		t.Errorf("workshop: %d sections, %d draws, %s", len(w.Sections), len(w.Draws), w.Says)
	}
	var f struct {
		Verdict string
		Witness *struct{ Points [][]float64 }
	}
	ask(t, "falsifier", object{"formula": "cos(x+y)"}, &f)
	if f.Witness == nil || len(f.Witness.Points) == 0 {
		t.Errorf("falsifier: %+v", f)
	}
	var c struct {
		Scores, Fields [][]float64
		Ratio          []float64
	}
	ask(t, "components", object{"points": points, "kernel": "rbf(sigma=1)", "components": 3, "box": square}, &c)
	if len(c.Scores) != 3 || len(c.Fields[0]) != 81 || !(c.Ratio[0] >= c.Ratio[2]) {
		t.Errorf("components: %d scores, ratio %v", len(c.Scores), c.Ratio)
	}
	for _, method := range []string{"kmeans", "kernel-kmeans", "spectral", "gmm"} {
		var l struct{ Labels []int }
		ask(t, "clusters", object{"method": method, "points": points, "kernel": "rbf(sigma=0.5)", "clusters": 2, "seed": 1}, &l)
		if len(l.Labels) != 30 {
			t.Errorf("%s: %d labels", method, len(l.Labels))
		}
	}
	var s struct {
		Value  float64
		Shared []struct{ Word string }
	}
	ask(t, "words", object{"a": "ACGACG", "b": "TACGT", "k": 3}, &s)
	if s.Value != 2 || len(s.Shared) != 1 || s.Shared[0].Word != "ACG" {
		t.Errorf("words: %+v", s)
	}
}

// Requests that cannot be answered say why, and none names a file.
func TestInvalidRequests(t *testing.T) {
	points, labels := cloud(6)
	for want, c := range map[string]struct {
		screen  string
		request any
	}{
		"no screen":                     {"nothing", object{}},
		"cannot be read":                {"gram", object{"mistyped": 1}},
		"gram":                          {"gram", object{"points": points, "kernel": `gram(file="/etc/passwd")`}},
		"from 2 to 2000":                {"gram", object{"points": points[:1], "kernel": "linear"}},
		"has 1 coordinates":             {"gram", object{"points": [][]float64{{1, 2}, {3}}, "kernel": "linear"}},
		"there are 2 to 12":             {"words", nil},
		"C = 0 must be":                 {"boundary", object{"method": "svc", "points": points, "labels": labels, "kernel": "linear", "box": square}},
		"needs points of both":          {"boundary", object{"method": "svc", "points": points, "labels": []int{0, 0, 0, 0, 0, 0}, "kernel": "linear", "c": 1, "box": square}},
		"method \"magic\" is not known": {"clusters", object{"method": "magic", "points": points, "clusters": 2}},
		"lambda = -1 must be":           {"curve", object{"method": "krr", "x": []float64{1, 2}, "y": []float64{1, 2}, "kernel": "linear", "lambda": -1, "from": 0, "to": 1, "grid": 5}},
		"kernel":                        {"workshop", object{"kernel": "rbf(sigma=", "from": 0, "to": 1, "grid": 5}},
	} {
		text, _ := json.Marshal(c.request)
		if c.request == nil {
			text, want = []byte(`{"k": 99}`), "there are 1 to 12"
		}
		_, err := lab.Call(t.Context(), c.screen, text, compute.Options{})
		if invalid := (*lab.Invalid)(nil); !errors.As(err, &invalid) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s %s: error %v, want one with %q", c.screen, text, err, want)
		}
	}
}

// An answer ends with its context.
func TestAnswersEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	points, labels := cloud(400)
	text, _ := json.Marshal(object{"method": "klr", "points": points, "labels": labels, "kernel": "rbf(sigma=1)", "lambda": 1e-6, "box": square})
	if _, err := lab.Call(ctx, "boundary", text, compute.Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
