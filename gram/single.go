package gram

import (
	"context"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/parallel"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
)

// A product in single precision multiplies tiles of float32, while they are in the first
// level cache, by right-hand sides rounded to float32. It is summed in float32 over at
// most singleSide columns and singleGroup rows, and in float64 beyond. With u = 2⁻²⁴ an
// element of the result is right to
//
//	c·u·Σⱼ|kᵢⱼ||xⱼ| + Σⱼ|Δkᵢⱼ||xⱼ|,
//
// where Δk is the error of a tile (see [kernel.Single]) and c − 1, the length of the
// longest chain of additions, is at most 20 with AVX-512, 35 with AVX2 and 66 in Go.
const (
	// singleSide is the side of a tile, which is computed in groups of singleGroup rows:
	// 32 KiB.
	singleSide  = 2 * tileSide
	singleGroup = 32
)

// rightSides are right-hand sides at the width of a tile, one contiguous row each.
type rightSides[F float] struct {
	rows  [][]F
	scale []float64 // a power of two per row, which was taken out of it
}

// roundRightSides rounds the rows of xt, after a division by the power of two that leaves the
// largest element between 1 and 2: small right-hand sides keep their digits.
func roundRightSides(xt blas64.General) rightSides[float32] {
	s := rightSides[float32]{rows: make([][]float32, xt.Rows), scale: make([]float64, xt.Rows)}
	for j := range s.rows {
		x := xt.Data[j*xt.Stride : j*xt.Stride+xt.Cols]
		s.scale[j] = leading(x)
		s.rows[j] = make([]float32, len(x))
		for i, v := range x {
			s.rows[j][i] = float32(v / s.scale[j])
		}
	}
	return s
}

// leading returns the power of two not above the largest size of the numbers, 1 where that
// is none: all are 0, or one is NaN or infinite, which the result will be, too.
func leading(x []float64) float64 {
	largest := 0.0
	for _, v := range x {
		largest = max(largest, math.Abs(v))
	}
	if largest > 0 && !math.IsInf(largest, 1) {
		return math.Ldexp(1, max(math.Ilogb(largest), -1022))
	}
	return 1
}

// singleSpace is the working memory of a worker.
type singleSpace struct {
	tile [singleGroup * singleSide]float32
	dots [singleGroup]float32
	sums [singleSide]float32
}

// singleProduct is a symmetric product in progress.
type singleProduct struct {
	pairs kernel.Pairs
	x     rightSides[float32]
	out   blas64.General // rows of the result
}

// mulSymmetricSingle goes through the tiles of the upper triangle in rounds, as
// [Stream.mulSymmetric] does.
func (s *Stream) mulSymmetricSingle(ctx context.Context, dst *mat.Dense, xt blas64.General) error {
	n := xt.Cols
	p := singleProduct{pairs: s.pairs, x: roundRightSides(xt)}
	p.out = blas64.General{Rows: xt.Rows, Cols: n, Stride: n, Data: make([]float64, xt.Rows*n)}
	cut := blocks{n, singleSide}
	b := triangle(cut.count())
	spaces := make([]singleSpace, max(1, min(s.options.WorkerCount(), cut.count())))
	progress := s.options.Meter("product", int64(b.count()))
	for r := range int(b) {
		pairs := b.round(r)
		err := parallel.Each(ctx, len(spaces), len(pairs), func(worker, i int) {
			row, rows := cut.at(pairs[i][0])
			col, cols := cut.at(pairs[i][1])
			p.multiply(ctx, &spaces[worker], row, rows, col, cols)
			progress.Add(1)
		})
		if err != nil {
			return err
		}
	}
	for j, scale := range p.x.scale {
		row := p.out.Data[j*n : (j+1)*n]
		for i := range row {
			row[i] *= scale
		}
	}
	transposeInto(dst, p.out)
	return nil
}

// multiply adds the products of one tile, group by group. Of a tile on the diagonal it
// computes the blocks on the diagonal, which are mirrored, and what is right of them.
func (p *singleProduct) multiply(ctx context.Context, w *singleSpace, row, rows, col, cols int) {
	end := col + cols
	for i := row; i < row+rows && ctx.Err() == nil; i += singleGroup {
		height, from := min(singleGroup, row+rows-i), col
		if row == col {
			from = i + height
			p.corner(w, i, height)
		}
		if from < end {
			p.beside(w, i, height, from, end-from)
		}
	}
}

// corner multiplies the block of height rows on the diagonal.
func (p *singleProduct) corner(w *singleSpace, row, height int) {
	t := kernel.Tile32{Rows: height, Cols: height, Stride: height, Data: w.tile[:height*height]}
	kernel.Fill32(p.pairs, t, row, row)
	for i := range height {
		for j := range i {
			t.Data[i*height+j] = t.Data[j*height+i]
		}
	}
	for j, x := range p.x.rows {
		simd.DotRows32(w.dots[:height], t.Data, height, x[row:row+height])
		addTo(p.out.Data[j*p.out.Stride+row:], w.dots[:height])
	}
}

// beside multiplies a block right of the diagonal, and its transpose.
func (p *singleProduct) beside(w *singleSpace, row, height, col, cols int) {
	t := kernel.Tile32{Rows: height, Cols: cols, Stride: cols, Data: w.tile[:height*cols]}
	kernel.Fill32(p.pairs, t, row, col)
	for j, x := range p.x.rows {
		sums := w.sums[:cols]
		clear(sums)
		simd.DotAddRows32(w.dots[:height], sums, t.Data, cols, x[col:col+cols], x[row:row+height])
		addTo(p.out.Data[j*p.out.Stride+row:], w.dots[:height])
		addTo(p.out.Data[j*p.out.Stride+col:], sums)
	}
}

// addTo adds x to the beginning of dst.
func addTo(dst []float64, x []float32) {
	for i, v := range x {
		dst[i] += float64(v)
	}
}
