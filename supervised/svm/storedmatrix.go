package svm

import (
	"context"
	"encoding/binary"

	"example.org/mercer/gram"
	"example.org/mercer/internal/pages"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
)

// tileSide is the side of the tiles in which a matrix is computed.
const tileSide = 128

// blockBounds returns the bounds of part i of n things cut into runs of side.
func blockBounds(i, side, n int) (from, to int) { return i * side, min(n, (i+1)*side) }

// blockCount returns the number of runs of side that n things make.
func blockCount(n, side int) int { return (n + side - 1) / side }

// storedMatrix is a symmetric kernel matrix in memory, both triangles. It grows by blocks of
// rows and columns, and nothing that is there moves: a row of block b is contiguous up
// to the end of its own block, and has a piece of its own in each later one.
type storedMatrix[F float32 | float64] struct {
	blocks []block[F]
}

// block is what the matrix grew by: columns from … to.
type block[F float32 | float64] struct {
	from, to int
	rows     []F // rows from … to, of the length to
	above    []F // rows 0 … from, of the length to − from
}

// size returns the number of rows.
func (w *storedMatrix[F]) size() int {
	if len(w.blocks) == 0 {
		return 0
	}
	return w.blocks[len(w.blocks)-1].to
}

// reader returns the matrix itself.
func (w *storedMatrix[F]) reader([]span) rows[F] { return w }

// blockOf returns the block that row or column i came with, and the first of it.
func (w *storedMatrix[F]) blockOf(i int) (at, first int) {
	for i >= w.blocks[at].to {
		at++
	}
	return at, w.blocks[at].from
}

// row returns the columns of a block in row i.
func (w *storedMatrix[F]) row(_ context.Context, i, at int) ([]F, error) {
	cols := w.blocks[at]
	if i < cols.from {
		width := cols.to - cols.from
		return cols.above[i*width : (i+1)*width], nil
	}
	own, first := w.blockOf(i)
	line := w.blocks[own].rows[(i-first)*w.blocks[own].to:]
	return line[cols.from:cols.to], nil
}

// arena is the storage of one matrix after the other: memory that was used before costs
// less than fresh memory, and the collector has nothing to do with it. What is not taken
// is not touched, and costs nothing.
type arena[F float32 | float64] struct {
	most     int // numbers
	k        []F
	used     int
	touched  int // the most that was used
	giveBack func()
}

// newArena returns storage for what the memory of a job allows.
func newArena[F float32 | float64](j *job) *arena[F] {
	var one F
	n := int64(len(j.order))
	return &arena[F]{most: int(min(j.memory()/int64(binary.Size(one)), n*n))}
}

// take returns the next n numbers, which are arbitrary.
func (r *arena[F]) take(n int) []F {
	if r.giveBack == nil {
		r.k, r.giveBack = pages.MakeOffHeap[F](r.most)
	}
	r.used += n
	r.touched = max(r.touched, r.used)
	return r.k[r.used-n : r.used : r.used]
}

// clear makes room for another matrix instead of those that are here.
func (r *arena[F]) clear() { r.used = 0 }

// holds reports whether there is room for the matrix of n rows.
func (r *arena[F]) holds(n int) bool { return n*n <= r.most }

// prepare makes room for the matrix of n rows instead of those that are here, or gives the storage
// back where they will be in a cache, which has storage of its own. What is touched is noted here,
// and not when the matrix is computed: what later working sets cost, and with it the bits, must be
// the same where a checkpoint knows what came of the matrix.
func (r *arena[F]) prepare(n int) {
	if r.clear(); r.holds(n) {
		r.touched = max(r.touched, n*n)
	} else {
		r.leave()
	}
}

// bytes returns the most that was used.
func (r *arena[F]) bytes() int64 {
	var one F
	return int64(r.touched) * int64(binary.Size(one))
}

// leave gives the storage back: no matrix in the arena may be used afterwards.
func (r *arena[F]) leave() {
	if r.giveBack != nil {
		r.giveBack()
	}
	r.k, r.giveBack, r.used, r.touched = nil, nil, 0, 0
}

// extendBy extends the matrix, whose rows are the known first ones of the given rows of
// a source, by the others.
func (w *storedMatrix[F]) extendBy(ctx context.Context, src gram.Source, rows []int, known, workers int, in *arena[F]) error {
	if m, is := src.(bound); is {
		return w.scatter(ctx, m.Pairs(), rows, workers, in)
	}
	if known == 0 {
		return w.extend(ctx, src.Bind(rows, rows), workers, in)
	}
	return w.extend(ctx, src.Bind(rows[known:], rows), workers, in)
}

// extend adds a block to the matrix, in the given arena: p is its rows against all that
// were there and themselves. New tiles on and above the diagonal are computed and
// mirrored.
func (w *storedMatrix[F]) extend(ctx context.Context, p kernel.Pairs, workers int, in *arena[F]) error {
	added, all := p.Dims()
	b := block[F]{from: all - added, to: all}
	b.rows, b.above = in.take(added*all), in.take(b.from*added)
	w.blocks = append(w.blocks, b)
	high, wide := blockCount(added, tileSide), blockCount(b.from, tileSide)
	return parallel.Each(ctx, workers, high*wide+high*(high+1)/2, func(_, t int) {
		if t < high*wide {
			b.aside(p, t%high, t/high)
			return
		}
		i := 0
		for t -= high * wide; t >= high-i; i++ {
			t -= high - i
		}
		b.within(p, i, i+t)
	})
}

// aside computes a tile of the new rows and the columns before them, and its mirror.
func (b *block[F]) aside(p kernel.Pairs, i, j int) {
	added := b.to - b.from
	row, rowEnd := blockBounds(i, tileSide, added)
	col, colEnd := blockBounds(j, tileSide, b.from)
	here := b.rows[row*b.to+col:]
	computeTile(p, here, b.to, row, col, rowEnd-row, colEnd-col)
	simd.Transpose(b.above[col*added+row:], added, here, b.to, rowEnd-row, colEnd-col, 1)
}

// within computes a tile of the new rows and their own columns, and its mirror.
func (b *block[F]) within(p kernel.Pairs, i, j int) {
	row, rowEnd := blockBounds(i, tileSide, b.to-b.from)
	col, colEnd := blockBounds(j, tileSide, b.to-b.from)
	here := b.rows[row*b.to+b.from+col:]
	computeTile(p, here, b.to, row, b.from+col, rowEnd-row, colEnd-col)
	if i != j {
		simd.Transpose(b.rows[col*b.to+b.from+row:], b.to, here, b.to, rowEnd-row, colEnd-col, 1)
	}
}

// scatter is extend for the first block, of a matrix that is bound already: its rows are
// computed in their own order, whole tiles at a time, and put where the order wants them.
func (w *storedMatrix[F]) scatter(ctx context.Context, p kernel.Pairs, order []int, workers int, in *arena[F]) error {
	n, _ := p.Dims()
	place := make([]int, n)
	for i := range place {
		place[i] = -1
	}
	for at, row := range order {
		place[row] = at
	}
	k := in.take(len(order) * len(order))
	w.blocks = []block[F]{{to: len(order), rows: k}}
	count := blockCount(n, tileSide)
	return parallel.Each(ctx, workers, count*count, func(_, t int) {
		if a, b := t/count, t%count; a <= b {
			scatterTile(p, k, place, len(order), a, b)
		}
	})
}

// scatterTile computes block (a, b) of p and stores its elements and their mirrors.
func scatterTile[F float32 | float64](p kernel.Pairs, k []F, place []int, stride, a, b int) {
	row, rowEnd := blockBounds(a, tileSide, len(place))
	col, colEnd := blockBounds(b, tileSide, len(place))
	cols := colEnd - col
	tile := make([]F, (rowEnd-row)*cols)
	computeTile(p, tile, cols, row, col, rowEnd-row, cols)
	for i := row; i < rowEnd; i++ {
		for j := max(col, i); j < colEnd; j++ {
			if to, from := place[i], place[j]; to >= 0 && from >= 0 {
				v := tile[(i-row)*cols+j-col]
				k[to*stride+from], k[from*stride+to] = v, v
			}
		}
	}
}

// computeTile stores a tile of p in the precision of its destination.
func computeTile[F float32 | float64](p kernel.Pairs, dst []F, stride, row, col, rows, cols int) {
	switch dst := any(dst).(type) {
	case []float32:
		kernel.Fill32(p, kernel.Tile32{Rows: rows, Cols: cols, Stride: stride, Data: dst}, row, col)
	case []float64:
		p.Tile(kernel.Tile{Rows: rows, Cols: cols, Stride: stride, Data: dst}, row, col)
	}
}
