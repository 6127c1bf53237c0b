package linalg

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"mercer/linalg/level3"
)

// LowRank is a partial Cholesky factorization A ≈ L·Lᵀ of a positive semidefinite
// matrix; A − L·Lᵀ is positive semidefinite and zero in the rows of the pivots.
type LowRank struct {
	L      *mat.Dense // n×rank, rank ≥ 1
	Pivots []int      // row chosen in each step
	Trace  float64    // trace of A − L·Lᵀ that remains, an upper bound of its norm
}

// PivotedCholesky approximates a positive semidefinite matrix, given by its diagonal
// and a function that stores column j in dst, by greedy pivoting on the largest
// remaining diagonal element. It stops at the given rank, or when the remaining trace
// is at most tol times that of A. rank columns of A are computed; n·rank² flops,
// n·rank numbers of memory.
//
// Harbrecht, Peters and Schneider, On the low-rank approximation by the pivoted Cholesky
// decomposition, Applied Numerical Mathematics 62 (2012), algorithm 1.
func PivotedCholesky(ctx context.Context, diag []float64, column func(ctx context.Context, j int, dst []float64) error, rank int, tol float64) (*LowRank, error) {
	n := len(diag)
	if n == 0 || rank < 1 || !(tol >= 0) {
		return nil, fmt.Errorf("linalg: pivoted Cholesky of order %d to rank %d, tolerance %v: order and rank must be at least 1, the tolerance not negative", n, rank, tol)
	}
	rest := append([]float64(nil), diag...)
	trace, err := remaining(rest)
	if err != nil {
		return nil, err
	}
	rank = min(rank, n)
	rows := newGeneral(rank, n) // Lᵀ
	low := &LowRank{Trace: trace}
	for k := 0; k < rank && (k == 0 || low.Trace > tol*trace); k++ {
		p := argmax(rest)
		if !(rest[p] > 0) {
			break
		}
		if err := low.append(ctx, rows, rest, p, column); err != nil {
			return nil, err
		}
	}
	k := len(low.Pivots)
	if k == 0 {
		return nil, fmt.Errorf("linalg: pivoted Cholesky: the diagonal has no positive element: the matrix is zero or not positive semidefinite")
	}
	low.L = mat.DenseCopyOf(mat.NewDense(rank, n, rows.Data).Slice(0, k, 0, n).T())
	return low, nil
}

// append adds row k of Lᵀ: ℓ_k = (A_p − Σ_{i<k} ℓ_i·ℓ_ip)/√rest_p.
func (low *LowRank) append(ctx context.Context, rows blas64.General, rest []float64, p int, column func(ctx context.Context, j int, dst []float64) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	k := len(low.Pivots)
	l := row(rows, k)
	if err := column(ctx, p, l); err != nil {
		return err
	}
	for i := range k {
		li := row(rows, i)
		blas64.Axpy(-li[p], vector(li), vector(l))
	}
	pivot := math.Sqrt(rest[p])
	low.Trace = 0
	for i := range l {
		l[i] /= pivot
		rest[i] -= l[i] * l[i]
	}
	l[p], rest[p] = pivot, 0
	for _, q := range low.Pivots { // exact zeros that rounding has blurred
		l[q], rest[q] = 0, 0
	}
	low.Pivots = append(low.Pivots, p)
	for i, v := range rest {
		if math.IsNaN(v) {
			return fmt.Errorf("linalg: pivoted Cholesky: element (%d, %d) is not a number", i, p)
		}
		low.Trace += math.Max(v, 0)
	}
	return nil
}

// remaining returns the sum of a diagonal after checking it.
func remaining(diag []float64) (float64, error) {
	sum := 0.0
	for i, v := range diag {
		if !(v >= 0) || math.IsInf(v, 1) {
			return 0, fmt.Errorf("linalg: pivoted Cholesky: diagonal element %d is %v: a positive semidefinite matrix has none such", i, v)
		}
		sum += v
	}
	return sum, nil
}

// argmax returns the first index of a largest element.
func argmax(x []float64) int {
	at := 0
	for i, v := range x {
		if v > x[at] {
			at = i
		}
	}
	return at
}

// LowRankPreconditioner returns the operator (L·Lᵀ + shift·I)⁻¹ for an n×r matrix L and
// shift > 0, by Woodbury's formula
//
//	(LLᵀ + sI)⁻¹ = (I − L·(sI + LᵀL)⁻¹·Lᵀ)/s,
//
// in nr² flops once and 4nr per column and application.
func LowRankPreconditioner(l *mat.Dense, shift float64) (Operator, error) {
	n, r := l.Dims()
	if !(shift > 0) || math.IsInf(shift, 1) || n == 0 || r == 0 {
		return nil, fmt.Errorf("linalg: low-rank preconditioner of a %d×%d factor with shift %v: the factor must not be empty and the shift must be positive", n, r, shift)
	}
	gram := mat.NewSymDense(r, nil)
	level3.Implementation{}.Syrk(blas.Trans, 1, l.RawMatrix(), 0, gram.RawSymmetric())
	inner, err := Factor(context.Background(), gram, shift, Options{})
	if err != nil {
		return nil, fmt.Errorf("linalg: low-rank preconditioner: %w", err)
	}
	return &woodbury{l: l, shift: shift, inner: inner}, nil
}

type woodbury struct {
	l     *mat.Dense
	shift float64
	inner *Cholesky // of LᵀL + shift·I
}

func (w *woodbury) Mul(ctx context.Context, dst, x *mat.Dense) error {
	var t mat.Dense
	t.Mul(w.l.T(), x)
	if err := w.inner.Solve(ctx, &t, &t); err != nil {
		return err
	}
	dst.Mul(w.l, &t)
	dst.Sub(x, dst)
	dst.Scale(1/w.shift, dst)
	return nil
}
