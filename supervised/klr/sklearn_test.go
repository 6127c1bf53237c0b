package klr_test

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/model"
	"example.org/mercer/supervised/klr"
)

// The linear kernel is logistic regression with an intercept that is not penalised, of
// two classes and, symmetric, of three. The field "origin" of the file says how its
// numbers were made; their gradient is below 1e-16 and its curvature above λ, so that
// 1e-9 relative leaves a margin for both sides.
func TestLinearKernelAgreesWithScikitLearn(t *testing.T) {
	text, err := os.ReadFile("testdata/sklearn.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Origin string
		Cases  []struct {
			Set, File     string
			Standardised  bool
			Lam           float64
			Coef          [][]float64
			Intercept     []float64
			Logloss       float64
			Probabilities [][]float64
		}
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 6 {
		t.Fatalf("%d cases, want 3 sets × 2 λ", len(file.Cases))
	}
	for _, r := range file.Cases {
		for _, solver := range []klr.Solver{klr.Auto, klr.Cholesky} {
			t.Run(fmt.Sprintf("%s,%g,%s", r.Set, r.Lam, solver), func(t *testing.T) {
				var xs data.Vectors
				var y []int
				switch r.Set {
				case "wdbc":
					xs, y = table(t, r.File, 1)
				case "iris":
					xs, y = table(t, r.File, 4)
				default:
					xs, y = heart(t)
				}
				if r.Standardised {
					standardise(xs)
				}
				f, report, err := klr.Fit(t.Context(), parse(t, "linear()"), xs, y, klr.Options{Lambda: r.Lam, Solver: solver})
				if err != nil {
					t.Fatal(err)
				}
				var w mat.Dense
				var b []float64
				switch f := f.(type) {
				case *model.Primal[[]float64]:
					w.CloneFrom(f.W)
					b = f.Bias
				case *model.Expansion[[]float64]:
					w.Mul(mat.NewDense(xs.Len(), xs.Dim(), xs.Raw()).T(), f.Coef)
					b = f.Bias
				}
				var want []float64
				for _, row := range r.Coef {
					want = append(want, row...)
				}
				testkit.CloseSlice(t, "w", mat.DenseCopyOf(w.T()).RawMatrix().Data, want, 1e-9)
				testkit.CloseSlice(t, "b", b, r.Intercept, 1e-9)
				testkit.Close(t, "log loss", report.Deviance/2/float64(len(y)), r.Logloss, 1e-10)
				values, err := f.Predict(t.Context(), xs, compute.Options{})
				if err != nil {
					t.Fatal(err)
				}
				p := klr.Probabilities(values)
				for i, row := range r.Probabilities {
					testkit.CloseSlice(t, "probabilities", p.RawRowView(i*(len(y)/10)), row, 1e-9)
				}
				if !(report.Newton.Gap < 1e-10*report.Newton.Value) {
					t.Errorf("gap %g of %g", report.Newton.Gap, report.Newton.Value)
				}
			})
		}
	}
}
