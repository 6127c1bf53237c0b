package gram

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
)

// RowSums stores Σⱼ k(xᵢ, yⱼ) in dst, one number per row: the product with a vector of
// ones, which never stores K. Divided by the number of columns it is the mean embedding
// of the columns at every row.
func (s *Stream) RowSums(ctx context.Context, dst []float64) error {
	rows, cols := s.Dims()
	if len(dst) != rows {
		return fmt.Errorf("gram: %d sums of the rows of a %d×%d matrix", len(dst), rows, cols)
	}
	if rows == 0 || cols == 0 {
		clear(dst)
		return ctx.Err()
	}
	ones := mat.NewDense(cols, 1, nil)
	for j := range cols {
		ones.Set(j, 0, 1)
	}
	return s.Mul(ctx, mat.NewDense(rows, 1, dst), ones)
}

// ArgMax stores in best[i] the column j with the largest k(xᵢ, yⱼ) + offset[j], the first
// of several, and in value[i] that number; K is never stored. A nil offset is 0. Where
// offset[j] = −k(yⱼ, yⱼ)/2 it is the column nearest to xᵢ in the feature space, at the
// squared distance k(xᵢ, xᵢ) − 2·value[i]. A row of NaN, and any row where there are no
// columns, has best −1 and value NaN.
//
// Tiles are computed in double precision whatever the options say: single precision
// would decide ties. The cost is one evaluation of the kernel per element.
func (s *Stream) ArgMax(ctx context.Context, best []int, value, offset []float64) error {
	rows, cols := s.Dims()
	if len(best) != rows || len(value) != rows {
		return fmt.Errorf("gram: the columns of the largest elements of a %d×%d matrix need %d places and values, there are %d and %d", rows, cols, rows, len(best), len(value))
	}
	if offset != nil && len(offset) != cols {
		return fmt.Errorf("gram: %d offsets for the columns of a %d×%d matrix", len(offset), rows, cols)
	}
	high, wide := blocks{rows, crossHeight}, blocks{cols, tileSide}
	workers := max(1, min(s.options.WorkerCount(), high.count()))
	buffers := make([][]float64, workers)
	progress := s.options.Meter("search", int64(high.count()))
	return parallel.Each(ctx, workers, high.count(), func(worker, b int) {
		if buffers[worker] == nil {
			buffers[worker] = make([]float64, crossHeight*tileSide)
		}
		row, height := high.at(b)
		for i := row; i < row+height; i++ {
			best[i], value[i] = -1, math.NaN()
		}
		for c := 0; c < wide.count() && ctx.Err() == nil; c++ {
			col, width := wide.at(c)
			t := kernel.Tile{Rows: height, Cols: width, Stride: width, Data: buffers[worker][:height*width]}
			s.pairs.Tile(t, row, col)
			for i := range height {
				improve(&best[row+i], &value[row+i], t.Row(i), offset, col)
			}
		}
		progress.Add(1)
	})
}

// improve replaces the largest element so far, if one of a row from column col on is
// larger.
func improve(best *int, value *float64, row, offset []float64, col int) {
	at, largest := *best, *value
	for j, v := range row {
		if offset != nil {
			v += offset[col+j]
		}
		if v > largest || at < 0 && !math.IsNaN(v) {
			at, largest = col+j, v
		}
	}
	*best, *value = at, largest
}
