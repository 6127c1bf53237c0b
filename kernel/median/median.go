package median

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/kernel/tile"
)

// mostPoints is the number of points beyond which the median distance is that of a
// sample: half a million pairs determine it to about one part in a thousand.
const mostPoints = 1000

// Distance returns the median of the distances between distinct points: ‖x−y‖₂
// for SquaredDistance, ‖x−y‖₁ for Manhattan, ‖x−y‖_p for PowerDistance; the mean of the two
// middle ones where their number is even. Pairs that coincide are left out, so that repeated
// rows do not give a width of 0. It takes O(min(n, 1000)²·d) and depends on nothing but the
// points.
func Distance(ctx context.Context, s tile.Statistic, xs data.Set[[]float64]) (float64, error) {
	if n := xs.Len(); n > mostPoints {
		sample := rand.New(rand.NewPCG(1, uint64(n))).Perm(n)[:mostPoints]
		slices.Sort(sample)
		xs = data.Subset(xs, sample)
	}
	points := s.Points(xs)
	n := points.Len()
	distance := distanceOf(s)
	distances := make([]float64, 0, n*(n-1)/2)
	for i := range n {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		for j := range i {
			d := distance(s.Value(points.At(i), points.At(j)))
			if d > 0 && !math.IsInf(d, 1) {
				distances = append(distances, d)
			}
		}
	}
	m := len(distances)
	if m == 0 {
		return 0, &expr.PointsError{Err: fmt.Errorf("all of the %d points coincide in these columns, so they have no typical distance: choose a number", n)}
	}
	upper := smallest(distances, m/2)
	lower := upper
	if m%2 == 0 {
		lower = slices.Max(distances[:m/2]) // which are the smaller ones now
	}
	return (lower + upper) / 2, nil
}

// OfColumns returns the median of the median distances in each column alone, for a kernel
// that compares one column at a time. Columns without distinct numbers are left out.
func OfColumns(ctx context.Context, s tile.Statistic, xs data.Set[[]float64]) (float64, error) {
	if s.Columns == nil {
		for j := range columns(xs) {
			s.Columns = append(s.Columns, j)
		}
	}
	var medians []float64
	for _, j := range s.Columns {
		column := s
		column.Columns = []int{j}
		v, err := Distance(ctx, column, xs)
		if _, coincide := errors.AsType[*expr.PointsError](err); coincide {
			continue
		}
		if err != nil {
			return 0, err
		}
		medians = append(medians, v)
	}
	m := len(medians)
	if m == 0 {
		return 0, &expr.PointsError{Err: fmt.Errorf("each of these columns has one number for all of the %d points, so there is no typical distance: choose a number", xs.Len())}
	}
	slices.Sort(medians)
	return (medians[(m-1)/2] + medians[m/2]) / 2, nil
}

// distanceOf returns what makes a distance of a statistic.
func distanceOf(s tile.Statistic) func(v float64) float64 {
	switch s.Kind {
	case tile.SquaredDistance:
		return math.Sqrt
	case tile.PowerDistance:
		return func(v float64) float64 { return math.Pow(v, 1/s.Exponent) }
	}
	return func(v float64) float64 { return v }
}

// columns returns the number of coordinates.
func columns(xs data.Set[[]float64]) int {
	if xs.Len() == 0 {
		return 0
	}
	return len(xs.At(0))
}
