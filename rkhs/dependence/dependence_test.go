package dependence_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/rkhs/dependence"
)

// function is one of several outputs, written down.
type function []func(x []float64) float64

func (f function) Outputs() int { return len(f) }

func (f function) Predict(ctx context.Context, xs data.Set[[]float64], _ compute.Options) (*mat.Dense, error) {
	out := mat.NewDense(xs.Len(), len(f), nil)
	for i := range xs.Len() {
		for o, of := range f {
			out.Set(i, o, of(xs.At(i)))
		}
	}
	return out, ctx.Err()
}

func rowsOf(t *testing.T, n, d int) data.Vectors {
	rng := testkit.Rand(t, 91)
	xs := data.MakeVectors(n, d)
	for i := range n {
		for j := range d {
			xs.At(i)[j] = rng.NormFloat64()
		}
	}
	return xs
}

func along(t *testing.T, f function, rows data.Vectors, features []int, grid [][]float64) [][]dependence.Point {
	t.Helper()
	got, err := dependence.Along(context.Background(), f, rows, features, grid, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// The curve of a sum is its part up to a constant, and all rows have the same.
func TestSum(t *testing.T) {
	rows := rowsOf(t, 40, 3)
	part := func(v float64) float64 { return math.Sin(2*v) + v*v }
	f := function{
		func(x []float64) float64 { return part(x[1]) + 3*x[0]*x[2] },
		func(x []float64) float64 { return 5 + x[0] },
	}
	grid := [][]float64{{-1}, {-0.2}, {0.5}, {2}}
	got := along(t, f, rows, []int{1}, grid)
	for g, p := range got[0] {
		testkit.Close(t, "curve", p.Mean-got[0][0].Mean, part(grid[g][0])-part(-1), 1e-13)
		testkit.Close(t, "low", p.Low, p.Mean, 1e-13)
		testkit.Close(t, "high", p.High, p.Mean, 1e-13)
	}
	if d := dependence.Deviation(got[1]); d > 1e-14 {
		t.Errorf("a column without influence deviates by %v", d)
	}
}

// Means are those of the definition, and rows of other slopes lie apart: those of x₀·x₁ along x₀
// have the slope x₁.
func TestProduct(t *testing.T) {
	rows := rowsOf(t, 21, 2)
	f := function{func(x []float64) float64 { return 7 + x[0]*x[1] }}
	grid := [][]float64{{-1}, {0}, {1}}
	slopes, mean := make([]float64, 21), 0.0
	for i := range slopes {
		slopes[i] = rows.At(i)[1]
		mean += slopes[i] / 21
	}
	slices.Sort(slopes)
	for g, p := range along(t, f, rows, []int{0}, grid)[0] {
		v := grid[g][0]
		testkit.Close(t, "mean", p.Mean, 7+v*mean, 1e-14)
		// Of 21 numbers, the third and the nineteenth.
		testkit.Close(t, "low", p.Low, 7+min(v*slopes[2], v*slopes[18]), 1e-14)
		testkit.Close(t, "high", p.High, 7+max(v*slopes[2], v*slopes[18]), 1e-14)
	}
	for i, x := range rowsOf(t, 21, 2).Raw() {
		if rows.Raw()[i] != x {
			t.Fatal("the rows were changed")
		}
	}
}

// Few values and categories are listed, many numbers have an even grid; other features come from
// the nearest row.
func TestGrid(t *testing.T) {
	rows := data.MakeVectors(101, 3)
	for i := range 101 {
		copy(rows.At(i), []float64{float64(i % 3), float64(i), float64(i / 50)})
	}
	same := func(got, want [][]float64) {
		t.Helper()
		if !slices.EqualFunc(got, want, slices.Equal[[]float64]) {
			t.Errorf("grid %v, want %v", got, want)
		}
	}
	same(dependence.Grid(rows, []int{0}, true, 4), [][]float64{{0}, {1}, {2}})
	same(dependence.Grid(rows, []int{0}, false, 2), [][]float64{{2}, {1}, {0}})
	same(dependence.Grid(rows, []int{1, 2}, true, 4), [][]float64{{5, 0}, {35, 0}, {65, 1}, {95, 1}})
	rows.At(1)[0] = math.NaN()
	same(dependence.Grid(rows.Gather([]int{0, 1, 2}), []int{0}, true, 4), [][]float64{{0}, {2}})
	testkit.Close(t, "quantile", dependence.Quantile([]float64{1, 2, 4}, 0.75), 3, 0)
}

func TestErrors(t *testing.T) {
	f, rows := function{func(x []float64) float64 { return x[0] }}, rowsOf(t, 3, 2)
	for _, c := range []struct {
		rows     data.Vectors
		features []int
		grid     [][]float64
		want     string
	}{
		{data.MakeVectors(0, 2), []int{0}, [][]float64{{1}}, "0 rows"},
		{rows, []int{2}, [][]float64{{1}}, "features [2] of rows that have 2"},
		{rows, []int{0, 1}, [][]float64{{1}}, "1 values for 2 features"},
		{rows, []int{0}, nil, "0 points"},
	} {
		if _, err := dependence.Along(context.Background(), f, c.rows, c.features, c.grid, compute.Options{}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v; want %q", err, c.want)
		}
	}
	if _, err := dependence.Along(testkit.Countdown(context.Background(), 1), f, rows, []int{0}, [][]float64{{1}, {2}, {3}}, compute.Options{}); err == nil {
		t.Error("a context that ended was not heard")
	}
}
