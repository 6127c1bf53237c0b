package rfm_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/supervised/rfm"
)

// unit is the Laplace kernel of width 1.
var unit = vec.Laplace{Sigma: 1}

// pairwise are the gradients of a kernel, pair by pair.
func pairwise(t testing.TB, k vec.Kernel) gradients.Slope {
	t.Helper()
	slope, err := vec.SlopeOf(k)
	if err != nil {
		t.Fatal(err)
	}
	return gradients.Pairwise(slope)
}

// every has one of so many rows.
func every(n, step int) (rows []int) {
	for i := 0; i < n; i += step {
		rows = append(rows, i)
	}
	return rows
}

// slanted is a target that changes along one direction alone.
func slanted(n int) (data.Vectors, *mat.Dense) {
	x, y := data.MakeVectors(n, 3), mat.NewDense(n, 1, nil)
	for i := range n {
		for j := range 3 {
			x.At(i)[j] = math.Sin(float64(1+i) * (1.3 + 0.7*float64(j)))
		}
		y.Set(i, 0, math.Sin(3*(x.At(i)[0]+x.At(i)[1])/math.Sqrt2))
	}
	return x, y
}

func TestATreeSplitsWhereTheTargetChanges(t *testing.T) {
	x, y := slanted(300)
	found, report, err := rfm.FitTree(t.Context(), unit, pairwise(t, unit), x, y, rfm.TreeOptions{Options: rfm.Options{Shape: mahalanobis.Full, Rounds: 1, Judges: every(300, 5)}, Leaf: 160, Lambda: 1e-5})
	if err != nil || len(found.Splits) != 1 {
		t.Fatalf("%+v, %v; want one split", found, err)
	}
	v := found.Splits[0].Direction
	if along := (v[0] + v[1]) / math.Sqrt2; along < 0.98 {
		t.Errorf("the direction is %v, and the target changes along (1, 1, 0)/√2: their product is %v", v, along)
	}
	if report.Tree.Error <= 0 || report.Tree.Error > 0.3 || len(report.Tree.Leaves) != 2 {
		t.Errorf("the report is %+v", report.Tree)
	}
}

func TestALeafIsAFitOfItsRows(t *testing.T) {
	x, y := slanted(120)
	o := rfm.Options{Shape: mahalanobis.Diagonal, Rounds: 2, Judges: every(120, 6), Power: 0.5}
	tree, _, err := rfm.FitTree(t.Context(), unit, pairwise(t, unit), x, y, rfm.TreeOptions{Options: o, Leaf: 70, Lambda: 1e-4})
	if err != nil || len(tree.Leaves) != 2 {
		t.Fatal(tree, err)
	}
	for leaf, rows := range tree.Rows {
		part, targets, judges := x.Gather(rows), mat.NewDense(len(rows), 1, nil), []int{}
		for at, i := range rows {
			targets.Set(at, 0, y.At(i, 0))
			if i%6 == 0 {
				judges = append(judges, at)
			}
		}
		one := o
		one.Judges, one.Ridge = judges, 1e-4*float64(len(rows))
		want, _, err := rfm.Fit(t.Context(), unit, pairwise(t, unit), part, targets, one)
		if err != nil {
			t.Fatal(err)
		}
		testkit.CloseSlice(t, "coefficients", tree.Leaves[leaf].Coef.RawMatrix().Data, want.Coef.RawMatrix().Data, 0)
	}
}

func TestALeafOfOneTargetIsAConstant(t *testing.T) {
	x, y := slanted(100)
	for i := range 100 { // one class on each side
		y.Set(i, 0, math.Copysign(1, x.At(i)[0]))
	}
	tree, _, err := rfm.FitTree(t.Context(), unit, pairwise(t, unit), x, y, rfm.TreeOptions{Options: rfm.Options{Rounds: 1, Judges: every(100, 4)}, Leaf: 8, Lambda: 1e-4})
	if err != nil {
		t.Fatal(err)
	}
	constants := 0
	for leaf, rows := range tree.Rows {
		if mat.Norm(tree.Leaves[leaf].Coef, 1) == 0 {
			constants++
			if got := tree.Leaves[leaf].Bias[0]; got != y.At(rows[0], 0) {
				t.Errorf("leaf %d is %v, want %v", leaf, got, y.At(rows[0], 0))
			}
		}
	}
	if constants == 0 {
		t.Errorf("none of %d leaves is a constant", len(tree.Leaves))
	}
}
