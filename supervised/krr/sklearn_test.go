package krr_test

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
	"example.org/mercer/kernel/vec"
	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
)

// reference is one case of testdata/sklearn.json, whose field "origin" says how the
// numbers were made.
type reference struct {
	Set, File, Kernel string
	Skip, Train       int
	Ridge             float64
	Coef              []float64
	CoefNorm          float64 `json:"coef_norm"`
	Predictions       []float64
	Condition         float64
	xs, fresh         data.Vectors
	y                 *mat.Dense
}

// read fills in the standardised points and the targets.
func (r *reference) read(t *testing.T) {
	text, err := os.ReadFile(testkit.Shared(t, r.File))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")[r.Skip:]
	r.y = mat.NewDense(r.Train, 1, nil)
	var numbers []float64
	d := 0
	for i, line := range lines[:r.Train+20] {
		fields := strings.Fields(line)
		d = len(fields) - 1
		for j, f := range fields {
			v, err := strconv.ParseFloat(f, 64)
			if err != nil {
				t.Fatal(err)
			}
			if j < d {
				numbers = append(numbers, v)
			} else if i < r.Train {
				r.y.Set(i, 0, v)
			}
		}
	}
	for j := range d {
		mean, square := 0.0, 0.0
		for i := range r.Train {
			mean += numbers[i*d+j] / float64(r.Train)
		}
		for i := range r.Train {
			square += math.Pow(numbers[i*d+j]-mean, 2) / float64(r.Train)
		}
		scale := math.Sqrt(square)
		if scale == 0 {
			scale = 1
		}
		for i := range r.Train + 20 {
			numbers[i*d+j] = (numbers[i*d+j] - mean) / scale
		}
	}
	if r.xs, err = data.NewVectors(r.Train, d, numbers[:r.Train*d]); err != nil {
		t.Fatal(err)
	}
	if r.fresh, err = data.NewVectors(20, d, numbers[r.Train*d:]); err != nil {
		t.Fatal(err)
	}
}

// Condition numbers are below 3e4, so that two correct solvers agree to about 1e-11.
func TestAgreesWithScikitLearn(t *testing.T) {
	text, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Origin string
		Cases  []*reference
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 20 {
		t.Fatalf("%d cases, want 5 sets × 4 kernels", len(file.Cases))
	}
	for _, r := range file.Cases {
		t.Run(fmt.Sprintf("%s,%s", r.Set, r.Kernel), func(t *testing.T) {
			r.read(t)
			k, err := vec.Parse(r.Kernel)
			if err != nil {
				t.Fatal(err)
			}
			// The default solver, which is the primal for linear and poly, predicts the
			// same; α is that of the dual.
			for _, solver := range []krr.Solver{krr.Auto, krr.Cholesky} {
				f, report, err := krr.Fit(t.Context(), k, r.xs, r.y, krr.Options{Ridge: r.Ridge, NoIntercept: true, Solver: solver})
				if err != nil {
					t.Fatal(err)
				}
				got, err := f.Predict(t.Context(), r.fresh, compute.Options{})
				if err != nil {
					t.Fatal(err)
				}
				testkit.CloseSlice(t, string(report.Solver)+" predictions", got.RawMatrix().Data, r.Predictions, 1e-9)
				if e, ok := f.(*model.Expansion[[]float64]); ok {
					alpha := e.Coef.RawMatrix().Data
					testkit.CloseSlice(t, "α", alpha[:20], r.Coef, 1e-9)
					testkit.Close(t, "‖α‖", mat.Norm(e.Coef, 2), r.CoefNorm, 1e-9)
				}
			}
		})
	}
}
