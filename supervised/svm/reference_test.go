package svm_test

import (
	"encoding/json"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/supervised/svm"
)

// reference is testdata/libsvm.json: solutions of LIBSVM at a tolerance of 1e-9.
type reference struct {
	X, Test  data.Slice[[]float64]
	Classes  []int
	Classes3 []int
	Targets  []float64
	Fits     map[string]struct {
		Objective []float64
		Rho       []float64
		NSV       int
		Labels    []float64
		Values    [][]float64
		Order     []int
		Model     string
	}
}

func readReference(t testing.TB) *reference {
	t.Helper()
	text, err := os.ReadFile("testdata/libsvm.json")
	if err != nil {
		t.Fatal(err)
	}
	var r reference
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return &r
}

// half is exp(−½‖x−y‖²).
var half = vec.RBF{}

// TestAgainstLIBSVM compares objective, support vectors and decision values of every
// type with LIBSVM's, which keeps its matrix in float32: with a relative error of 6·10⁻⁸
// in every element, times the sum of the coefficients, divided by ρ in ν-SVC.
func TestAgainstLIBSVM(t *testing.T) {
	r := readReference(t)
	xs, test := r.X, r.Test
	priced, err := svm.PerClass(r.Classes, []float64{0.5, 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	one := make([]float64, 0)
	for _, tc := range []struct {
		name string
		k    kernel.Kernel[[]float64]
		y    any
		o    svm.Options
	}{
		{"c-svc", half, r.Classes, svm.Options{C: 2}},
		{"c-svc poly", vec.Poly{Degree: 3, Offset: 1, Scale: 0.5}, r.Classes, svm.Options{C: 0.5}},
		{"c-svc weighted", half, r.Classes, svm.Options{C: 2, Weights: priced}},
		{"nu-svc", half, r.Classes, svm.Options{Type: svm.NuSVC, Nu: 0.3}},
		{"one-class", half, one, svm.Options{Type: svm.OneClass, Nu: 0.2}},
		{"epsilon-svr", half, r.Targets, svm.Options{C: 3, Epsilon: 0.05}},
		{"nu-svr", half, r.Targets, svm.Options{Type: svm.NuSVR, C: 3, Nu: 0.4}},
		{"c-svc 3", half, r.Classes3, svm.Options{C: 2}},
		{"nu-svc 3", half, r.Classes3, svm.Options{Type: svm.NuSVC, Nu: 0.3}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tc.o.Tolerance = 1e-9
			var f *model.Expansion[[]float64]
			var report *svm.Report
			var err error
			switch y := tc.y.(type) {
			case []int:
				f, report, err = svm.Fit(t.Context(), tc.k, xs, y, tc.o)
			case []float64:
				if tc.o.Type == svm.OneClass {
					f, report, err = svm.FitOneClass(t.Context(), tc.k, xs, tc.o)
				} else {
					f, report, err = svm.FitRegression(t.Context(), tc.k, xs, y, tc.o)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			want := r.Fits[tc.name]
			if !report.Converged {
				t.Errorf("not converged: %q", report.Warnings)
			}
			if got := report.SupportVectors; got != want.NSV {
				t.Errorf("%d support vectors, LIBSVM has %d", got, want.NSV)
			}
			if len(report.Problems) == 1 {
				testkit.Close(t, "objective", report.Problems[0].Objective, want.Objective[0], 1e-7)
				testkit.Close(t, "rho", -report.Problems[0].Bias, want.Rho[0], 1e-7)
			}
			for _, m := range report.Problems {
				if !(m.Gap >= -1e-12 && m.Gap <= 1e-5) {
					t.Errorf("gap %g of a problem with violation %g", m.Gap, m.Violation)
				}
			}
			values, err := f.Predict(t.Context(), test, compute.Options{})
			if err != nil {
				t.Fatal(err)
			}
			compareValues(t, values, want.Values)
			if report.Decision != nil {
				for i, c := range report.Decision.Classes(values) {
					if c != int(want.Labels[i]) {
						t.Errorf("test row %d is of class %d, LIBSVM says %v", i, c, want.Labels[i])
					}
				}
			}
		})
	}
}

func compareValues(t *testing.T, got *mat.Dense, want [][]float64) {
	t.Helper()
	for i, row := range want {
		for j, v := range row {
			testkit.Close(t, "decision value", got.At(i, j), v, 5e-6)
		}
	}
}
