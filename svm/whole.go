package svm

import (
	"context"

	"mercer/internal/pages"
	"mercer/internal/parallel"
	"mercer/internal/simd"
	"mercer/kernel"
)

// tileSide is the side of the tiles in which a matrix is computed.
const tileSide = 128

// whole is a kernel matrix in memory, both triangles, row after row.
type whole[F float32 | float64] struct {
	n int
	k []F
}

// room is the storage of one matrix after the other: memory that was used before costs
// less than fresh memory, and the collector has nothing to do with it.
type room[F float32 | float64] struct {
	k        []F
	giveBack func()
}

// take returns n² arbitrary numbers, which are those of every later call.
func (r *room[F]) take(n int) []F {
	if cap(r.k) < n*n {
		r.leave() // before there is another
		r.k, r.giveBack = pages.Borrow[F](n * n)
	}
	return r.k[:n*n]
}

// leave gives the storage back: no matrix in the room may be used afterwards.
func (r *room[F]) leave() {
	if r.giveBack != nil {
		r.giveBack()
	}
	r.k, r.giveBack = nil, nil
}

// newWhole computes the tiles on and above the diagonal and mirrors them: n(n+1)/2
// kernel values, n² numbers, in the given room.
func newWhole[F float32 | float64](ctx context.Context, p kernel.Pairs, workers int, in *room[F]) (*whole[F], error) {
	n, _ := p.Dims()
	w := &whole[F]{n: n, k: in.take(n)}
	count := parts(n, tileSide)
	err := parallel.Each(ctx, workers, count*(count+1)/2, func(_, t int) {
		i := 0
		for ; t >= count-i; i++ {
			t -= count - i
		}
		w.tile(p, i, i+t)
	})
	return w, err
}

// row returns row i.
func (w *whole[F]) row(_ context.Context, i int) ([]F, error) { return w.k[i*w.n : (i+1)*w.n], nil }

// tile computes block (a, b) of the matrix and its mirror.
func (w *whole[F]) tile(p kernel.Pairs, a, b int) {
	row, rowEnd := cut(a, tileSide, w.n)
	col, colEnd := cut(b, tileSide, w.n)
	rows, cols := rowEnd-row, colEnd-col
	here := w.k[row*w.n+col:]
	compute(p, here, w.n, row, col, rows, cols)
	if a != b {
		simd.Transpose(w.k[col*w.n+row:], w.n, here, w.n, rows, cols, 1)
	}
}

// newScattered is newWhole for a matrix that is bound already: its rows are computed in
// their own order, whole tiles at a time, and put where the order wants them.
func newScattered[F float32 | float64](ctx context.Context, p kernel.Pairs, order []int, workers int, in *room[F]) (*whole[F], error) {
	n, _ := p.Dims()
	place := make([]int, n)
	for i := range place {
		place[i] = -1
	}
	for at, row := range order {
		place[row] = at
	}
	w := &whole[F]{n: len(order), k: in.take(len(order))}
	count := parts(n, tileSide)
	err := parallel.Each(ctx, workers, count*count, func(_, t int) {
		if a, b := t/count, t%count; a <= b {
			w.scatter(p, place, n, a, b)
		}
	})
	return w, err
}

// scatter computes block (a, b) of p and stores its elements and their mirrors.
func (w *whole[F]) scatter(p kernel.Pairs, place []int, n, a, b int) {
	row, rowEnd := cut(a, tileSide, n)
	col, colEnd := cut(b, tileSide, n)
	cols := colEnd - col
	tile := make([]F, (rowEnd-row)*cols)
	compute(p, tile, cols, row, col, rowEnd-row, cols)
	for i := row; i < rowEnd; i++ {
		for j := max(col, i); j < colEnd; j++ {
			if to, from := place[i], place[j]; to >= 0 && from >= 0 {
				v := tile[(i-row)*cols+j-col]
				w.k[to*w.n+from], w.k[from*w.n+to] = v, v
			}
		}
	}
}

// compute stores a tile of p in the precision of its destination.
func compute[F float32 | float64](p kernel.Pairs, dst []F, stride, row, col, rows, cols int) {
	switch dst := any(dst).(type) {
	case []float32:
		kernel.Fill32(p, kernel.Tile32{Rows: rows, Cols: cols, Stride: stride, Data: dst}, row, col)
	case []float64:
		p.Tile(kernel.Tile{Rows: rows, Cols: cols, Stride: stride, Data: dst}, row, col)
	}
}
