package lab

import (
	"context"
	"math"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/kernel/width"
)

// kernelOn returns the kernel of an expression for points; words such as median are computed from
// them. Only kernels on vectors are taken: others may name files.
func kernelOn(ctx context.Context, text string, xs data.Vectors) (vec.Kernel, error) {
	if len(text) > mostText {
		return nil, invalid("the kernel has %d letters; at most %d are read", len(text), mostText)
	}
	k, err := width.ParseOn(ctx, text, xs, vec.Schema{})
	if err != nil {
		return nil, invalid("%v", err)
	}
	if i, err := kernel.Outside(k, xs); err != nil {
		return nil, invalid("point %d: %v", i+1, err)
	}
	return k, nil
}

// line makes points of one coordinate.
func line(x []float64) (data.Vectors, error) {
	rows := make([][]float64, len(x))
	for i := range x {
		rows[i] = x[i : i+1]
	}
	return points(rows, 1)
}

// points makes vectors of rows that were sent.
func points(rows [][]float64, dim int) (data.Vectors, error) {
	if len(rows) < 2 || len(rows) > mostPoints {
		return data.Vectors{}, invalid("there are %d points; a screen takes from 2 to %d", len(rows), mostPoints)
	}
	out := data.MakeVectors(len(rows), dim)
	for i, row := range rows {
		if len(row) != dim {
			return out, invalid("point %d has %d coordinates, not %d", i+1, len(row), dim)
		}
		for j, v := range row {
			if math.IsNaN(v) || math.Abs(v) > 1e12 {
				return out, invalid("point %d has the coordinate %v", i+1, v)
			}
			out.At(i)[j] = v
		}
	}
	return out, nil
}

// box is a rectangle with a grid of side × side points.
type box struct {
	X0   float64 `json:"x0"`
	X1   float64 `json:"x1"`
	Y0   float64 `json:"y0"`
	Y1   float64 `json:"y1"`
	Side int     `json:"side"`
}

// points returns the grid, row by row from below.
func (b box) points() (data.Vectors, error) {
	if b.Side < 2 || b.Side > mostSide || !(b.X1 > b.X0) || !(b.Y1 > b.Y0) || math.IsInf(b.X1-b.X0, 0) || math.IsInf(b.Y1-b.Y0, 0) {
		return data.Vectors{}, invalid("a grid of side %d on [%g, %g] × [%g, %g] cannot be drawn; sides are 2 to %d", b.Side, b.X0, b.X1, b.Y0, b.Y1, mostSide)
	}
	out := data.MakeVectors(b.Side*b.Side, 2)
	for i := range b.Side {
		for j := range b.Side {
			p := out.At(i*b.Side + j)
			p[0] = b.X0 + (b.X1-b.X0)*float64(j)/float64(b.Side-1)
			p[1] = b.Y0 + (b.Y1-b.Y0)*float64(i)/float64(b.Side-1)
		}
	}
	return out, nil
}

// twoClasses reads points of the plane with labels 0 and 1, and a grid around them.
func twoClasses(rows [][]float64, labels []int, b box) (xs, grid data.Vectors, err error) {
	if xs, err = points(rows, 2); err != nil {
		return xs, grid, err
	}
	if grid, err = b.points(); err != nil {
		return xs, grid, err
	}
	return xs, grid, labelled(labels, len(rows))
}

// labelled refuses labels other than 0 and 1, and a label without a point.
func labelled(labels []int, count int) error {
	seen := [2]int{}
	for i, label := range labels {
		if label != 0 && label != 1 {
			return invalid("point %d has the label %d; labels are 0 and 1", i+1, label)
		}
		seen[label]++
	}
	if len(labels) != count || seen[0] == 0 || seen[1] == 0 {
		return invalid("%d points have %d labels 0 and %d labels 1: a boundary needs points of both", count, seen[0], seen[1])
	}
	return nil
}

// positive refuses a parameter that is no number above 0.
func positive(name string, v float64) error {
	if !(v > 0) || math.IsInf(v, 1) {
		return invalid("%s = %v must be a number above 0", name, v)
	}
	return nil
}
