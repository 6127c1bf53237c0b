package task_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
	"example.org/mercer/task"
)

// line is a task of the rows x with the target 2x and a kernel.
func line(t *testing.T, text string, xs ...float64) *task.Task {
	t.Helper()
	y := make([]float64, len(xs))
	for i, x := range xs {
		y[i] = 2 * x
	}
	table := &data.Table{Source: "line", Headed: true, Columns: []data.Column{
		{Name: "x", Kind: data.Numeric, Numbers: xs}, {Name: "y", Kind: data.Numeric, Numbers: y}}}
	p, err := task.New(context.Background(), table, prep.Spec{Targets: []string{"y"}, Raw: []string{"*"}}, text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// elements returns all values of bound pairs.
func elements(p kernel.Pairs) []float64 {
	rows, cols := p.Dims()
	tile := kernel.NewTile(rows, cols)
	p.Tile(tile, 0, 0)
	return tile.Data
}

// TestPointsAreBoundAsTheKernelSays compares Bind and BindRows with k(x, z) = e^(−(x−z)²/2).
func TestPointsAreBoundAsTheKernelSays(t *testing.T) {
	xs := []float64{-1, 0, 0.5, 3}
	p := line(t, "rbf(sigma=1)", xs...)
	again, err := p.Points.BindRows(p.Rows)
	if err != nil {
		t.Fatal(err)
	}
	bound, self := elements(p.Points.Bind()), elements(again)
	for i, x := range xs {
		for j, z := range xs {
			want := math.Exp(-(x - z) * (x - z) / 2)
			testkit.Close(t, "Bind", bound[i*len(xs)+j], want, 1e-15)
			testkit.Close(t, "BindRows", self[i*len(xs)+j], want, 1e-15)
		}
	}
}

// TestExpandLeavesOutPointsWithoutCoefficients: both expansions are the same function, and Expand
// says which points it has.
func TestExpandLeavesOutPointsWithoutCoefficients(t *testing.T) {
	p := line(t, "rbf(sigma=1)", -1, 0, 0.5, 3)
	coef := mat.NewDense(4, 1, []float64{0.5, 0, -2, 0})
	all := p.Points.ExpandAll(coef, []float64{7})
	some, support := p.Points.Expand(coef, []float64{7})
	if len(support) != 2 || support[0] != 0 || support[1] != 2 {
		t.Errorf("points %v instead of 0 and 2", support)
	}
	if all.Size() != 4 || some.Size() != 2 {
		t.Errorf("expansions on %d and %d points instead of 4 and 2", all.Size(), some.Size())
	}
}

// TestVectorsAreThePointsThemselves: ⟨x, z⟩ of the rows, without a detour by row numbers.
func TestVectorsAreThePointsThemselves(t *testing.T) {
	p := line(t, "linear", 1, 2, 5)
	k, rows := p.Points.AsVectors()
	for i, x := range []float64{1, 2, 5} {
		for j, z := range []float64{1, 2, 5} {
			if got := k.Eval(rows.At(i), rows.At(j)); got != x*z {
				t.Errorf("k of rows %d and %d is %g instead of %g", i, j, got, x*z)
			}
		}
	}
}
