package linalg

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// InverseDiag stores the diagonal of A⁻¹ in dst, which must have length n:
// (A⁻¹)ⱼⱼ = Σᵢ (L⁻¹)ᵢⱼ². The columns of L⁻¹ are made block by block and forgotten:
// n³/3 flops, n·256 numbers of memory per worker.
func (f *CholeskyFactor) InverseDiag(ctx context.Context, dst []float64) error {
	n := f.Dim()
	if len(dst) != n {
		return fmt.Errorf("linalg: diagonal of the inverse: destination has length %d, but the matrix is %d×%d", len(dst), n, n)
	}
	return f.inverseColumns(ctx, "inverse diagonal", func(j int, u blas64.General) {
		for i := range u.Rows {
			r := row(u, i)
			dst[j*tileSize+i] = blas64.Dot(vector(r), vector(r))
		}
	})
}

// inverseColumns calls use(j, U) for each block column j of L⁻¹, concurrently.
// Row i of U is column j·tileSize+i of L⁻¹ without the zeros above block row j. U is
// valid during the call.
func (f *CholeskyFactor) inverseColumns(ctx context.Context, stage string, use func(j int, u blas64.General)) error {
	n := f.Dim()
	count := tiles(n)
	progress := f.o.meter(stage, int64(count)*int64(count+1)/2)
	columns, buffers := newScratch(min(n, tileSize), n), newTiles[float64](n)
	return each(ctx, f.o.workers(), count, func(j int) {
		whole, buf := columns.get(), buffers.get()
		defer columns.put(whole)
		defer buffers.put(buf)
		width := extent(n, j)
		u := view(*whole, 0, 0, width, n)
		clear(u.Data)
		for i := range width {
			u.Data[i*u.Stride+j*tileSize+i] = 1
		}
		f.forward(ctx, general[float64](u), j, 1, *buf)
		use(j, view(u, 0, j*tileSize, width, n-j*tileSize))
		progress.Add(int64(count - j))
	})
}

// Inverse returns A⁻¹ = L⁻ᵀ·L⁻¹ in new storage of n² numbers: 2n³/3 flops.
func (f *CholeskyFactor) Inverse(ctx context.Context) (*mat.SymDense, error) {
	n := f.Dim()
	if n == 0 {
		return new(mat.SymDense), nil
	}
	inverse := mat.NewSymDense(n, nil)
	raw := inverse.RawSymmetric()
	z := blas64.General{Rows: n, Cols: n, Stride: raw.Stride, Data: raw.Data}
	err := f.inverseColumns(ctx, "inverse factor", func(j int, u blas64.General) {
		copyTo(view(z, j*tileSize, j*tileSize, u.Rows, u.Cols), u)
	})
	if err != nil {
		return nil, err
	}
	if err := multiplyUpper(ctx, z, f.o); err != nil {
		return nil, err
	}
	return inverse, nil
}

// multiplyUpper replaces the upper triangle of z, which holds U, by that of U·Uᵀ.
// Tile (j, i) of the product is Σ_{k≥i} U_jk·U_ikᵀ, so that block column i of U is
// not needed any more once block column i of the product is complete.
func multiplyUpper(ctx context.Context, z blas64.General, o Options) error {
	n := z.Rows
	count := tiles(n)
	at := func(i, j int) blas64.General {
		return view(z, i*tileSize, j*tileSize, extent(n, i), extent(n, j))
	}
	progress := o.meter("inverse", int64(count)*int64(count+1)*int64(count+2)/6)
	buffers := newTiles[float64](n)
	for i := range count {
		column := func(j int) {
			c := at(j, i)
			buf := buffers.get()
			defer buffers.put(buf)
			first := view(blas64.General(*buf), 0, 0, c.Rows, c.Cols)
			copyTo(first, c)
			u := at(i, i)
			if j == i {
				u = first
			}
			serial.Gemm(blas.NoTrans, blas.Trans, 1, first, u, 0, c)
			for k := i + 1; k < count && ctx.Err() == nil; k++ {
				serial.Gemm(blas.NoTrans, blas.Trans, 1, at(j, k), at(i, k), 1, c)
			}
			progress.Add(int64(count - i))
		}
		if err := each(ctx, o.workers(), i, column); err != nil {
			return err
		}
		column(i)
	}
	return nil
}

// Condition returns an estimate of the condition number κ₁(A) = ‖A‖₁·‖A⁻¹‖₁, a lower
// bound that is nearly always within a factor of 3. The first call takes about five
// solutions, 10n² flops.
//
// Higham, FORTRAN codes for estimating the one-norm of a real or complex matrix, ACM
// TOMS 14 (1988).
func (f *factor[F]) Condition() float64 {
	f.once.Do(func() { f.condition = f.norm * f.inverseNorm() })
	return f.condition
}

func (f *factor[F]) inverseNorm() float64 {
	n := f.Dim()
	narrow, buf := newMatrix[F](1, n), newMatrix[F](min(n, tileSize), min(n, tileSize))
	return estimateNorm(n, func(x []float64) {
		for i, v := range x {
			narrow.Data[i] = F(v)
		}
		f.forward(context.Background(), narrow, 0, f.o.workers(), buf)
		f.backward(context.Background(), narrow, f.o.workers(), buf)
		for i, v := range narrow.Data {
			x[i] = float64(v)
		}
	})
}
