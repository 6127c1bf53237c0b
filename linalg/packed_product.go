package linalg

import (
	"context"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/simd"
)

// multiply stores A·X in dst, which has the shape of x. Within a tile sums are of width F,
// across tiles of float64.
func (p *packed[F]) multiply(ctx context.Context, dst, x *mat.Dense, o Options) error {
	n, m := x.Dims()
	if of, ok := any(p).(*packed[float64]); ok && m > fewRows {
		return multiplyWide(ctx, of, dst.RawMatrix(), x.RawMatrix(), o)
	}
	in, out := newMatrix[F](m, n), newMatrix[float64](m, n)
	transpose(in, general[float64](x.RawMatrix()))
	work := scratchOf(func() tileProduct[F] { return newTileProduct[F](m, min(n, tileSize)) })
	err := p.rounds(ctx, o, func(i, j int) {
		w := work.get()
		defer work.put(w)
		w.add(p.tile(i, j), i == j, slab(in, i), slab(in, j), slab(out, i), slab(out, j))
	})
	if err != nil {
		return err
	}
	transpose(general[float64](dst.RawMatrix()), out)
	return nil
}

// rounds calls visit for every tile (i, j), in rounds: round r holds the tiles with
// i + j ≡ r modulo the number of block rows, so that every block of a product takes one
// contribution per round and workers never meet.
func (p *packed[F]) rounds(ctx context.Context, o Options, visit func(i, j int)) error {
	count := tiles(p.n)
	for r := range count {
		// Block i meets block r − i; of the pair the larger is the row.
		var pairs [][2]int
		for i := range count {
			if j := (r - i + count) % count; j <= i {
				pairs = append(pairs, [2]int{i, j})
			}
		}
		if err := each(ctx, o.workers(), len(pairs), func(task int) { visit(pairs[task][0], pairs[task][1]) }); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// multiplyWide is multiply for more columns than a few. Of a thin product only the right
// factor is packed (see package level3): a tile T is read where it lies, once from memory
// for y_i += T·x_j and once from the cache for y_j += Tᵀ·x_i.
func multiplyWide(ctx context.Context, p *packed[float64], y, x blas64.General, o Options) error {
	squares := newTiles[float64](p.n)
	for i := range y.Rows {
		clear(row(y, i))
	}
	block := func(of blas64.General, i int) blas64.General {
		return view(of, i*tileSize, 0, extent(p.n, i), of.Cols)
	}
	return p.rounds(ctx, o, func(i, j int) {
		t := p.tile(i, j)
		if i == j {
			buffer := squares.get()
			defer squares.put(buffer)
			t = mirror(t, *buffer)
		}
		serial.Gemm(blas.NoTrans, blas.NoTrans, 1, blas64.General(t), block(x, j), 1, block(y, i))
		if i != j {
			serial.Gemm(blas.Trans, blas.NoTrans, 1, blas64.General(t), block(x, i), 1, block(y, j))
		}
	})
}

// slab returns the columns of x that belong to block i.
func slab[F float](x general[F], i int) general[F] {
	return x.view(0, i*tileSize, x.Rows, extent(x.Cols, i))
}

// tileProduct is the workspace of the product of a tile with m right-hand sides.
type tileProduct[F float] struct {
	square   general[F] // a diagonal tile, or a part of it, with both triangles
	row, col general[F] // contributions to the block row and the block column
}

func newTileProduct[F float](m, side int) tileProduct[F] {
	return tileProduct[F]{square: newMatrix[F](side, side), row: newMatrix[F](m, side), col: newMatrix[F](m, side)}
}

// add adds T·xj to the block row and Tᵀ·xi to the block column of the result; of a
// diagonal tile, which is symmetric, T·xi to the block row. Right-hand sides are rows.
func (w *tileProduct[F]) add(t general[F], diagonal bool, xi, xj general[F], row, col general[float64]) {
	m := xi.Rows
	down, across := w.row.view(0, 0, m, t.Rows), w.col.view(0, 0, m, t.Cols)
	switch {
	case diagonal && m > fewRows:
		gemm(blas.Trans, 1, xi, mirror(t, w.square), 0, down)
	case diagonal:
		for c := range m {
			w.addDiagonal(down.row(c), across.row(c), t, xi.row(c))
		}
		addTo(row, across)
	case m > fewRows:
		gemm(blas.Trans, 1, xj, t, 0, down)
		gemm(blas.NoTrans, 1, xi, t, 0, across)
	default:
		for c := range m {
			clear(across.row(c))
			multiplyBoth(down.row(c), across.row(c), t, xj.row(c), xi.row(c))
		}
	}
	addTo(row, down)
	if !diagonal {
		addTo(col, across)
	}
}

// mirror returns the symmetric tile whose lower triangle is that of t, in a buffer.
func mirror[F float](t, buffer general[F]) general[F] {
	full := buffer.square(t.Rows)
	for r := range t.Rows {
		for c, v := range t.row(r)[:r+1] {
			full.Data[r*full.Stride+c], full.Data[c*full.Stride+r] = v, v
		}
	}
	return full
}

// addDiagonal makes s + y the product of the symmetric tile t with x, strip by strip: the
// part of a strip left of the diagonal serves its rows and its columns, and a small
// square on the diagonal is mirrored.
func (w *tileProduct[F]) addDiagonal(s, y []F, t general[F], x []F) {
	const strip = 32
	clear(y)
	for at := 0; at < t.Rows; at += strip {
		rows := min(strip, t.Rows-at)
		down, own := s[at:at+rows], x[at:at+rows]
		clear(down)
		if at > 0 {
			multiplyBoth(down, y[:at], t.view(at, 0, rows, at), x[:at], own)
		}
		addRows(y[at:at+rows], mirror(t.view(at, at, rows, rows), w.square), own)
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

// multiplyBoth stores T·x in s and adds Tᵀ·w to y.
func multiplyBoth[F float](s, y []F, t general[F], x, w []F) {
	if s, ok := any(s).([]float64); ok {
		simd.DotAddRows(s, any(y).([]float64), double(t).Data, t.Stride, any(x).([]float64), any(w).([]float64))
		return
	}
	simd.DotAddRows32(any(s).([]float32), any(y).([]float32), single(t).Data, t.Stride, any(x).([]float32), any(w).([]float32))
}
