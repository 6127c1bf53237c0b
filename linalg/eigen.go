package linalg

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	lapackgonum "gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// Eigen is the spectral decomposition A = V·diag(Values)·Vᵀ of a symmetric matrix.
type Eigen struct {
	Values  []float64  // ascending
	Vectors *mat.Dense // column j is a unit eigenvector of Values[j]; n×n, orthogonal
}

// EigenBytes is what panels and vectors of an eigendecomposition of order n take in a checkpoint.
func EigenBytes(n int) int64 { return 16 * int64(n) * int64(n) }

// EigenSym returns the spectral decomposition of a, which is not changed: reduction to
// tridiagonal form, divide and conquer, back-transformation. 10n³/3 flops where
// eigenvalues cluster, up to 14n³/3 where they do not; up to 4n² numbers of memory, the
// vectors included. With c a small constant, ‖AV − V·diag(Values)‖ is at most c·n·ε·‖A‖ and
// ‖VᵀV − I‖ at most c·n·ε.
//
// The error is that of ctx, or names the first element that is not finite.
func EigenSym(ctx context.Context, a *mat.SymDense, o Options) (*Eigen, error) {
	n := a.SymmetricDim()
	if n == 0 {
		return &Eigen{Vectors: new(mat.Dense)}, ctx.Err()
	}
	t, exponent, err := reduce(ctx, a, o)
	if err != nil {
		return nil, err
	}
	c, err := decomposeTridiagonal(ctx, t.diag, t.off, o)
	if err != nil {
		return nil, err
	}
	if err := t.backTransform(ctx, c.q, o); err != nil {
		return nil, err
	}
	return c.result(exponent), nil
}

// EigenvaluesSym returns the eigenvalues of a, ascending, with an absolute error of at
// most c·n·ε·‖A‖ for a small constant c. 4n³/3 flops, n² numbers of memory. Errors are
// those of [EigenSym].
func EigenvaluesSym(ctx context.Context, a *mat.SymDense, o Options) ([]float64, error) {
	n := a.SymmetricDim()
	t, exponent, err := reduce(ctx, a, o)
	if err != nil {
		return nil, err
	}
	dropNegligible(t.off)
	var impl lapackgonum.Implementation
	if !impl.Dsterf(n, t.diag, t.off) {
		return nil, notConverged(n)
	}
	for i, v := range t.diag {
		t.diag[i] = math.Ldexp(v, exponent)
	}
	return t.diag, nil
}

// reduce returns the tridiagonal form of a·2^−exponent.
func reduce(ctx context.Context, a *mat.SymDense, o Options) (t *tridiagonal, exponent int, err error) {
	scaled, exponent, err := scaledCopy(a)
	if err != nil {
		return nil, 0, err
	}
	t, err = tridiagonalize(ctx, scaled, o)
	return t, exponent, err
}

// notConverged is the error of the QL iteration, which takes 30 steps per eigenvalue and
// is not known to fail on finite matrices.
func notConverged(n int) error {
	return fmt.Errorf("linalg: eigenvalues of a tridiagonal matrix of order %d did not converge", n)
}

// scaledCopy returns the upper triangle of a·2^−exponent, where exponent brings the
// largest element between 1/2 and 1, so that nothing overflows and tolerances are
// absolute.
func scaledCopy(a *mat.SymDense) (scaled blas64.General, exponent int, err error) {
	raw := a.RawSymmetric()
	n, most := raw.N, 0.0
	for i := range n {
		for j, v := range raw.Data[i*raw.Stride+i : i*raw.Stride+n] {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return scaled, 0, fmt.Errorf("linalg: eigenvalues: element (%d, %d) is %v: the matrix must be finite; remove the row or repair the kernel", i, i+j, v)
			}
			most = math.Max(most, math.Abs(v))
		}
	}
	_, exponent = math.Frexp(most)
	half := math.Ldexp(1, -exponent/2) // 2^−exponent itself may overflow
	rest := math.Ldexp(1, -exponent-(-exponent/2))
	scaled = newGeneral(n, n)
	for i := range n {
		to := row(scaled, i)[i:]
		for j, v := range raw.Data[i*raw.Stride+i : i*raw.Stride+n] {
			to[j] = v * half * rest
		}
	}
	return scaled, exponent, nil
}

// result returns the decomposition in ascending order, scaled back, in the storage of
// the workspace.
func (c *divideAndConquer) result(exponent int) *Eigen {
	n := len(c.d)
	e := &Eigen{Values: make([]float64, n), Vectors: mat.NewDense(n, n, c.work.Data)}
	for j, from := range c.order {
		e.Values[j] = math.Ldexp(c.d[from], exponent)
	}
	const edge = 16 // as in transposeTo
	v := e.Vectors.RawMatrix()
	for i0 := 0; i0 < n; i0 += edge {
		for j, from := range c.order {
			for i := i0; i < min(i0+edge, n); i++ {
				v.Data[i*v.Stride+j] = c.q.Data[from*c.q.Stride+i]
			}
		}
	}
	return e
}
