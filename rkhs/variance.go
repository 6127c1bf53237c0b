package rkhs

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
)

// ProjectedVariance is how much the points vary along v = Φα.
type ProjectedVariance struct {
	Norm2 float64 `json:"norm2"` // ‖v‖² = αᵀKα
	// Variance is that of ⟨v, φ(xᵢ)⟩: with equal shares (1/n)αᵀK²α − ((1/n)αᵀK1)².
	Variance float64 `json:"variance"`
	// Unit is the variance along v/‖v‖, at most the largest that kernel PCA finds; 0 where
	// ‖v‖² is not positive.
	Unit float64 `json:"unit"`
}

// ProjectedVariances returns the variance of the points along v = Φα for every column α
// of the n×m matrix, with shares in proportion to the weights. It takes one product of K.
func ProjectedVariances(ctx context.Context, k gram.Operator, alpha *mat.Dense, weights []float64) ([]ProjectedVariance, error) {
	n, cols := k.Dims()
	rows, m := alpha.Dims()
	if rows != n || n != cols {
		return nil, fmt.Errorf("rkhs: directions in the span of the points of a %d×%d Gram matrix cannot have %d coefficients", n, cols, rows)
	}
	p, err := shares(n, weights)
	if err != nil {
		return nil, err
	}
	z := new(mat.Dense) // ⟨v, φ(xᵢ)⟩
	if err := k.Mul(ctx, z, alpha); err != nil {
		return nil, err
	}
	out, norms := make([]ProjectedVariance, m), columnDots(alpha, z)
	for j := range out {
		mean := 0.0
		for i, share := range p {
			mean += share * z.At(i, j)
		}
		for i, share := range p {
			d := z.At(i, j) - mean // not by the printed difference of squares, which cancels
			out[j].Variance += share * d * d
		}
		if out[j].Norm2 = norms[j]; norms[j] > 0 {
			out[j].Unit = out[j].Variance / norms[j]
		}
	}
	return out, nil
}
