package gram

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/pages"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
)

// Dense returns the Gram matrix of a kernel bound to one set as rows and columns. It
// allocates one buffer of n² numbers and computes the n(n+1)/2 elements on and above
// the diagonal, tile by tile; it refuses, with a [*compute.TooLarge] error, what would exceed
// o.MaxMemory. The strict lower triangle of the storage, which [mat.SymDense] never
// reads, is left to the solvers: linalg puts its factor there.
func Dense(ctx context.Context, p kernel.Pairs, o compute.Options) (*mat.SymDense, error) {
	if err := square(p); err != nil {
		return nil, err
	}
	n, _ := p.Dims()
	if n == 0 {
		return &mat.SymDense{}, nil
	}
	if err := allow("dense", n, 8*int64(n)*int64(n), o); err != nil {
		return nil, err
	}
	dst := mat.NewSymDense(n, pages.Make[float64](n*n))
	if err := Fill(ctx, dst, p, o); err != nil {
		return nil, err
	}
	return dst, nil
}

// allow returns a [*compute.TooLarge] error if a matrix of n points needs more bytes than it may.
func allow(storage string, n int, need int64, o compute.Options) error {
	if o.MaxMemory <= 0 || need <= o.MaxMemory {
		return nil
	}
	return &compute.TooLarge{What: fmt.Sprintf("a %s %d×%d Gram matrix", storage, n, n), Need: need, Limit: o.MaxMemory}
}

// Fill computes the Gram matrix into dst, which must have the size of p. Filling one
// matrix again for every kernel of a grid keeps the peak at n² numbers; a fresh one
// each time can reach twice that before the collector runs.
func Fill(ctx context.Context, dst *mat.SymDense, p kernel.Pairs, o compute.Options) error {
	if err := square(p); err != nil {
		return err
	}
	n, _ := p.Dims()
	if dst.SymmetricDim() != n {
		return fmt.Errorf("gram: the Gram matrix is %d×%d but the matrix to hold it is %d×%d", n, n, dst.SymmetricDim(), dst.SymmetricDim())
	}
	if n == 0 {
		return ctx.Err()
	}
	p = kernel.Cached(p, o.Store)
	raw, cut := dst.RawSymmetric(), blocks{n, tileSide}
	tiles := triangle(cut.count()).list()
	progress := o.Meter("gram", int64(len(tiles)))
	return parallel.Each(ctx, o.WorkerCount(), len(tiles), func(_, t int) {
		row, rows := cut.at(tiles[t][0])
		col, cols := cut.at(tiles[t][1])
		p.Tile(kernel.Tile{Rows: rows, Cols: cols, Stride: raw.Stride, Data: raw.Data[row*raw.Stride+col:]}, row, col)
		progress.Add(1)
	})
}

// Rect computes the rectangular matrix k(xᵢ, yⱼ) into dst, which is given its size if
// it is empty.
func Rect(ctx context.Context, dst *mat.Dense, p kernel.Pairs, o compute.Options) error {
	rows, cols := p.Dims()
	if err := fit(dst, rows, cols); err != nil {
		return err
	}
	if dst.IsEmpty() {
		return ctx.Err()
	}
	p = kernel.Cached(p, o.Store)
	raw := dst.RawMatrix()
	return fillRect(ctx, p, o, func(row, col, rows, cols int) {
		p.Tile(kernel.Tile{Rows: rows, Cols: cols, Stride: raw.Stride, Data: raw.Data[row*raw.Stride+col:]}, row, col)
	})
}

// RectSingle is [Rect] in single precision, see [kernel.Fill32]: half the memory, for
// what reads its own matrices. Neither mat nor this package computes with them.
func RectSingle(ctx context.Context, dst *kernel.Tile32, p kernel.Pairs, o compute.Options) error {
	rows, cols := p.Dims()
	if dst.Rows == 0 && dst.Cols == 0 {
		*dst = kernel.Tile32{Rows: rows, Cols: cols, Stride: cols, Data: pages.Make[float32](rows * cols)}
	}
	if dst.Rows != rows || dst.Cols != cols || dst.Stride < cols || rows > 0 && len(dst.Data) < (rows-1)*dst.Stride+cols {
		return fmt.Errorf("gram: the result is %d×%d but the matrix to hold it is %d×%d, of %d numbers with stride %d", rows, cols, dst.Rows, dst.Cols, len(dst.Data), dst.Stride)
	}
	return fillRect(ctx, p, o, func(row, col, rows, cols int) {
		kernel.Fill32(p, kernel.Tile32{Rows: rows, Cols: cols, Stride: dst.Stride, Data: dst.Data[row*dst.Stride+col:]}, row, col)
	})
}

// fillRect calls fill for every tile of a rectangle.
func fillRect(ctx context.Context, p kernel.Pairs, o compute.Options, fill func(row, col, rows, cols int)) error {
	rows, cols := p.Dims()
	high, wide := blocks{rows, tileSide}, blocks{cols, tileSide}
	total := high.count() * wide.count()
	progress := o.Meter("gram", int64(total))
	return parallel.Each(ctx, o.WorkerCount(), total, func(_, t int) {
		row, rows := high.at(t / wide.count())
		col, cols := wide.at(t % wide.count())
		fill(row, col, rows, cols)
		progress.Add(1)
	})
}

// Materialize returns the matrix of any symmetric operator. A [Stream] is computed
// tile by tile as in [Dense]; the operator of [FromMatrix] returns its own matrix, not
// a copy; any other operator is multiplied with blocks of the identity, its two
// triangles are compared (see [checkSymmetric]) and averaged.
func Materialize(ctx context.Context, op Operator, o compute.Options) (*mat.SymDense, error) {
	if s, ok := op.(*Stream); ok && s.symmetric {
		return Dense(ctx, s.pairs, o)
	}
	if m, ok := op.(*Matrix); ok {
		return m.K, nil
	}
	return fromProducts(ctx, op, o)
}

// fromProducts multiplies op with the identity, 128 columns at a time.
func fromProducts(ctx context.Context, op Operator, o compute.Options) (*mat.SymDense, error) {
	if err := square(op); err != nil {
		return nil, err
	}
	n, _ := op.Dims()
	if n == 0 {
		return &mat.SymDense{}, ctx.Err()
	}
	if err := allow("dense", n, 8*int64(n)*int64(n), o); err != nil {
		return nil, err
	}
	full, cut := mat.NewDense(n, n, pages.Make[float64](n*n)), blocks{n, tileSide}
	progress := o.Meter("gram", int64(cut.count()))
	for b := range cut.count() {
		at, length := cut.at(b)
		unit, product := mat.NewDense(n, length, nil), mat.NewDense(n, length, nil)
		for j := range length {
			unit.Set(at+j, j, 1)
		}
		if err := op.Mul(ctx, product, unit); err != nil {
			return nil, err
		}
		full.Slice(0, n, at, at+length).(*mat.Dense).Copy(product)
		progress.Add(1)
	}
	if err := checkSymmetric(full); err != nil {
		return nil, err
	}
	raw := full.RawMatrix()
	for i := range n {
		for j := i + 1; j < n; j++ {
			raw.Data[i*n+j] = (raw.Data[i*n+j] + raw.Data[j*n+i]) / 2
		}
	}
	return mat.NewSymDense(n, raw.Data), nil
}

// symmetryTolerance bounds |Kᵢⱼ − Kⱼᵢ| by this fraction of the largest |K|: far above
// what summing in two orders costs in float64, and above the rounding of a file
// written with seven digits or in float32 (6·10⁻⁸), but far below any real asymmetry.
const symmetryTolerance = 1e-6

// checkSymmetric returns an error that names the worst element unless k is square,
// finite, and symmetric to 10⁻⁶ of its largest element.
func checkSymmetric(k *mat.Dense) error {
	n, cols := k.Dims()
	if n != cols {
		return fmt.Errorf("gram: a Gram matrix must be square, this one is %d×%d", n, cols)
	}
	largest, worst, row, col := 0.0, 0.0, 0, 0
	for i := range n {
		for j := range i + 1 {
			lower, upper := k.At(i, j), k.At(j, i)
			if d := math.Abs(lower - upper); d > worst || math.IsNaN(d) {
				worst, row, col = d, i, j
			}
			largest = max(largest, math.Abs(lower), math.Abs(upper))
			if math.IsNaN(largest) || math.IsInf(largest, 0) {
				return fmt.Errorf("gram: element (%d, %d) is %v or its mirror (%d, %d) is %v; a Gram matrix holds finite numbers", i, j, lower, j, i, upper)
			}
		}
	}
	if worst > symmetryTolerance*largest {
		return fmt.Errorf("gram: the matrix is not symmetric: element (%d, %d) is %v but (%d, %d) is %v, a difference of %.3g of the largest element",
			row, col, k.At(row, col), col, row, k.At(col, row), worst/largest)
	}
	return nil
}
