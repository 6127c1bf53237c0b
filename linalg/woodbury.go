package linalg

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"
)

// LowRankPreconditioner returns the operator (L·Lᵀ + diag(d))⁻¹ for the transpose of an
// n×r matrix L and d > 0, by Woodbury's formula: with V = Lᵀ·diag(d)^-½,
//
//	(LLᵀ + diag(d))⁻¹ = diag(d)^-½·(I − Vᵀ·(I + VVᵀ)⁻¹·V)·diag(d)^-½,
//
// in nr² flops once and 4nr per column and application. V takes the place of lt.
func LowRankPreconditioner(ctx context.Context, lt *mat.Dense, d []float64, o Options) (Operator, error) {
	r, n := lt.Dims()
	if n == 0 || len(d) != n {
		return nil, fmt.Errorf("linalg: low-rank preconditioner of a %d×%d factor with %d diagonal elements: the factor must not be empty, and each of its columns needs one", r, n, len(d))
	}
	w := &woodbury{v: general[float64](lt.RawMatrix()), scale: make([]float64, n), o: o}
	for i, s := range d {
		if !(s > 0) || math.IsInf(s, 1) {
			return nil, fmt.Errorf("linalg: low-rank preconditioner: diagonal element %d is %v: it must be a positive number", i, s)
		}
		w.scale[i] = 1 / math.Sqrt(s)
	}
	for i := range r {
		for j, row := 0, w.v.row(i); j < n; j++ {
			row[j] *= w.scale[j]
		}
	}
	inner := mat.NewSymDense(r, nil)
	level3Of(o).Syrk(blas.NoTrans, 1, double(w.v), 0, inner.RawSymmetric())
	var err error
	if w.inner, err = Factor(ctx, inner, 1, o); err != nil {
		return nil, fmt.Errorf("linalg: low-rank preconditioner: %w", err)
	}
	return w, nil
}

type woodbury struct {
	v     general[float64] // r×n
	scale []float64        // diag(d)^-½
	inner *Cholesky        // of I + VVᵀ
	o     Options
}

// Mul works on transposed right-hand sides: all products run along the rows of V.
func (w *woodbury) Mul(ctx context.Context, dst, x *mat.Dense) error {
	n, m := x.Dims()
	y := newMatrix[float64](m, n)
	transpose(y, general[float64](x.RawMatrix()))
	w.scaleRows(y)
	vx := newMatrix[float64](m, w.v.Rows) // −(V·x)ᵀ
	const high, wide = 32, 2048           // pieces of V for one worker
	err := each(ctx, w.o.workers(), (w.v.Rows+high-1)/high, func(i int) {
		at, rows := i*high, min(high, w.v.Rows-i*high)
		subtract(vx.view(0, at, m, rows), y, blas.Trans, w.v.view(at, 0, rows, n))
	})
	if err != nil {
		return err
	}
	solved := mat.NewDense(w.v.Rows, m, nil)
	transpose(general[float64](solved.RawMatrix()), vx)
	if err := w.inner.Solve(ctx, solved, solved); err != nil {
		return err
	}
	solved.Scale(-1, solved)
	transpose(vx, general[float64](solved.RawMatrix()))
	err = each(ctx, w.o.workers(), (n+wide-1)/wide, func(i int) {
		at, cols := i*wide, min(wide, n-i*wide)
		subtract(y.view(0, at, m, cols), vx, blas.NoTrans, w.v.view(0, at, w.v.Rows, cols))
	})
	if err != nil {
		return err
	}
	w.scaleRows(y)
	transpose(general[float64](dst.RawMatrix()), y)
	return nil
}

// scaleRows multiplies each row by diag(d)^-½.
func (w *woodbury) scaleRows(y general[float64]) {
	for i := range y.Rows {
		for j, row := 0, y.row(i); j < len(row); j++ {
			row[j] *= w.scale[j]
		}
	}
}
