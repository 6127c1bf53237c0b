package rkhs

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Embedding returns the finite embedding of Moore and Aronszajn of n points with the
// Gram matrix K = UΛUᵀ: row i holds φ(xᵢ) = (√λ₁ u_{i1}, √λ₂ u_{i2}, …), so that
// ⟨φ(xᵢ), φ(xⱼ)⟩ = K_ij. Only the columns of positive eigenvalues are kept, the
// largest first. It returns an error that names the smallest eigenvalue where that is
// negative beyond rounding, below −n·2⁻⁵²·λmax. The work is O(n³).
func Embedding(gram *mat.SymDense) (*mat.Dense, error) {
	n := gram.SymmetricDim()
	var eigen mat.EigenSym
	if !eigen.Factorize(gram, true) {
		return nil, fmt.Errorf("rkhs: the eigenvalues of the Gram matrix could not be computed; does it hold NaN?")
	}
	values := eigen.Values(nil) // ascending
	if low := values[0]; low < -float64(n)*0x1p-52*math.Max(-low, values[n-1]) {
		return nil, fmt.Errorf("rkhs: the Gram matrix has the negative eigenvalue %v: no embedding has these inner products", low)
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	rank := 0
	for _, v := range values {
		if v > 0 {
			rank++
		}
	}
	phi := mat.NewDense(n, max(rank, 1), nil)
	for c := range rank {
		root := math.Sqrt(values[n-1-c])
		for i := range n {
			phi.Set(i, c, root*vectors.At(i, n-1-c))
		}
	}
	return phi, nil
}
