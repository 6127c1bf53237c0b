package svm

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
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

// columnsOf binds all rows of the order as columns, which take at most so many bytes. Where the
// order has all rows of the source they stay as they stand there, so that nothing is copied.
func columnsOf(src gram.Source, order []int, most int64) *columns {
	able, ok := src.(anchored)
	if !ok {
		return &columns{
			bind:  func(rows []int, _ kernel.Pairs) kernel.Pairs { return src.Bind(rows, order) },
			place: func(row int) int { return row },
		}
	}
	c, of := &columns{place: func(row int) int { return row }}, order
	if len(order) == src.Len() {
		c.place, of = func(row int) int { return order[row] }, nil
	}
	if bind, ok := able.Columns(of, most); ok {
		c.bind = bind
	}
	return c
}

const (
	// stripRows × stripColumns is a tile of [transposedProduct], which stays in the first level
	// cache until it is multiplied. Its rows are summed in single precision, all others in double.
	stripRows    = 16
	stripColumns = 512
)

// transposedProduct returns Kᵀx in single precision, for each column of x the sums at all columns
// of K. The bits depend on K and x alone.
func transposedProduct(ctx context.Context, k kernel.Pairs, x *mat.Dense, workers int) ([][]float64, error) {
	height, width := k.Dims()
	_, problems := x.Dims()
	weights, scale, out := make([][]float32, problems), make([]float64, problems), make([][]float64, problems)
	for c := range problems {
		out[c] = make([]float64, width)
		weights[c], scale[c] = scaled(mat.Col(nil, c, x))
	}
	tiles := make([][]float32, workers)
	err := parallel.Each(ctx, workers, blockCount(width, stripColumns), func(worker, at int) {
		if tiles[worker] == nil {
			tiles[worker] = make([]float32, stripRows*stripColumns)
		}
		col, end := blockBounds(at, stripColumns, width)
		for i := range blockCount(height, stripRows) {
			row, last := blockBounds(i, stripRows, height)
			tile := kernel.Tile32{Rows: last - row, Cols: end - col, Stride: end - col, Data: tiles[worker][:(last-row)*(end-col)]}
			kernel.Fill32(k, tile, row, col)
			for c := range out {
				simd.AddRowsWide(out[c][col:end], tile.Data, tile.Stride, weights[c][row:last], scale[c])
			}
		}
	})
	return out, err
}

// scaled returns x divided by a power of 2 that is not below the largest of its numbers, in single
// precision.
func scaled(x []float64) (by []float32, scale float64) {
	most := 0.0
	for _, v := range x {
		most = max(most, math.Abs(v))
	}
	_, exponent := math.Frexp(most)
	scale, by = math.Ldexp(1, exponent), make([]float32, len(x))
	for i, v := range x {
		by[i] = float32(v / scale)
	}
	return by, scale
}
