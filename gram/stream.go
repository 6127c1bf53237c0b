package gram

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/pages"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg/level3"
)

// serial computes products inside of tasks that are shared among goroutines already.
var serial = level3.Implementation{Workers: 1}

// Stream is a Gram matrix that is never stored: every product computes its tiles
// afresh. Memory is O(workers·128² + (rows+cols)·rhs) beside dst and x.
//
// A symmetric stream computes each tile above the diagonal once and uses it twice,
// for its own rows and, transposed, for its columns. The work goes in rounds: round
// r holds the tiles (I, J) with I + J ≡ r modulo the number of blocks, so that every
// block of the result receives exactly one contribution per round. Workers never
// meet on a block, nothing is locked, and each element is summed in the order of the
// rounds: the bits do not depend on the number of workers. (Computing every tile, which
// is the simpler way to the same end, was measured at 1.9 times the time.)
type Stream struct {
	pairs     kernel.Pairs
	symmetric bool
	options   compute.Options
}

var _ Operator = (*Stream)(nil)

// Of returns the operator of a kernel bound to one set as rows and columns. That the
// two sets are the same is the caller's promise; that they have the same size is
// checked by every use. Only elements on and above the diagonal of tiles are
// evaluated, and mirrored.
func Of(p kernel.Pairs, o compute.Options) *Stream {
	return &Stream{pairs: kernel.Cached(p, o.Store), symmetric: true, options: o}
}

// Cross returns the operator of a kernel bound to two different sets, such as new
// points (rows) against training points (columns).
func Cross(p kernel.Pairs, o compute.Options) *Stream {
	return &Stream{pairs: kernel.Cached(p, o.Store), options: o}
}

// Dims returns the number of rows and of columns.
func (s *Stream) Dims() (rows, cols int) { return s.pairs.Dims() }

// Pairs returns the bound kernel behind the stream.
func (s *Stream) Pairs() kernel.Pairs { return s.pairs }

// Symmetric reports whether the stream was made by [Of].
func (s *Stream) Symmetric() bool { return s.symmetric }

// Mul stores K·x in dst, which is given its size if it is empty. With
// [compute.Options].Precision Single, tiles are computed and multiplied in float32 and summed in
// float64, with an error of about 10⁻⁶·Σⱼ|kᵢⱼ||xⱼ|. The cost is one
// evaluation of the kernel per element of K (per element of its upper triangle for a
// symmetric stream) and 2·rows·cols·rhs flops. Errors: sizes that do not fit, the end
// of ctx (dst is then undefined).
func (s *Stream) Mul(ctx context.Context, dst, x *mat.Dense) error {
	if err := fitProduct(s, dst, x); err != nil {
		return err
	}
	return s.mul(ctx, dst, transposed(x))
}

// MulTrans is [Stream.Mul] of the transpose of xt, which has one row per right-hand
// side. Products run along these rows: for a caller that multiplies the same ones many
// times it saves a copy of them every time.
func (s *Stream) MulTrans(ctx context.Context, dst, xt *mat.Dense) error {
	rhs, n := xt.Dims()
	if err := fitSizes(s, dst, n, rhs); err != nil {
		return err
	}
	return s.mul(ctx, dst, xt.RawMatrix())
}

// mul stores K·x in dst, given the transpose of x.
func (s *Stream) mul(ctx context.Context, dst *mat.Dense, xt blas64.General) error {
	if !s.symmetric {
		return s.mulCross(ctx, dst, xt)
	}
	if err := square(s.pairs); err != nil {
		return err
	}
	if s.options.Precision == compute.Single {
		return s.mulSymmetricSingle(ctx, dst, xt)
	}
	return s.mulSymmetric(ctx, dst, xt)
}

// mulSymmetric keeps x and the result transposed (one contiguous row per right-hand
// side), so that both uses of a tile run along contiguous memory.
func (s *Stream) mulSymmetric(ctx context.Context, dst *mat.Dense, xt blas64.General) error {
	rhs, n := xt.Rows, xt.Cols
	out := blas64.General{Rows: rhs, Cols: n, Stride: n, Data: make([]float64, rhs*n)}
	cut := blocks{n, tileSide}
	b := triangle(cut.count())
	buffers := s.buffers(min(n, tileSide), min(n, tileSide))
	progress := s.options.Meter("product", int64(b.count()))
	for r := range int(b) {
		pairs := b.round(r)
		err := parallel.Each(ctx, len(buffers), len(pairs), func(worker, i int) {
			rowAt, rows := cut.at(pairs[i][0])
			colAt, cols := cut.at(pairs[i][1])
			tile := kernel.Tile{Rows: rows, Cols: cols, Stride: cols, Data: buffers[worker][:rows*cols]}
			s.pairs.Tile(tile, rowAt, colAt)
			t := blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: tile.Data}
			if rowAt == colAt {
				mirror(tile)
			} else {
				serial.Gemm(blas.NoTrans, blas.NoTrans, 1, columns(xt, rowAt, rows), t, 1, columns(out, colAt, cols))
			}
			serial.Gemm(blas.NoTrans, blas.Trans, 1, columns(xt, colAt, cols), t, 1, columns(out, rowAt, rows))
			progress.Add(1)
		})
		if err != nil {
			return err
		}
	}
	transposeInto(dst, out)
	return nil
}

// Rows stores the rows of K with the given indices in dst (len(rows) × cols), which is
// given its size if it is empty. An index may repeat. Row i of a symmetric stream is
// computed as k(xᵢ, ·); a kernel that is symmetric to the last bit gives the bits of
// the other views.
func (s *Stream) Rows(ctx context.Context, dst *mat.Dense, rows []int) error {
	n, cols := s.Dims()
	for _, i := range rows {
		if i < 0 || i >= n {
			return fmt.Errorf("gram: there is no row %d in a Gram matrix of %d rows", i, n)
		}
	}
	if err := fit(dst, len(rows), cols); err != nil {
		return err
	}
	raw, wide := dst.RawMatrix(), blocks{cols, 8 * tileSide}
	return parallel.Each(ctx, s.options.WorkerCount(), len(rows)*wide.count(), func(_, unit int) {
		r, j := unit/wide.count(), unit%wide.count()
		at, length := wide.at(j)
		row := raw.Data[r*raw.Stride+at : r*raw.Stride+at+length]
		s.pairs.Tile(kernel.Tile{Rows: 1, Cols: length, Stride: length, Data: row}, rows[r], at)
	})
}

// buffers returns one tile buffer per worker.
func (s *Stream) buffers(rows, cols int) [][]float64 {
	out := make([][]float64, s.options.WorkerCount())
	for i := range out {
		out[i] = make([]float64, rows*cols)
	}
	return out
}

// square returns an error unless p has as many rows as columns.
func square(p interface{ Dims() (int, int) }) error {
	if rows, cols := p.Dims(); rows != cols {
		return fmt.Errorf("gram: a kernel bound to %d row points and %d column points has no symmetric Gram matrix; bind it to one set, or ask for the rectangular matrix", rows, cols)
	}
	return nil
}

// fitProduct checks the sizes of dst = op·x and sizes an empty dst.
func fitProduct(op Operator, dst, x *mat.Dense) error {
	n, rhs := x.Dims()
	return fitSizes(op, dst, n, rhs)
}

// fitSizes checks the sizes of a product with an n×rhs matrix.
func fitSizes(op Operator, dst *mat.Dense, n, rhs int) error {
	rows, cols := op.Dims()
	if n != cols {
		return fmt.Errorf("gram: a %d×%d matrix cannot multiply %d rows", rows, cols, n)
	}
	return fit(dst, rows, rhs)
}

// fit gives an empty dst the size rows×cols, and checks the size of any other.
func fit(dst *mat.Dense, rows, cols int) error {
	if dst.IsEmpty() {
		if rows > 0 && cols > 0 {
			dst.SetRawMatrix(blas64.General{Rows: rows, Cols: cols, Stride: cols, Data: pages.Make[float64](rows * cols)})
		}
		return nil
	}
	if r, c := dst.Dims(); r != rows || c != cols {
		return fmt.Errorf("gram: the result is %d×%d but the matrix to hold it is %d×%d", rows, cols, r, c)
	}
	return nil
}

// transposed returns xᵀ in contiguous storage: that of x where x is one contiguous
// column.
func transposed(x *mat.Dense) blas64.General {
	raw := x.RawMatrix()
	if raw.Cols == 1 && raw.Stride == 1 {
		return blas64.General{Rows: 1, Cols: raw.Rows, Stride: raw.Rows, Data: raw.Data}
	}
	t := blas64.General{Rows: raw.Cols, Cols: raw.Rows, Stride: raw.Rows, Data: make([]float64, raw.Rows*raw.Cols)}
	for i := range raw.Rows {
		for j, v := range raw.Data[i*raw.Stride : i*raw.Stride+raw.Cols] {
			t.Data[j*t.Stride+i] = v
		}
	}
	return t
}

// transposeInto stores tᵀ in dst.
func transposeInto(dst *mat.Dense, t blas64.General) {
	raw := dst.RawMatrix()
	for i := range raw.Rows {
		row := raw.Data[i*raw.Stride : i*raw.Stride+raw.Cols]
		for j := range row {
			row[j] = t.Data[j*t.Stride+i]
		}
	}
}

// columns returns the view of columns at … at+n−1 of g.
func columns(g blas64.General, at, n int) blas64.General {
	end := (g.Rows-1)*g.Stride + at + n
	return blas64.General{Rows: g.Rows, Cols: n, Stride: g.Stride, Data: g.Data[at:end]}
}

// mirror copies the upper triangle of a square tile onto the lower one.
func mirror(t kernel.Tile) {
	for i := range t.Rows {
		for j := range i {
			t.Data[i*t.Stride+j] = t.Data[j*t.Stride+i]
		}
	}
}
