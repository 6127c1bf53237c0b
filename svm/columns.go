package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/data"
	"mercer/internal/parallel"
	"mercer/internal/simd"
	"mercer/kernel"
)

// columnsShare is the share of the memory of a job that all rows may take as columns.
const columnsShare = 8

// columns is a kernel bound to all rows as columns, once for all times that coefficients have
// changed: only the rows that moved are packed then. bind is nil where the columns would take too
// much memory.
type columns struct {
	bind  func(rows []int, reuse kernel.Pairs) kernel.Pairs
	place func(row int) int // the column of a row of the order
	bound kernel.Pairs      // the last that was bound
}

// columns binds the whole set as it stands where the order has all of it, so that nothing is copied.
func (p points[T]) columns(order []int, most int64) *columns {
	if v, ok := any(p.xs).(data.Vectors); ok && int64(v.Len())*int64(v.Dim())*bytesPacked > most {
		return &columns{}
	}
	c, of := &columns{place: func(row int) int { return row }}, p.xs
	if len(order) == p.xs.Len() {
		c.place = func(row int) int { return order[row] }
	} else {
		of = p.choose(order)
	}
	anchored := kernel.Anchor(p.k, of)
	c.bind = func(rows []int, reuse kernel.Pairs) kernel.Pairs { return anchored.Bind(p.choose(rows), reuse) }
	return c
}

// bytesPacked is what packed columns take for a number: once in each precision.
const bytesPacked = 12

// columns are those of the matrix.
func (m matrix) columns(order []int, _ int64) *columns {
	return &columns{
		bind:  func(rows []int, _ kernel.Pairs) kernel.Pairs { return m.bind(rows, order) },
		place: func(row int) int { return row },
	}
}

const (
	// stripRows × stripColumns is a tile of [influence], which stays in the first level cache until
	// it is multiplied. Its rows are summed in single precision, all others in double.
	stripRows    = 16
	stripColumns = 512
)

// influence returns Kᵀx in single precision, for each column of x the sums at all columns of K. The bits
// depend on K and x alone.
func influence(ctx context.Context, k kernel.Pairs, x *mat.Dense, workers int) ([][]float64, error) {
	height, width := k.Dims()
	_, machines := x.Dims()
	weights, scale, out := make([][]float32, machines), make([]float64, machines), make([][]float64, machines)
	for c := range machines {
		out[c], weights[c] = make([]float64, width), make([]float32, height)
		for i := range height {
			scale[c] = max(scale[c], math.Abs(x.At(i, c)))
		}
		for i := range height {
			if scale[c] > 0 {
				weights[c][i] = float32(x.At(i, c) / scale[c])
			}
		}
	}
	type scratch struct{ tile, sums []float32 }
	buffers := make([]scratch, workers)
	err := parallel.Each(ctx, workers, parts(width, stripColumns), func(worker, at int) {
		w := &buffers[worker]
		if w.tile == nil {
			w.tile, w.sums = make([]float32, stripRows*stripColumns), make([]float32, stripColumns)
		}
		col, end := cut(at, stripColumns, width)
		for i := range parts(height, stripRows) {
			row, last := cut(i, stripRows, height)
			kernel.Fill32(k, kernel.Tile32{Rows: last - row, Cols: end - col, Stride: end - col, Data: w.tile[:(last-row)*(end-col)]}, row, col)
			for c := range out {
				sums := w.sums[:end-col]
				clear(sums)
				simd.AddRows32(sums, w.tile, end-col, weights[c][row:last])
				for j, v := range sums {
					out[c][col+j] += scale[c] * float64(v)
				}
			}
		}
	})
	return out, err
}
