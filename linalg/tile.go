package linalg

import (
	"sync"

	"gonum.org/v1/gonum/blas/blas64"

	"mercer/linalg/level3"
)

// serial computes products inside of tasks that are shared among goroutines already.
var serial = level3.Implementation{Workers: 1}

// tileSize is the order of a tile: a multiple of the 64 of gonum's product, 512 KiB.
const tileSize = 256

// tiles returns the number of tiles that n rows are cut in.
func tiles(n int) int { return (n + tileSize - 1) / tileSize }

// extent returns the number of rows of the i-th of the tiles that n rows are cut in.
func extent(n, i int) int { return min(tileSize, n-i*tileSize) }

// square returns the leading n×n block of buf.
func square(buf blas64.General, n int) blas64.General { return view(buf, 0, 0, n, n) }

// view returns the r×c block of g whose first element is (i, j).
func view(g blas64.General, i, j, r, c int) blas64.General {
	if r == 0 || c == 0 {
		return blas64.General{Rows: r, Cols: c, Stride: g.Stride}
	}
	start := i*g.Stride + j
	return blas64.General{Rows: r, Cols: c, Stride: g.Stride, Data: g.Data[start : start+(r-1)*g.Stride+c]}
}

// newGeneral returns an r×c matrix of zeros.
func newGeneral(r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: max(1, c), Data: make([]float64, r*c)}
}

// scratch is a pool of matrices of one shape and arbitrary elements. Loops over tiles
// take their workspace from one: fresh workspace per tile would be garbage of the size
// of the whole matrix, and the collector lets that pile up to the size of the live heap.
type scratch struct{ pool sync.Pool }

func newScratch(r, c int) *scratch {
	return &scratch{sync.Pool{New: func() any {
		g := newGeneral(r, c)
		return &g
	}}}
}

func (s *scratch) get() *blas64.General { return s.pool.Get().(*blas64.General) }

func (s *scratch) put(g *blas64.General) { s.pool.Put(g) }

// newTiles returns workspace for tiles of a matrix of order n.
func newTiles(n int) *scratch { return newScratch(min(n, tileSize), min(n, tileSize)) }

// row returns row i of g.
func row(g blas64.General, i int) []float64 {
	return g.Data[i*g.Stride : i*g.Stride+g.Cols]
}

// vector returns x as blas64 wants it.
func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// transposeTo stores srcᵀ in dst.
func transposeTo(dst, src blas64.General) {
	const edge = 16 // 16×16 numbers of both sides stay in the first level cache
	for i0 := 0; i0 < dst.Rows; i0 += edge {
		for j0 := 0; j0 < dst.Cols; j0 += edge {
			j1 := min(j0+edge, dst.Cols)
			for i := i0; i < min(i0+edge, dst.Rows); i++ {
				d := dst.Data[i*dst.Stride : i*dst.Stride+j1]
				for j := j0; j < j1; j++ {
					d[j] = src.Data[j*src.Stride+i]
				}
			}
		}
	}
}

// copyTo stores src in dst, which has the same shape.
func copyTo(dst, src blas64.General) {
	for i := range dst.Rows {
		copy(row(dst, i), row(src, i))
	}
}
