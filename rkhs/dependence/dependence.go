// Package dependence follows a function along one column of a table, on average over rows and with
// how much the rows differ.
//
// J. Friedman, Greedy function approximation: a gradient boosting machine (2001), for the mean;
// A. Goldstein, A. Kapelner, J. Bleich and E. Pitkin, Peeking inside the black box: visualizing
// statistical learning with plots of individual conditional expectation (2015), for the rows.
package dependence

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/model"
)

// The quantiles between which most rows are.
const (
	low  = 0.1
	high = 0.9
)

// Curve is one output along one column.
type Curve struct {
	Column   string `json:"column"`
	Output   string `json:"output"`
	Category bool   `json:"category"` // the points have no order
	Rows     int    `json:"rows"`     // over which there are means
	// Deviation is the standard deviation of the means, how much the column does by itself.
	Deviation float64 `json:"deviation"`
	Points    []Point `json:"points"`
	// Own are the numbers that the rows have in the column.
	Own []float64 `json:"-"`
}

// Point is what f is where all rows have the same in the column.
type Point struct {
	Cell   string   `json:"cell"`             // as a table has it; "" is missing
	Number *float64 `json:"number,omitempty"` // of the cell
	Mean   float64  `json:"mean"`
	// Low and High are the quantiles 10 % and 90 % over the rows, where the curve of each row is
	// moved up or down to the mean of all: they differ where the column does not do the same
	// everywhere.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Along returns for every output of f the points of its curve along some features, of which every
// row of the grid has a value for each:
//
//	mean(v) = (1/n) Σᵢ f(v, xᵢ elsewhere).
//
// The curve of row i is fᵢ(v) = f(v, xᵢ elsewhere). Quantiles are those of
//
//	fᵢ(v) − mean over the grid of fᵢ + mean over the grid of the mean,
//
// so that a row that is higher throughout does not count: where f is a sum of a function of these
// features and another one of the others, all rows have the same curve.
//
// n predictions for each point of the grid. Errors: none of a row, point or feature, sizes that do
// not fit, those of f and that of ctx.
func Along(ctx context.Context, f model.Predictor[[]float64], rows data.Set[[]float64], features []int, grid [][]float64, o compute.Options) ([][]Point, error) {
	n := rows.Len()
	if n == 0 || len(grid) == 0 || len(features) == 0 {
		return nil, fmt.Errorf("dependence: %d rows, %d points and %d features; there must be some of each", n, len(grid), len(features))
	}
	dim := len(rows.At(0))
	if err := fits(features, grid, dim); err != nil {
		return nil, err
	}
	curves := make([]*mat.Dense, f.Outputs()) // rows × points
	for at := range curves {
		curves[at] = mat.NewDense(n, len(grid), nil)
	}
	moved := data.MakeVectors(n, dim)
	for i := range n {
		copy(moved.At(i), rows.At(i))
	}
	for g, values := range grid {
		for i := range n {
			for k, j := range features {
				moved.At(i)[j] = values[k]
			}
		}
		found, err := f.Predict(ctx, moved, compute.Options{Workers: o.Workers})
		if err != nil {
			return nil, err
		}
		for at, c := range curves {
			c.SetCol(g, mat.Col(nil, at, found))
		}
	}
	out := make([][]Point, len(curves))
	for at, c := range curves {
		out[at] = summary(c)
	}
	return out, ctx.Err()
}

// fits refuses features that rows do not have, and points of other sizes.
func fits(features []int, grid [][]float64, dim int) error {
	if slices.Min(features) < 0 || slices.Max(features) >= dim {
		return fmt.Errorf("dependence: features %v of rows that have %d", features, dim)
	}
	for _, values := range grid {
		if len(values) != len(features) {
			return fmt.Errorf("dependence: a point of %d values for %d features", len(values), len(features))
		}
	}
	return nil
}

// summary returns the mean and the quantiles of curves, the rows of c.
func summary(c *mat.Dense) []Point {
	n, points := c.Dims()
	means := make([]float64, points)
	for g := range means {
		means[g] = mat.Sum(c.ColView(g)) / float64(n)
	}
	middle := stat.Mean(means, nil)
	for i := range n {
		row := c.RawRowView(i)
		floats.AddConst(middle-stat.Mean(row, nil), row)
	}
	out := make([]Point, points)
	for g := range out {
		sorted := mat.Col(nil, g, c)
		slices.Sort(sorted)
		out[g] = Point{Mean: means[g], Low: Quantile(sorted, low), High: Quantile(sorted, high)}
	}
	return out
}

// Quantile of sorted numbers, on the line between two of them.
func Quantile(sorted []float64, p float64) float64 {
	at := p * float64(len(sorted)-1)
	k := min(int(at), len(sorted)-1)
	next := min(k+1, len(sorted)-1)
	return sorted[k] + (at-float64(k))*(sorted[next]-sorted[k])
}

// Deviation is the standard deviation of the means of points.
func Deviation(points []Point) float64 {
	if len(points) == 0 {
		return 0
	}
	means := make([]float64, len(points))
	for i, p := range points {
		means[i] = p.Mean
	}
	return stat.PopStdDev(means, nil)
}

// Grid returns the values of some features along which rows are followed. These are what the rows
// have, each once and in their order, if there are few of them; else it is an even grid of the
// first feature between its quantiles 5 % and 95 %, beside which the other features, marks of
// missing cells among them, have what the nearest row has.
func Grid(rows data.Set[[]float64], features []int, number bool, most int) [][]float64 {
	var has [][]float64
	for i := range rows.Len() {
		x := make([]float64, len(features))
		for k, j := range features {
			x[k] = rows.At(i)[j]
		}
		if x[0] == x[0] {
			has = append(has, x)
		}
	}
	slices.SortFunc(has, slices.Compare[[]float64])
	distinct := slices.CompactFunc(slices.Clone(has), slices.Equal[[]float64])
	switch {
	case !number:
		slices.Reverse(distinct) // of 0/1 codes: the first level first
		return distinct
	case len(distinct) <= most:
		return distinct
	}
	first := make([]float64, len(has))
	for i, x := range has {
		first[i] = x[0]
	}
	from, to := Quantile(first, 0.05), Quantile(first, 0.95)
	grid := make([][]float64, most)
	for g := range grid {
		v := from + (to-from)*float64(g)/float64(most-1)
		at, _ := slices.BinarySearch(first, v)
		at = min(at, len(first)-1)
		if at > 0 && v-first[at-1] < first[at]-v {
			at--
		}
		grid[g] = append([]float64{v}, has[at][1:]...)
	}
	return grid
}
