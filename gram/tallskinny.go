package gram

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/pages"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
	"example.org/mercer/pass"
)

// bindRows binds the rows from ≤ i < to of a [TallSkinny] matrix to its columns. reuse is nil or
// what it returned before, which is not used any more: the result may take its memory. It
// is called from several goroutines.
type bindRows func(from, to int, reuse kernel.Pairs) kernel.Pairs

// TallSkinny is a Gram matrix K of n rows and m columns, n ≫ m, that is computed in blocks of rows.
// The points of a row are bound when the block passes, so that what is packed of the rows
// never takes memory beside the rows themselves; a block of kernel values stays in the
// second level cache while it is used twice, for K·X and for Kᵀ·G (see [TallSkinny.Fold]).
//
// Elements are computed in every pass, or once where [TallSkinny.Hold] keeps them. Tall does not
// use the store of its options.
type TallSkinny struct {
	rows, cols int
	bind       bindRows
	o          compute.Options
	double     held[float64]
	single     held[float32]
	elsewhere  *pass.Sender // runs passes over the rows; nil: they are run here
}

// held are the elements of a [TallSkinny] in memory.
type held[F float] struct {
	data   []F
	filled bool
}

// NewTallSkinny returns the matrix of rows × cols elements whose rows are bound by bind.
func NewTallSkinny(rows, cols int, bind bindRows, o compute.Options) *TallSkinny {
	return &TallSkinny{rows: rows, cols: cols, bind: bind, o: o}
}

// TallSkinnyOf returns a bound kernel as a Tall.
func TallSkinnyOf(p kernel.Pairs, o compute.Options) *TallSkinny {
	rows, cols := p.Dims()
	p = kernel.Cached(p, o.Store)
	return NewTallSkinny(rows, cols, func(from, to int, _ kernel.Pairs) kernel.Pairs { return choose(p, between(from, to), nil) }, o)
}

// Dims returns n and m.
func (t *TallSkinny) Dims() (rows, cols int) { return t.rows, t.cols }

// Elsewhere returns what has passes made by the driver of the rows, under a kernel of which
// [ColumnsIn] has the columns; nil: they have none.
func (t *TallSkinny) Elsewhere() *pass.Sender { return t.elsewhere }

// Precision returns that of the elements.
func (t *TallSkinny) Precision() compute.Precision { return t.o.Precision }

// In returns the same matrix at another precision; nothing that is held goes with it.
func (t *TallSkinny) In(p compute.Precision) *TallSkinny {
	o := t.o
	o.Precision = p
	out := NewTallSkinny(t.rows, t.cols, t.bind, o)
	out.elsewhere = t.elsewhere
	return out
}

// Cost is that of an element, see [kernel.Costed]: of the first rows, which stand for all.
func (t *TallSkinny) Cost() float64 {
	return kernel.Cost(t.bind(0, min(boundRows, t.rows), nil))
}

// TallBytes returns what [TallSkinny.Hold] takes.
func TallBytes(rows, cols int, p compute.Precision) int64 {
	return int64(rows) * int64(cols) * p.Bytes()
}

// FoldBytes returns what a pass of [TallSkinny.Fold] takes beside elements that are held and rows
// that are bound: the sums of the lanes for q columns, and a block for each worker.
func FoldBytes(rows, cols, q, workers int) int64 {
	t := TallSkinny{rows: rows, cols: cols}
	return 8*int64(t.Lanes(q))*int64(cols)*int64(q) + int64(workers)*(foldBytes+8*boundRows)
}

// Hold keeps the elements that the next complete pass computes, n·m numbers at the
// precision of the options. Later passes read them. A driver holds none.
func (t *TallSkinny) Hold() {
	switch {
	case t.elsewhere != nil:
	case t.o.Precision == compute.Single && t.single.data == nil:
		t.single.data = pages.Make[float32](t.rows * t.cols)
	case t.o.Precision == compute.Double && t.double.data == nil:
		t.double.data = pages.Make[float64](t.rows * t.cols)
	}
}

// Held reports whether elements are kept.
func (t *TallSkinny) Held() bool { return t.single.data != nil || t.double.data != nil }

// slopesOf makes the rows of G from those of U = K·X for a run of rows that begins at row:
// u.Rows × p values, g.Rows × q places that hold zeros. It is called from several
// goroutines, from one at a time for each lane < [TallSkinny.Lanes], and within a lane in
// ascending order of the rows: sums that are kept by lane, and added up in the order of the
// lanes, have the same bits for any number of workers.
type slopesOf func(lane, row int, u, g blas64.General)

const (
	// mostLanes is the largest number of runs of rows that are shared among workers, each
	// with a sum of its own.
	mostLanes = 64
	// laneBytes bounds the memory of these sums where that leaves fewestLanes.
	laneBytes, fewestLanes = 256 << 20, 8
	// laneRows is the number of rows that a lane has at least, unless there are fewer.
	laneRows = 256
	// boundRows is the number of rows that are bound at a time.
	boundRows = 4096
	// foldBytes is the size of a block: it stays in a second level cache of 1 MiB.
	foldBytes = 640 << 10
	// foldColumns is the width of a tile, which stays in the first level cache until it is
	// multiplied.
	foldColumns = 256
)

// Lanes returns the number of runs in which [TallSkinny.Fold] goes through the rows for sums of
// q columns. It depends on the sizes alone.
func (t *TallSkinny) Lanes(q int) int {
	most := mostLanes
	if sum := 8 * t.cols * max(q, 1); sum*most > laneBytes {
		most = max(fewestLanes, laneBytes/sum)
	}
	return max(1, pass.Many(t.rows), min(most, (t.rows+laneRows-1)/laneRows))
}

// Fold stores Kᵀ·G in dst (m×q) in one pass over the rows, where G is made block by block
// from U = K·X, X m×p, by between. With G = W·U it is KᵀWK·X, the product of the normal
// equations; with G = W·Y, and x nil or empty, their right-hand side. A dst that is nil or
// empty asks for no sum (q = 0), which leaves between with K·X.
//
// The cost is one evaluation of the kernel per element, or none where elements are held,
// and 2nm(p+q) flops. Memory: 640 KiB per worker, or 8 rows if they are longer, the rows
// that are bound at the time, and m·q numbers for each of at most 64 lanes. In single precision
// elements are float32 and products are summed in float32 over at most 256 columns and 64 rows, and
// in float64 beyond. Errors: sizes that do not fit; the end of ctx (dst is then undefined).
func (t *TallSkinny) Fold(ctx context.Context, dst, x *mat.Dense, between slopesOf) error {
	f := foldPass{t: t, between: between}
	if x != nil && !x.IsEmpty() {
		rows, p := x.Dims()
		if rows != t.cols {
			return fmt.Errorf("gram: a %d×%d matrix cannot multiply %d rows", t.rows, t.cols, rows)
		}
		f.xt, f.p = transposed(x), p
	}
	if dst != nil && !dst.IsEmpty() {
		rows, q := dst.Dims()
		if rows != t.cols {
			return fmt.Errorf("gram: the result has %d rows but the matrix to hold it has %d", t.cols, rows)
		}
		f.q = q
	}
	f.cut = lanes{n: t.rows, count: t.Lanes(f.q)}
	if t.elsewhere != nil {
		return f.send(ctx, dst, x)
	}
	f.sums = make([][]float64, f.cut.count)
	f.progress = t.o.Meter("product", int64(t.rows))
	var err error
	if t.o.Precision == compute.Single {
		err = fold(ctx, &f, &t.single, roundRightSides(f.xt))
	} else {
		err = fold(ctx, &f, &t.double, f.doubles())
	}
	if err != nil || f.q == 0 {
		return err
	}
	f.reduce(dst.RawMatrix())
	return nil
}

// Mul stores K·X in dst (n×p), which is given its size if it is empty.
func (t *TallSkinny) Mul(ctx context.Context, dst, x *mat.Dense) error {
	if err := fitProduct(t, dst, x); err != nil {
		return err
	}
	out := dst.RawMatrix()
	return t.Fold(ctx, nil, x, func(_, row int, u, _ blas64.General) {
		for i := range u.Rows {
			copy(out.Data[(row+i)*out.Stride:][:u.Cols], u.Data[i*u.Stride:])
		}
	})
}

// Block stores the rows of K from a row on in dst, as many as dst has: computed on all workers,
// also where elements are held.
func (t *TallSkinny) Block(ctx context.Context, dst *mat.Dense, from int) error {
	rows, _ := dst.Dims()
	o := t.o
	o.Progress, o.Store = nil, nil
	return Rect(ctx, dst, t.bind(from, from+rows, nil), o)
}

// lanes cuts n rows into runs of nearly equal length.
type lanes struct{ n, count int }

func (l lanes) at(i int) (from, to int) { return l.n * i / l.count, l.n * (i + 1) / l.count }

// pieces are the runs.
func (l lanes) pieces() []pass.Piece {
	out := make([]pass.Piece, l.count)
	for i := range out {
		out[i].From, out[i].To = l.at(i)
	}
	return out
}

// foldPass is a pass in progress.
type foldPass struct {
	t        *TallSkinny
	xt       blas64.General
	p, q     int
	between  slopesOf
	cut      lanes
	sums     [][]float64 // of the lanes: q rows of m numbers
	progress *compute.Meter
}

// reduce adds up the sums of the lanes in their order.
func (f *foldPass) reduce(dst blas64.General) {
	for _, lane := range f.sums[1:] {
		floats.Add(f.sums[0], lane)
	}
	f.store(dst, f.sums[0])
}

// store turns q rows of m sums into columns.
func (f *foldPass) store(dst blas64.General, sums []float64) {
	for j := range f.t.cols {
		for c := range f.q {
			dst.Data[j*dst.Stride+c] = sums[c*f.t.cols+j]
		}
	}
}

// doubles are the columns of X as they are.
func (f *foldPass) doubles() rightSides[float64] {
	s := rightSides[float64]{rows: make([][]float64, f.p), scale: make([]float64, f.p)}
	for j := range s.rows {
		s.rows[j], s.scale[j] = f.xt.Data[j*f.xt.Stride:][:f.t.cols], 1
	}
	return s
}

// fold shares the lanes among the workers. Elements are held once all of them are there.
func fold[F float](ctx context.Context, f *foldPass, keep *held[F], x rightSides[F]) error {
	workers := max(1, min(f.t.o.WorkerCount(), f.cut.count))
	spaces := make([]*foldSpace[F], workers)
	err := parallel.Each(ctx, workers, f.cut.count, func(worker, lane int) {
		if spaces[worker] == nil {
			spaces[worker] = newFoldSpace(f, keep, x)
		}
		f.sums[lane] = make([]float64, f.q*f.t.cols)
		from, to := f.cut.at(lane)
		spaces[worker].run(ctx, lane, from, to)
	})
	if err == nil && keep.data != nil {
		keep.filled = true
	}
	return err
}

// foldSpace is the working memory of a worker.
type foldSpace[F float] struct {
	*foldPass
	keep   *held[F]
	x      rightSides[F]
	height int // rows of a block
	stride int
	tile   []F // of a block
	pairs  kernel.Pairs
	u, g   blas64.General
	dots   []F
	column []float64 // of g
	weight []float32 // the same in single precision
}

func newFoldSpace[F float](f *foldPass, keep *held[F], x rightSides[F]) *foldSpace[F] {
	m := f.t.cols
	s := &foldSpace[F]{foldPass: f, keep: keep, x: x, height: foldHeight(m, f.t.o.Precision)}
	if keep.data == nil {
		// Rows that lie a multiple of 4 KiB apart would meet in the same lines of the cache.
		s.stride = (m+15)/16*16 + 16
		s.tile = make([]F, s.height*s.stride)
	} else {
		s.stride = m
	}
	s.u = blas64.General{Rows: s.height, Cols: f.p, Stride: f.p, Data: make([]float64, s.height*f.p)}
	s.g = blas64.General{Rows: s.height, Cols: f.q, Stride: f.q, Data: make([]float64, s.height*f.q)}
	s.dots, s.column, s.weight = make([]F, s.height), make([]float64, s.height), make([]float32, s.height)
	return s
}

// foldHeight is the number of rows of a block of m columns.
func foldHeight(m int, p compute.Precision) int {
	return max(8, min(64, foldBytes/int(p.Bytes())/max(1, m)/8*8))
}

// run goes through the rows of a lane.
func (s *foldSpace[F]) run(ctx context.Context, lane, from, to int) {
	for first := from; first < to; first += boundRows {
		last := min(first+boundRows, to)
		if !s.keep.filled {
			s.pairs = s.t.bind(first, last, s.pairs)
		}
		for row := first; row < last; row += s.height {
			if ctx.Err() != nil {
				return
			}
			s.block(ctx, lane, row, min(s.height, last-row), first)
		}
		s.progress.Add(int64(last - first))
	}
}

// block multiplies the rows row … row+height−1, of pairs that were bound from row first on.
func (s *foldSpace[F]) block(ctx context.Context, lane, row, height, first int) {
	m, tile := s.t.cols, s.tile
	if s.keep.data != nil {
		tile = s.keep.data[row*m : (row+height)*m]
	}
	u, g := s.u, s.g
	u.Rows, g.Rows = height, height
	clear(u.Data)
	clear(g.Data)
	for col := 0; col < m; col += foldColumns {
		cols := min(foldColumns, m-col)
		if !s.keep.filled {
			if ctx.Err() != nil {
				return
			}
			fillTile(s.pairs, tile[col:], s.stride, height, cols, row-first, col)
		}
		for j, x := range s.x.rows {
			dotTile(s.dots[:height], tile[col:], s.stride, x[col:col+cols])
			for i, v := range s.dots[:height] {
				u.Data[i*u.Stride+j] += float64(v)
			}
		}
	}
	for j, scale := range s.x.scale {
		for i := range height {
			u.Data[i*u.Stride+j] *= scale
		}
	}
	s.between(lane, row, u, g)
	for c := range s.q {
		s.Add(s.sums[lane][c*m:(c+1)*m], tile, g, c)
	}
}

// Add adds the product of the transpose of a block and column c of g to sum.
func (s *foldSpace[F]) Add(sum []float64, tile []F, g blas64.General, c int) {
	column := s.column[:g.Rows]
	for i := range column {
		column[i] = g.Data[i*g.Stride+c]
	}
	addRowsTo(sum, tile, s.stride, column, s.weight)
}

// addRowsTo computes y ← y + Aᵀ·w; narrow is space for w as float32.
func addRowsTo[F float](y []float64, a []F, stride int, w []float64, narrow []float32) {
	if a, ok := any(a).([]float64); ok {
		simd.AddRows(y, a, stride, w)
		return
	}
	scale := leading(w)
	for i, v := range w {
		narrow[i] = float32(v / scale)
	}
	simd.AddRowsWide(y, any(a).([]float32), stride, narrow[:len(w)], scale)
}
