package linalg

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Woodbury is the matrix P = L·Lᵀ + diag(d) with an n×r matrix L and d > 0, by the
// operators P⁻¹ ([Woodbury.Mul]) and a root of P ([Woodbury.Root]). With V = Lᵀ·diag(d)^-½
// and the Cholesky factor R·Rᵀ = I + VVᵀ,
//
//	P⁻¹ = diag(d)^-½·(I − Vᵀ·(I + VVᵀ)⁻¹·V)·diag(d)^-½
//	P   = S·Sᵀ,  S = diag(d)^½·(I + Vᵀ·(I + R)⁻¹·V)
//	|P| = |R|²·Π dᵢ
//
// S is a root because with Y = (I + R)⁻¹, YR = I − Y, the matrix
// Y + Yᵀ + Y·(RRᵀ − I)·Yᵀ is the identity. It is safe for concurrent use.
type Woodbury struct {
	v     general[float64] // r×n
	scale []float64        // diag(d)^-½
	inner *Cholesky        // of I + VVᵀ
	o     Options
}

// NewWoodbury returns P = L·Lᵀ + diag(d) for the transpose of an n×r matrix L and d > 0: nr²
// flops once, and 4nr per column and application. V takes the place of lt.
func NewWoodbury(ctx context.Context, lt *mat.Dense, d []float64, o Options) (*Woodbury, error) {
	r, n := lt.Dims()
	if n == 0 || len(d) != n {
		return nil, fmt.Errorf("linalg: low-rank matrix of a %d×%d factor with %d diagonal elements: the factor must not be empty, and each of its columns needs one", r, n, len(d))
	}
	w := &Woodbury{v: general[float64](lt.RawMatrix()), scale: make([]float64, n), o: o}
	for i, s := range d {
		if !(s > 0) || math.IsInf(s, 1) {
			return nil, fmt.Errorf("linalg: low-rank matrix: diagonal element %d is %v: it must be a positive number", i, s)
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
		return nil, fmt.Errorf("linalg: low-rank matrix: %w", err)
	}
	return w, nil
}

// Dims returns the order n of P twice.
func (w *Woodbury) Dims() (rows, cols int) { return w.v.Cols, w.v.Cols }

// Rank returns r, the number of columns of L.
func (w *Woodbury) Rank() int { return w.v.Rows }

// LogDet returns ln|P|.
func (w *Woodbury) LogDet() float64 {
	sum := w.inner.LogDet()
	for _, s := range w.scale {
		sum -= 2 * math.Log(s)
	}
	return sum
}

// Mul stores P⁻¹·x in dst, which may be x.
func (w *Woodbury) Mul(ctx context.Context, dst, x *mat.Dense) error {
	y := w.transposed(x)
	w.scaleRows(y)
	err := w.correct(ctx, y, func(u *mat.Dense) error {
		err := w.inner.Solve(ctx, u, u)
		u.Scale(-1, u)
		return err
	})
	if err != nil {
		return err
	}
	w.scaleRows(y)
	transpose(general[float64](dst.RawMatrix()), y)
	return nil
}

// Solve is [Woodbury.Mul], P⁻¹·b in dst, by the name that other factors give it.
func (w *Woodbury) Solve(ctx context.Context, dst, b *mat.Dense) error {
	if dst.IsEmpty() {
		dst.ReuseAs(b.Dims())
	}
	return w.Mul(ctx, dst, b)
}

// InverseDiag stores the diagonal of P⁻¹, (1 − ‖R⁻¹V eᵢ‖²)/dᵢ, in dst: nr² multiplications.
func (w *Woodbury) InverseDiag(ctx context.Context, dst []float64) error {
	r, n := w.v.Rows, w.v.Cols
	if len(dst) != n {
		return fmt.Errorf("linalg: diagonal of the inverse: destination has length %d, but the matrix is %d×%d", len(dst), n, n)
	}
	for from := 0; from < n; from += tileSize {
		to := min(from+tileSize, n)
		rows := newMatrix[float64](to-from, r) // (V eᵢ)ᵀ
		transpose(rows, w.v.view(0, from, r, to-from))
		white := new(mat.Dense)
		white.SetRawMatrix(blas64.General(rows))
		if err := w.inner.Whiten(ctx, white); err != nil {
			return err
		}
		for i := range to - from {
			x := vector(white.RawRowView(i))
			dst[from+i] = w.scale[from+i] * w.scale[from+i] * (1 - blas64.Dot(x, x))
		}
	}
	return nil
}

// Root stores S·x in dst, which may be x. Independent x of mean zero and variance one
// become vectors with the covariance P.
func (w *Woodbury) Root(ctx context.Context, dst, x *mat.Dense) error {
	y, r := w.transposed(x), w.Rank()
	shifted := newMatrix[float64](r, r) // I + R
	for i := range r {
		copy(shifted.row(i)[:i], w.inner.dense.a.Data[i*w.inner.dense.a.Stride:])
		shifted.row(i)[i] = 1 + w.inner.dense.diag[i]
	}
	err := w.correct(ctx, y, func(u *mat.Dense) error {
		raw := u.RawMatrix()
		level3Of(w.o).Dtrsm(blas.Left, blas.Lower, blas.NoTrans, blas.NonUnit, r, raw.Cols, 1, shifted.Data, shifted.Stride, raw.Data, raw.Stride)
		return nil
	})
	if err != nil {
		return err
	}
	for i := range y.Rows {
		for j, row := 0, y.row(i); j < len(row); j++ {
			row[j] /= w.scale[j]
		}
	}
	transpose(general[float64](dst.RawMatrix()), y)
	return nil
}

// transposed returns a copy of xᵀ: all products run along the rows of V.
func (w *Woodbury) transposed(x *mat.Dense) general[float64] {
	n, m := x.Dims()
	y := newMatrix[float64](m, n)
	transpose(y, general[float64](x.RawMatrix()))
	return y
}

// correct replaces every row y by y − Vᵀ·f(−V·y), where f works in place on r×m.
func (w *Woodbury) correct(ctx context.Context, y general[float64], f func(u *mat.Dense) error) error {
	m, n := y.Rows, y.Cols
	vx := newMatrix[float64](m, w.v.Rows) // −(V·y)ᵀ
	const high, wide = 32, 2048           // pieces of V for one worker
	err := each(ctx, w.o.workers(), (w.v.Rows+high-1)/high, func(i int) {
		at, rows := i*high, min(high, w.v.Rows-i*high)
		subtract(vx.view(0, at, m, rows), y, blas.Trans, w.v.view(at, 0, rows, n))
	})
	if err != nil {
		return err
	}
	u := mat.NewDense(w.v.Rows, m, nil)
	transpose(general[float64](u.RawMatrix()), vx)
	if err := f(u); err != nil {
		return err
	}
	transpose(vx, general[float64](u.RawMatrix()))
	return each(ctx, w.o.workers(), (n+wide-1)/wide, func(i int) {
		at, cols := i*wide, min(wide, n-i*wide)
		subtract(y.view(0, at, m, cols), vx, blas.NoTrans, w.v.view(0, at, w.v.Rows, cols))
	})
}

// scaleRows multiplies each row by diag(d)^-½.
func (w *Woodbury) scaleRows(y general[float64]) {
	for i := range y.Rows {
		for j, row := 0, y.row(i); j < len(row); j++ {
			row[j] *= w.scale[j]
		}
	}
}
