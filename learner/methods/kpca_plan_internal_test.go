package methods

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/task"
	"example.org/mercer/unsupervised/kpca"
)

// pointsInThePlane is a table of two columns and no target.
func pointsInThePlane(t *testing.T, n int) *task.Task {
	r := rand.New(rand.NewPCG(3, 4))
	x, y, none := make([]float64, n), make([]float64, n), make([]bool, n)
	for i := range n {
		x[i], y[i] = r.NormFloat64(), 2*r.NormFloat64()
	}
	table := &data.Table{Source: "plane", Columns: []data.Column{{Name: "x", Numbers: x, Missing: none}, {Name: "y", Numbers: y, Missing: none}}}
	p, err := task.New(t.Context(), table, prep.Spec{NoTarget: true}, "rbf(sigma=1)")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Lanczos takes on all rows the products that a sample takes, two more or less; a table that is
// hardly larger than the sample is not tried.
func TestProductsOfASample(t *testing.T) {
	t.Parallel()
	p := pointsInThePlane(t, 2100)
	m := KPCA{Options: kpca.Options{Components: 3}}
	fitted, err := m.Fit(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	took, tried := fitted.Report.(*kpca.Report).Lanczos.Products, m.triedProducts(t.Context(), p)
	if tried < 1 || tried < took-2 || tried > took+2 {
		t.Errorf("%d products on a sample, and %d on all rows", tried, took)
	}
	plan, err := m.Plan(t.Context(), p)
	if err != nil || !slices.ContainsFunc(plan.Notes, func(s string) bool { return strings.Contains(s, "on a sample of the rows") }) {
		t.Errorf("notes %q; %v", plan.Notes, err)
	}
	if n := m.triedProducts(t.Context(), p.EvenSample(2000)); n != 0 {
		t.Errorf("%d products are tried on a sample of 2000 rows", n)
	}
	m.Solver = kpca.Exact
	if n := m.triedProducts(t.Context(), p); n != 0 {
		t.Errorf("%d products are tried where all of the matrix is decomposed", n)
	}
}
