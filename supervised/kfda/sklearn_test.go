package kfda_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/supervised/kfda"
)

// table reads numbers separated by commas: iris with the label at the end, or wdbc with
// the label second, whose columns are standardised.
func table(t *testing.T, file string) (data.Vectors, []int) {
	t.Helper()
	text, err := os.ReadFile(testkit.Shared(t, file))
	if err != nil {
		t.Fatal(err)
	}
	var numbers []float64
	var y []int
	names, d := map[string]int{}, 0
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), ",")
		if len(fields) < 5 || fields[len(fields)-1] == "species" {
			continue
		}
		label, features := fields[len(fields)-1], fields[:len(fields)-1]
		if len(fields) > 5 {
			names["B"], names["M"] = 0, 1
			label, features = fields[1], fields[2:]
		}
		if _, ok := names[label]; !ok {
			names[label] = len(names)
		}
		y, d = append(y, names[label]), len(features)
		for _, f := range features {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			numbers = append(numbers, v)
		}
	}
	xs, err := data.NewVectors(len(y), d, numbers)
	if err != nil {
		t.Fatal(err)
	}
	if d > 4 {
		standardise(xs)
	}
	return xs, y
}

// standardise scales columns to mean 0 and population variance 1.
func standardise(xs data.Vectors) {
	n := float64(xs.Len())
	for j := range xs.Dim() {
		mean, square := 0.0, 0.0
		for i := range xs.Len() {
			mean += xs.At(i)[j] / n
		}
		for i := range xs.Len() {
			square += math.Pow(xs.At(i)[j]-mean, 2) / n
		}
		for i := range xs.Len() {
			xs.At(i)[j] = (xs.At(i)[j] - mean) / math.Sqrt(square)
		}
	}
}

// The linear kernel is linear discriminant analysis with the ridge λ on the covariance.
// The field "origin" of the file says how its numbers were made.
func TestLinearKernelAgreesWithScikitLearn(t *testing.T) {
	text, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Origin string
		Cases  []struct {
			Set, File        string
			Lam              float64
			Ratios           []float64
			Errors           int
			Probabilities    [][]float64
			BarycentreErrors int `json:"barycentre_errors"`
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 6 {
		t.Fatalf("%d cases, want 2 sets × 3 λ", len(file.Cases))
	}
	for _, c := range file.Cases {
		t.Run(fmt.Sprintf("%s,%g", c.Set, c.Lam), func(t *testing.T) {
			xs, y := table(t, c.File)
			f, r, err := kfda.Fit(t.Context(), parse(t, "linear()"), xs, y, kfda.Options{Lambda: c.Lam})
			if err != nil {
				t.Fatal(err)
			}
			testkit.CloseSlice(t, "ratios", r.Ratios, c.Ratios, 1e-9)
			values, err := f.Predict(t.Context(), xs, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			p, n := r.Decision.Probabilities(values), float64(len(y))
			for i, want := range c.Probabilities {
				testkit.CloseSlice(t, "probabilities", p.RawRowView(i*(len(y)/10)), want, 1e-8)
			}
			testkit.Close(t, "accuracy", r.Accuracy, 1-float64(c.Errors)/n, 1e-12)
			_, br, err := kfda.FitBarycentres(t.Context(), parse(t, "linear()"), xs, y, kfda.BarycentreOptions{})
			if err != nil {
				t.Fatal(err)
			}
			testkit.Close(t, "accuracy of barycentres", br.Accuracy, 1-float64(c.BarycentreErrors)/n, 1e-12)
		})
	}
}
