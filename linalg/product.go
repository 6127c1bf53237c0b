package linalg

import (
	"context"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"mercer/internal/simd"
)

// multiply stores A·X in dst, which has the shape of x. Each tile is read once, for its
// rows and for its columns, in rounds: round r holds the tiles (i, j) with i + j ≡ r
// modulo the number of block rows, so that every block of the result takes one
// contribution per round and workers never meet. Within a tile sums are of width F,
// across tiles of float64.
func (p *packed[F]) multiply(ctx context.Context, dst, x *mat.Dense, o Options) error {
	n, m := x.Dims()
	in, out := newMatrix[F](m, n), newMatrix[float64](m, n)
	transpose(in, general[float64](x.RawMatrix()))
	count := tiles(n)
	work := scratchOf(func() tileProduct[F] { return newTileProduct[F](m, min(n, tileSize)) })
	for r := range count {
		// Block i meets block r − i; of the pair the larger is the row.
		var pairs [][2]int
		for i := range count {
			if j := (r - i + count) % count; j <= i {
				pairs = append(pairs, [2]int{i, j})
			}
		}
		err := each(ctx, o.workers(), len(pairs), func(task int) {
			w := work.get()
			defer work.put(w)
			i, j := pairs[task][0], pairs[task][1]
			w.add(p.tile(i, j), i == j, slab(in, i), slab(in, j), slab(out, i), slab(out, j))
		})
		if err != nil {
			return err
		}
	}
	transpose(general[float64](dst.RawMatrix()), out)
	return nil
}

// slab returns the columns of x that belong to block i.
func slab[F float](x general[F], i int) general[F] {
	return x.view(0, i*tileSize, x.Rows, extent(x.Cols, i))
}

// tileProduct is the workspace of the product of a tile with m right-hand sides.
type tileProduct[F float] struct {
	square   general[F] // a diagonal tile with both triangles
	row, col general[F] // contributions to the block row and the block column
}

func newTileProduct[F float](m, side int) tileProduct[F] {
	return tileProduct[F]{square: newMatrix[F](side, side), row: newMatrix[F](m, side), col: newMatrix[F](m, side)}
}

// add adds T·xj to the block row and Tᵀ·xi to the block column of the result.
// Right-hand sides are rows.
func (w *tileProduct[F]) add(t general[F], diagonal bool, xi, xj general[F], row, col general[float64]) {
	m := xi.Rows
	down, across := w.row.view(0, 0, m, t.Rows), w.col.view(0, 0, m, t.Cols)
	if diagonal {
		full := w.square.square(t.Rows)
		for r := range t.Rows {
			for c, v := range t.row(r)[:r+1] {
				full.Data[r*full.Stride+c], full.Data[c*full.Stride+r] = v, v
			}
		}
		t = full
	}
	switch {
	case m > fewRows:
		gemm(blas.Trans, 1, xj, t, 0, down)
		if !diagonal {
			gemm(blas.NoTrans, 1, xi, t, 0, across)
		}
	default:
		for c := range m {
			multiplyBoth(down.row(c), across.row(c), t, xj.row(c), xi.row(c))
		}
	}
	addTo(row, down)
	if !diagonal {
		addTo(col, across)
	}
}

// addTo adds the narrow numbers of src to dst.
func addTo[F float](dst general[float64], src general[F]) {
	for i := range dst.Rows {
		to := dst.row(i)
		for j, v := range src.row(i) {
			to[j] += float64(v)
		}
	}
}

// multiplyBoth stores T·x in s and Tᵀ·w in y.
func multiplyBoth[F float](s, y []F, t general[F], x, w []F) {
	clear(y)
	if s, ok := any(s).([]float64); ok {
		simd.DotAddRows(s, any(y).([]float64), double(t).Data, t.Stride, any(x).([]float64), any(w).([]float64))
		return
	}
	simd.DotAddRows32(any(s).([]float32), any(y).([]float32), single(t).Data, t.Stride, any(x).([]float32), any(w).([]float32))
}
