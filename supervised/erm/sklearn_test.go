package erm_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/supervised/erm"
)

// references is testdata/sklearn.json, whose field "origin" says how the numbers were
// made.
type references struct {
	Origin   string
	Quantile []struct {
		Tau  float64
		Coef []float64
		Loss float64
	} `json:"quantile_stackloss"`
	Huber []struct {
		Epsilon, Scale, Ridge float64
		Coef                  []float64
	} `json:"huber_stackloss"`
	SVR []struct {
		Sigma, C, Epsilon float64
		Support           int
		Predictions       []float64
	} `json:"svr_mcycle"`
}

func readReferences(t *testing.T) *references {
	text, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	r := new(references)
	if err := json.Unmarshal(text, r); err != nil {
		t.Fatal(err)
	}
	if len(r.Quantile) != 3 || len(r.Huber) != 2 || len(r.SVR) != 2 {
		t.Fatalf("%d, %d and %d cases", len(r.Quantile), len(r.Huber), len(r.SVR))
	}
	return r
}

// Linear quantiles without a penalty: the programme of scikit-learn is solved by a
// simplex method, ours with λ = 1e-9 stays within 1e-6 of it.
func TestQuantilesAgreeWithScikitLearn(t *testing.T) {
	xs, y := small(t, "stackloss")
	for _, r := range readReferences(t).Quantile {
		w, report := plane(t, xs, y, loss.Quantile{Tau: r.Tau})
		testkit.CloseSlice(t, fmt.Sprintf("τ = %g", r.Tau), w, r.Coef, 1e-6)
		testkit.Close(t, "loss", report.Objective, r.Loss, 1e-6)
	}
}

// HuberRegressor minimises the scale, too; at its scale the rest is the problem of this
// package. Its own accuracy is about 1e-5.
func TestHuberAgreesWithScikitLearn(t *testing.T) {
	xs, y := small(t, "stackloss")
	n := float64(xs.Len())
	for j := range xs.Dim() {
		mean, square := 0.0, 0.0
		for i := range y {
			mean += xs.At(i)[j] / n
		}
		for i := range y {
			square += math.Pow(xs.At(i)[j]-mean, 2) / n
		}
		for i := range y {
			xs.At(i)[j] = (xs.At(i)[j] - mean) / math.Sqrt(square)
		}
	}
	for _, r := range readReferences(t).Huber {
		f, _, err := erm.Fit(t.Context(), parse(t, "linear()"), xs, y, loss.Huber{K: r.Epsilon, Scale: r.Scale}, erm.Options{Ridge: r.Ridge})
		if err != nil {
			t.Fatal(err)
		}
		p := f.(*model.Primal[[]float64])
		testkit.CloseSlice(t, "coefficients", append([]float64{p.Bias[0]}, mat.Col(nil, 0, p.W)...), r.Coef, 2e-5)
	}
}

// The ε-insensitive loss is LIBSVM's ε-SVR at R = 1/C; its tolerance is 1e-10.
func TestInsensitiveAgreesWithLIBSVM(t *testing.T) {
	xs, y := small(t, "mcycle")
	for _, r := range readReferences(t).SVR {
		k := parse(t, fmt.Sprintf("rbf(sigma=%g)", r.Sigma))
		f, report, err := erm.Fit(t.Context(), k, xs, y, loss.Insensitive{Epsilon: r.Epsilon}, erm.Options{Ridge: 1 / r.C})
		if err != nil {
			t.Fatal(err)
		}
		values, err := f.Predict(t.Context(), xs, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range r.Predictions {
			testkit.Close(t, "prediction", values.At(10*i, 0), want, 1e-6)
		}
		if report.Support != r.Support || f.(*model.Expansion[[]float64]).Points.Len() != r.Support {
			t.Errorf("%d rows at or outside of the tube and %d points, LIBSVM has %d", report.Support, f.(*model.Expansion[[]float64]).Points.Len(), r.Support)
		}
	}
}

// The hinge loss is LIBSVM's C-SVC: its FAQ gives the objective −100.877286 of the dual on
// heart_scale at C = 1, γ = 1/13, with 132 support vectors.
func TestHingeAgreesWithLIBSVM(t *testing.T) {
	text, err := os.ReadFile(testkit.Shared(t, "libsvm/heart_scale"))
	if err != nil {
		t.Fatal(err)
	}
	xs, y := data.MakeVectors(270, 13), []float64(nil)
	for line := range strings.Lines(string(text)) {
		fields := strings.Fields(line)
		for _, f := range fields[1:] {
			index, value, _ := strings.Cut(f, ":")
			at, err := strconv.Atoi(index)
			if err != nil {
				t.Fatal(err)
			}
			if xs.At(len(y))[at-1], err = strconv.ParseFloat(value, 64); err != nil {
				t.Fatal(err)
			}
		}
		label, err := strconv.ParseFloat(fields[0], 64)
		if err != nil {
			t.Fatal(err)
		}
		y = append(y, label)
	}
	f, report, err := erm.Fit(t.Context(), parse(t, fmt.Sprintf("rbf(gamma=%.17g)", 1.0/13)), xs, y, loss.Hinge{}, erm.Options{Ridge: 1})
	if err != nil {
		t.Fatal(err)
	}
	testkit.Close(t, "objective", 270*report.Objective, 100.877286, 1e-6)
	if points := f.(*model.Expansion[[]float64]).Points.Len(); points != 132 {
		t.Errorf("%d support vectors, LIBSVM has 132", points)
	}
}
