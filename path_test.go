package mercer_test

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/learner/methods"
	"example.org/mercer/search"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// TestLambdaPath: every point of the path is the fit at its λ, and its curve is what the
// fitted model predicts.
func TestLambdaPath(t *testing.T) {
	table := sines(80)
	for _, indefinite := range []gram.Treatment{"", gram.Clip} {
		p, err := task.New(background, table, sineSpec, petalKernel)
		if err != nil {
			t.Fatal(err)
		}
		p.Indefinite = indefinite
		lambdas := []float64{100, 1, 1e-2, 1e-4}
		path, err := search.NewLambdaPath(background, p, lambdas, "", false, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		least := math.Inf(1)
		for i, l := range lambdas {
			m, err := mercer.Fit(background, p, methods.KRR{Options: krr.Options{Lambda: l, LOO: true}}, 1)
			if err != nil {
				t.Fatal(err)
			}
			testkit.Close(t, "λ", path.Points[i].Lambda, l, 1e-15)
			least = min(least, path.Points[i].LOO.RMSE[0])
			grid := sines(len(path.Curves.Grid))
			grid.Columns[0].Numbers = path.Curves.Grid
			// Coefficients carry condition·2⁻⁵² ≤ 80/(80·10⁻⁴)·2⁻⁵², predictions no more.
			testkit.CloseSlice(t, "curve", path.Curves.F[i], mat.Col(nil, 0, predict(t, m, grid).Values), 1e-9)
		}
		if path.Points[path.Best].LOO.RMSE[0] != least {
			t.Errorf("the best is point %d", path.Best)
		}
		if path.Curves.Feature != "x" || path.Curves.Target != "y" || len(path.Curves.X) != 80 {
			t.Errorf("curves of %s over %s with %d rows", path.Curves.Target, path.Curves.Feature, len(path.Curves.X))
		}
		if _, err := search.NewLambdaPath(background, p, []float64{1, 0}, "", false, compute.Options{}); err == nil || !strings.Contains(err.Error(), "λ = 0") {
			t.Errorf("λ = 0: %v", err)
		}
	}
	two, err := task.New(background, houses(40, 3), prep.Spec{Targets: []string{"price"}, Drop: []string{"id", "weight"}}, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	path, err := search.NewLambdaPath(background, two, []float64{1, 0.1}, "", false, compute.Options{})
	if err != nil || path.Curves != nil {
		t.Errorf("curves over several features: %v, %v", path.Curves, err)
	}
}
