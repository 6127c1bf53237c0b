package linalg

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Eigen is the spectral decomposition A = V·diag(Values)·Vᵀ of a symmetric matrix.
type Eigen struct {
	Values  []float64  // ascending
	Vectors *mat.Dense // column j is a unit eigenvector of Values[j]; n×n, orthogonal
}

// EigenSym returns the spectral decomposition of a, which is not changed. It holds 3n²
// numbers at its peak.
//
// The error is that of ctx, or names the first element that is not finite.
func EigenSym(ctx context.Context, a *mat.SymDense, o Options) (*Eigen, error) {
	n := a.SymmetricDim()
	for i := range n {
		for j := i; j < n; j++ {
			if v := a.At(i, j); math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("linalg: eigenvalues: element (%d, %d) is %v: the matrix must be finite; remove the row or repair the kernel", i, j, v)
			}
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var e mat.EigenSym
	if !e.Factorize(a, true) {
		return nil, fmt.Errorf("linalg: eigenvalues of a %d×%d matrix did not converge", n, n)
	}
	v := new(mat.Dense)
	e.VectorsTo(v)
	return &Eigen{Values: e.Values(nil), Vectors: v}, nil
}
