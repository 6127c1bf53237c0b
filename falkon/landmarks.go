package falkon

import (
	"context"
	"fmt"
	"math"
	"slices"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/linalg"
)

// Landmarks are the points whose kernel sections span the functions of a fit.
type Landmarks[T any] struct {
	Points data.Set[T]
	// Index has the numbers of the rows that they are; nil where they are none.
	Index []int
	// Scheme says how they were chosen, for the report.
	Scheme string
}

// Uniform returns m of the rows of a set, each with the same probability, in ascending
// order.
func Uniform[T any](xs data.Set[T], m int, seed uint64) (Landmarks[T], error) {
	n := xs.Len()
	if m < 1 || m > n {
		return Landmarks[T]{}, fmt.Errorf("falkon: %d landmarks of %d rows: give a number from 1 to %d", m, n, n)
	}
	return At(xs, choose(n, m, seed), "uniform"), nil
}

// At returns the rows with the given numbers as landmarks.
func At[T any](xs data.Set[T], index []int, scheme string) Landmarks[T] {
	return Landmarks[T]{Points: data.Subset(xs, index), Index: index, Scheme: scheme}
}

// check wants points, and numbers of rows that exist, each once.
func (l *Landmarks[T]) check(n int) error {
	if l.Points == nil {
		return fmt.Errorf("falkon: there are no landmarks")
	}
	if l.Index == nil {
		return nil
	}
	if len(l.Index) != l.Points.Len() {
		return fmt.Errorf("falkon: %d rows are named for %d landmarks", len(l.Index), l.Points.Len())
	}
	sorted := slices.Clone(l.Index)
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
// and two of them span no more than one.
func (l Landmarks[T]) distinct(ctx context.Context, k kernel.Kernel[T], o gram.Options) (Landmarks[T], int, error) {
	a, err := gram.PackedOf(ctx, kernel.Bind(k, l.Points, l.Points), gram.Options{Workers: o.Workers, Progress: o.Progress})
	if err != nil {
		return l, 0, err
	}
	keep := unrepeated(a)
	repeated := l.Points.Len() - len(keep)
	if repeated == 0 {
		return l, 0, nil
	}
	l.Points = data.Subset(l.Points, keep)
	if l.Index != nil {
		index := make([]int, len(keep))
		for to, from := range keep {
			index[to] = l.Index[from]
		}
		l.Index = index
	}
	return l, repeated, nil
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
