package falkon

import (
	"context"
	"fmt"
	"math"
	"slices"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
)

// check wants landmarks and, where they are rows, numbers of rows that exist, each once.
func check[T any](l *nystrom.Selection[T], n int) error {
	if l == nil || l.Points == nil {
		return fmt.Errorf("falkon: there are no landmarks")
	}
	if l.Rows == nil {
		return nil
	}
	if len(l.Rows) != l.Points.Len() {
		return fmt.Errorf("falkon: %d rows are named for %d landmarks", len(l.Rows), l.Points.Len())
	}
	sorted := slices.Clone(l.Rows)
	slices.Sort(sorted)
	for i, row := range sorted {
		if row < 0 || row >= n {
			return fmt.Errorf("falkon: landmark row %d is not one of the %d rows, which are numbered from 0", row, n)
		}
		if i > 0 && row == sorted[i-1] {
			return fmt.Errorf("falkon: row %d is a landmark twice: name each row once", row)
		}
	}
	return nil
}

// distinct returns the landmarks that are not the same point as an earlier one in the space
// of the kernel, ‖k(·,c) − k(·,c′)‖² = 0 to rounding: rows that occur many times are usual,
// and two of them span no more than one. keep has their numbers; where that is all it is
// nil, and a is their Gram matrix.
func distinct[T any](ctx context.Context, k kernel.Kernel[T], l *nystrom.Selection[T], o compute.Options) (fewer *nystrom.Selection[T], keep []int, a *linalg.Packed, err error) {
	a, err = gram.PackedOf(ctx, kernel.Bind(k, l.Points, l.Points), compute.Options{Workers: o.Workers, Progress: o.Progress})
	if err != nil {
		return nil, nil, nil, err
	}
	if keep = unrepeated(a); len(keep) == l.Points.Len() {
		return l, nil, a, nil
	}
	fewer = &nystrom.Selection[T]{Points: data.Subset(l.Points, keep)}
	if l.Rows != nil {
		fewer.Rows = make([]int, len(keep))
		for to, from := range keep {
			fewer.Rows[to] = l.Rows[from]
		}
	}
	return fewer, keep, nil, nil
}

// unrepeated returns the rows of a Gram matrix that are no copies of earlier ones.
func unrepeated(a *linalg.Packed) []int {
	m := a.SymmetricDim()
	diagonal, copied := make([]float64, m), make([]bool, m)
	for i := range diagonal {
		diagonal[i] = a.At(i, i)
	}
	for i := range a.TileCount() {
		for j := range i + 1 {
			rows, cols, stride, data := a.Tile(i, j)
			for r := range rows {
				row := i*a.TileSize() + r
				for c, v := range data[r*stride : r*stride+cols] {
					col := j*a.TileSize() + c
					if col < row && diagonal[row]+diagonal[col]-2*v <= 0x1p-52*math.Abs(v) {
						copied[row] = true
					}
				}
			}
		}
	}
	keep := make([]int, 0, m)
	for i, c := range copied {
		if !c {
			keep = append(keep, i)
		}
	}
	return keep
}
