package linalg

import (
	"context"
	"fmt"
	"math"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/progress"
)

// triangle is the lower triangle of a symmetric matrix in tiles that its Cholesky
// factor replaces one by one. Tile (i, j), j ≤ i, begins at row i·tileSize and column
// j·tileSize.
type triangle[F float] interface {
	order() int
	// load makes tile (i, j), i > j, hold the matrix and returns it.
	load(i, j int) general[F]
	// loadDiagonal stores the lower triangle of tile (j, j) of the matrix in dst.
	loadDiagonal(dst general[F], j int)
	// storeDiagonal takes the lower triangle of tile (j, j) of the factor from src.
	storeDiagonal(j int, src general[F])
	// tile returns tile (i, j), i > j, of the factor.
	tile(i, j int) general[F]
	// diagonal returns tile (j, j) of the factor, whose strict upper triangle is
	// arbitrary. It may use buf, a tile.
	diagonal(j int, buf general[F]) general[F]
	// column returns the storage of block column j of the factor.
	column(j int) [][]F
}

// NotPositiveDefinite is the error of a matrix that has no Cholesky factor.
type NotPositiveDefinite struct {
	Pivot int     // 0-based index of the first row whose pivot is not a positive number
	Value float64 // that pivot: the row's diagonal element less what earlier rows explain
}

func (e *NotPositiveDefinite) Error() string {
	if math.IsNaN(e.Value) || math.IsInf(e.Value, 0) {
		return fmt.Sprintf("linalg: Cholesky factorization stopped at row %d: its pivot is %v, so the matrix contains NaN or infinite elements or overflows; remove them or scale the matrix", e.Pivot, e.Value)
	}
	return fmt.Sprintf("linalg: matrix is not positive definite: pivot of row %d is %.6g; add a ridge (a positive shift), remove duplicate rows, or use a positive definite kernel", e.Pivot, e.Value)
}

// CholeskyFactor is a symmetric positive definite matrix A = L·Lᵀ given by its Cholesky
// factor L. Its methods are safe for concurrent use.
type CholeskyFactor struct{ factor[float64] }

// Preconditioner returns the operator that multiplies by A⁻¹ as Solve does.
func (f *CholeskyFactor) Preconditioner() Operator { return inverse{f} }

// factor is a Cholesky factor of either width.
type factor[F float] struct {
	l    triangle[F]
	o    Options
	norm float64 // ‖A‖₁ = ‖A‖∞

	once      sync.Once
	condition float64
}

// factorTriangle factors t in place, block column by block column (left-looking):
// each tile takes all updates from the tiles on its left at once and then is divided
// by the diagonal tile above it. n³/3 flops, nearly all in products of tiles.
func factorTriangle[F float](ctx context.Context, t triangle[F], o Options) error {
	n := t.order()
	count := tiles(n)
	progress := o.meter("factor", int64(count)*int64(count+1)*int64(count+2)/6)
	defer progress.End(ctx) // columns of a checkpoint tell nothing, nor do those after one that fails
	buf := newMatrix[F](min(n, tileSize), min(n, tileSize))
	for j := range count {
		err := checkpointed(ctx, o, t, j, func() error { return factorColumn(ctx, t, j, buf.square(extent(n, j)), progress, o) })
		if err != nil {
			return err
		}
	}
	return nil
}

// factorColumn factors block column j after those on its left. d is space for the diagonal tile.
func factorColumn[F float](ctx context.Context, t triangle[F], j int, d general[F], meter *progress.Meter, o Options) error {
	t.loadDiagonal(d, j)
	if err := updateDiagonal(ctx, t, d, j, o); err != nil {
		return err
	}
	if pivot, value, ok := factorTile(d); !ok {
		return &NotPositiveDefinite{Pivot: j*tileSize + pivot, Value: value}
	}
	t.storeDiagonal(j, d)
	meter.Add(int64(j + 1))
	return each(ctx, o.workers(), tiles(t.order())-j-1, func(below int) {
		i := j + 1 + below
		c := t.load(i, j)
		for k := 0; k < j && ctx.Err() == nil; k++ {
			subtract(c, t.tile(i, k), blas.Trans, t.tile(j, k))
		}
		divideTrans(c, d)
		meter.Add(int64(j + 1))
	})
}

// stripSize is the number of rows of a diagonal tile that are updated by one task.
const stripSize = 64

// updateDiagonal subtracts from the diagonal tile d of block column j what the tiles on
// its left contribute. All workers share it, because the rest of the column waits for
// it; the longest strips come first.
func updateDiagonal[F float](ctx context.Context, t triangle[F], d general[F], j int, o Options) error {
	strips := (d.Rows + stripSize - 1) / stripSize
	return each(ctx, o.workers(), strips, func(task int) {
		from := (strips - 1 - task) * stripSize
		rows := min(stripSize, d.Rows-from)
		for k := 0; k < j && ctx.Err() == nil; k++ {
			a := t.tile(j, k)
			strip := a.view(from, 0, rows, a.Cols)
			subtract(d.view(from, 0, rows, from), strip, blas.Trans, a.view(0, 0, from, a.Cols))
			subtractSquare(d.view(from, from, rows, rows), strip)
		}
	})
}

// Dim returns the order n of the matrix.
func (f *factor[F]) Dim() int { return f.l.order() }

// Norm returns ‖A‖₁ of the matrix that was factored.
func (f *factor[F]) Norm() float64 { return f.norm }

// LogDet returns log det A = 2 Σ log Lᵢᵢ.
func (f *factor[F]) LogDet() float64 {
	n, sum := f.Dim(), 0.0
	buf := newMatrix[F](min(n, tileSize), min(n, tileSize))
	for j := range tiles(n) {
		d := f.l.diagonal(j, buf.square(extent(n, j)))
		for i := range d.Rows {
			sum += math.Log(float64(d.Data[i*d.Stride+i]))
		}
	}
	return 2 * sum
}

// forward replaces each row b of the r×n matrix x by L⁻¹·b, from block column
// first on; elements before it must be zero and stay so. A block that is solved is
// taken from all blocks after it at once, by all workers; each block takes from the
// blocks before it in their order. It stops early when ctx ends.
func (f *factor[F]) forward(ctx context.Context, x general[F], first, workers int, buf general[F]) {
	count := tiles(f.Dim())
	for i := first; i < count && ctx.Err() == nil; i++ {
		xi := f.block(x, i)
		divideTrans(xi, f.l.diagonal(i, buf.square(xi.Cols)))
		_ = each(ctx, workers, count-i-1, func(below int) {
			k := i + 1 + below
			subtract(f.block(x, k), xi, blas.Trans, f.l.tile(k, i))
		})
	}
}

// backward replaces each row b of the r×n matrix x by L⁻ᵀ·b. It stops
// early when ctx ends.
func (f *factor[F]) backward(ctx context.Context, x general[F], workers int, buf general[F]) {
	for i := tiles(f.Dim()) - 1; i >= 0 && ctx.Err() == nil; i-- {
		xi := f.block(x, i)
		divide(xi, f.l.diagonal(i, buf.square(xi.Cols)))
		_ = each(ctx, workers, i, func(k int) {
			subtract(f.block(x, k), xi, blas.NoTrans, f.l.tile(i, k))
		})
	}
}

// block returns the columns of x that belong to block row i of the factor.
func (f *factor[F]) block(x general[F], i int) general[F] {
	return x.view(0, i*tileSize, x.Rows, extent(f.Dim(), i))
}

// rhsChunk is how many right-hand sides are solved together.
const rhsChunk = 128

// Solve stores the solution X of A·X = B in dst (n×m, or empty). dst and b may be the
// same matrix; after an error dst is arbitrary. It takes 2n²m flops and n·min(m, 128)
// numbers of memory per worker.
func (f *factor[F]) Solve(ctx context.Context, dst, b *mat.Dense) error {
	if err := shape(dst, b, f.Dim()); err != nil {
		return fmt.Errorf("linalg: solve: %w", err)
	}
	if dst != b {
		dst.Copy(b)
	}
	n, x := f.Dim(), general[float64](dst.RawMatrix())
	chunks := (x.Cols + rhsChunk - 1) / rhsChunk
	progress := f.o.meter("solve", int64(chunks))
	whole := scratchOf(func() general[F] { return newMatrix[F](min(x.Cols, rhsChunk), n) })
	buffers, workers := newTiles[F](n), f.o.workers()
	return each(ctx, workers, chunks, func(c int) {
		columns := x.view(0, c*rhsChunk, n, min(rhsChunk, x.Cols-c*rhsChunk))
		all, buf := whole.get(), buffers.get()
		defer whole.put(all)
		defer buffers.put(buf)
		rows := all.view(0, 0, columns.Cols, n)
		transpose(rows, columns)
		f.forward(ctx, rows, 0, workers/chunks, *buf)
		f.backward(ctx, rows, workers/chunks, *buf)
		transpose(columns, rows)
		progress.Add(1)
	})
}

// Whiten replaces each row b of the m×n matrix x by L⁻¹·b, so that the products of the
// new rows are bᵀA⁻¹c: n²m flops. After an error x is arbitrary.
func (f *factor[F]) Whiten(ctx context.Context, x *mat.Dense) error {
	return f.substitute(ctx, x, "whiten", func(rows general[F], workers int, buf general[F]) {
		f.forward(ctx, rows, 0, workers, buf)
	})
}

// Unwhiten replaces each row c of the m×n matrix x by L⁻ᵀ·c: where c are coordinates in an
// orthonormal basis, these are the coefficients of the vectors whose products are A. It
// takes n²m flops. After an error x is arbitrary.
func (f *factor[F]) Unwhiten(ctx context.Context, x *mat.Dense) error {
	return f.substitute(ctx, x, "unwhiten", func(rows general[F], workers int, buf general[F]) {
		f.backward(ctx, rows, workers, buf)
	})
}

// substitute calls solve for the rows of x, a chunk of them at a time.
func (f *factor[F]) substitute(ctx context.Context, x *mat.Dense, what string, solve func(rows general[F], workers int, buf general[F])) error {
	m, n := x.Dims()
	if n != f.Dim() {
		return fmt.Errorf("linalg: %s: rows of %d numbers for a matrix of order %d: they must agree", what, n, f.Dim())
	}
	all := general[float64](x.RawMatrix())
	chunks := (m + rhsChunk - 1) / rhsChunk
	whole := scratchOf(func() general[F] { return newMatrix[F](min(m, rhsChunk), n) })
	buffers, workers := newTiles[F](n), f.o.workers()
	return each(ctx, workers, chunks, func(c int) {
		given := all.view(c*rhsChunk, 0, min(rhsChunk, m-c*rhsChunk), n)
		space, buf := whole.get(), buffers.get()
		defer whole.put(space)
		defer buffers.put(buf)
		rows := space.view(0, 0, given.Rows, n)
		convert(rows, given)
		solve(rows, workers/chunks, *buf)
		convert(given, rows)
	})
}

// convert copies src into dst, of the same shape, at another width.
func convert[F, G float](dst general[F], src general[G]) {
	for i := range src.Rows {
		to := dst.row(i)
		for j, v := range src.row(i) {
			to[j] = F(v)
		}
	}
}

// shape gives an empty dst the shape of b, or checks that it has it, and that b has n
// rows.
func shape(dst, b *mat.Dense, n int) error {
	rows, cols := b.Dims()
	if rows != n || cols == 0 {
		return fmt.Errorf("right-hand side is %d×%d, but the matrix is %d×%d: it needs %d rows and at least one column", rows, cols, n, n, n)
	}
	if dst.IsEmpty() {
		dst.ReuseAs(rows, cols)
	}
	if r, c := dst.Dims(); r != rows || c != cols {
		return fmt.Errorf("destination is %d×%d, right-hand side %d×%d: give them the same shape or an empty destination", r, c, rows, cols)
	}
	return nil
}
