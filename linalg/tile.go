package linalg

import (
	"sync"

	"gonum.org/v1/gonum/blas/blas64"

	"example.org/mercer/linalg/level3"
)

// serial computes products inside of tasks that are shared among goroutines already.
var serial = level3.Implementation{Workers: 1}

// level3Of returns products that the workers of o share.
func level3Of(o Options) level3.Implementation { return level3.Implementation{Workers: o.workers()} }

// tileSize is the order of a tile: a multiple of the 64 of gonum's product, 512 KiB.
const tileSize = 256

// tiles returns the number of tiles that n rows are cut in.
func tiles(n int) int { return (n + tileSize - 1) / tileSize }

// extent returns the number of rows of the i-th of the tiles that n rows are cut in.
func extent(n, i int) int { return min(tileSize, n-i*tileSize) }

// view returns the r×c block of g whose first element is (i, j).
func view(g blas64.General, i, j, r, c int) blas64.General {
	return blas64.General(general[float64](g).view(i, j, r, c))
}

// newGeneral returns an r×c matrix of zeros.
func newGeneral(r, c int) blas64.General { return blas64.General(newMatrix[float64](r, c)) }

// scratch is a pool of matrices of one shape and arbitrary elements. Loops over tiles
// take their workspace from one: fresh workspace per tile would be garbage of the size
// of the whole matrix, and the collector lets that pile up to the size of the live heap.
type scratch[M any] struct{ pool sync.Pool }

// newScratch returns workspace of r×c matrices.
func newScratch(r, c int) *scratch[blas64.General] {
	return scratchOf(func() blas64.General { return newGeneral(r, c) })
}

func scratchOf[M any](fresh func() M) *scratch[M] {
	return &scratch[M]{sync.Pool{New: func() any {
		m := fresh()
		return &m
	}}}
}

func (s *scratch[M]) get() *M { return s.pool.Get().(*M) }

func (s *scratch[M]) put(m *M) { s.pool.Put(m) }

// newTiles returns workspace for tiles of a matrix of order n.
func newTiles[F float](n int) *scratch[general[F]] {
	return scratchOf(func() general[F] { return newMatrix[F](min(n, tileSize), min(n, tileSize)) })
}

// row returns row i of g.
func row(g blas64.General, i int) []float64 { return general[float64](g).row(i) }

// vector returns x as blas64 wants it.
func vector(x []float64) blas64.Vector { return blas64.Vector{N: len(x), Inc: 1, Data: x} }

// transposeTo stores srcᵀ in dst.
func transposeTo(dst, src blas64.General) { transpose(general[float64](dst), general[float64](src)) }

// copyTo stores src in dst, which has the same shape.
func copyTo(dst, src blas64.General) { general[float64](dst).copyFrom(general[float64](src)) }
