package shapley_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/rkhs/shapley"
)

// reference is testdata/shap.json, whose field "origin" says how the numbers were made.
type reference struct {
	Train, Background  int
	Sigma, Ridge, Base float64
	Values             [][]float64
}

// read returns the standardised rows of the table, and the targets of the training rows.
func (r reference) read(t *testing.T) (xs data.Vectors, y *mat.VecDense) {
	t.Helper()
	text, err := os.ReadFile(testkit.Shared(t, "csv/diabetes.tab.txt"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
	n := r.Train + len(r.Values)
	d := len(strings.Fields(lines[0])) - 1
	xs, y = data.MakeVectors(n, d), mat.NewVecDense(r.Train, nil)
	for j := range d + 1 {
		column := make([]float64, n)
		for i := range n {
			if column[i], err = strconv.ParseFloat(strings.Fields(lines[i])[j], 64); err != nil {
				t.Fatal(err)
			}
		}
		mean, deviation := stat.PopMeanStdDev(column[:r.Train], nil)
		for i, v := range column {
			if j < d {
				xs.At(i)[j] = (v - mean) / deviation
			} else if i < r.Train {
				y.SetVec(i, v)
			}
		}
	}
	return xs, y
}

// The values of the package shap, which evaluates all 2^10 sets of ten columns for every row of the
// background. With one row for a background the exact values are of the same game, and v is the
// mean of the games of its rows; what is sampled is within four standard errors.
func TestAgreesWithShap(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/shap.json")
	if err != nil {
		t.Fatal(err)
	}
	var r reference
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	xs, y := r.read(t)
	e := expansion(t, fmt.Sprintf("rbf(sigma=%v)", r.Sigma), xs.Gather(data.Range(0, r.Train)), nil)
	gram := mat.NewSymDense(r.Train, nil)
	for i := range r.Train {
		for j := range i + 1 {
			gram.SetSym(i, j, e.Kernel.Eval(xs.At(i), xs.At(j)))
		}
		gram.SetSym(i, i, 1+r.Ridge)
	}
	var factor mat.Cholesky
	e.Coef = mat.NewDense(r.Train, 1, nil)
	if !factor.Factorize(gram) || factor.SolveTo(e.Coef, y) != nil {
		t.Fatal("the system has no solution")
	}
	rows, points := xs.Gather(data.Range(r.Train, xs.Len())), e.Points.(data.Vectors)
	sum := make([][]float64, rows.Len())
	base := 0.0
	for b := range r.Background {
		got := explain(t, e.Kernel.String(), rows, points, e.Coef, shapley.Options{Background: xs.Gather([]int{b})})
		for i, phi := range got.Phi {
			if sum[i] == nil {
				sum[i] = make([]float64, xs.Dim())
			}
			floats.AddScaled(sum[i], 1/float64(r.Background), phi.RawRowView(0))
		}
		base += got.Base[0] / float64(r.Background)
	}
	drawn := sample(t, e, rows, shapley.Options{Background: xs.Gather(data.Range(0, r.Background)), Samples: 1600})
	testkit.Close(t, "base", base, r.Base, 1e-10)
	for i, want := range r.Values {
		testkit.CloseSlice(t, "values", sum[i], want, 1e-11)
		for p, w := range want {
			if got, off := drawn.Phi[i].At(0, p), drawn.Error[i].At(0, p); !(math.Abs(got-w) < 4*off) {
				t.Errorf("row %d, column %d: %v ± %v, want %v", i, p, got, off, w)
			}
		}
	}
}
