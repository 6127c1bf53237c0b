package rkhs

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/kernel"
)

// Barycentre is μ = Σᵢ pᵢ φ(xᵢ) seen from the points: it exists in H, and is in general
// the image of no point.
type Barycentre struct {
	Shares     []float64 // pᵢ
	Diagonal   []float64 // k(xᵢ, xᵢ) = ‖φ(xᵢ)‖²
	Inner      []float64 // ⟨φ(xᵢ), μ⟩ = Σⱼ pⱼ kᵢⱼ
	Norm2      float64   // ‖μ‖² = Σᵢⱼ pᵢpⱼ kᵢⱼ
	Distances2 []float64 // ‖φ(xᵢ) − μ‖² = kᵢᵢ − 2⟨φ(xᵢ), μ⟩ + ‖μ‖²
	// Variance is Σᵢ pᵢ ‖φ(xᵢ) − μ‖², the expected squared distance from the barycentre, the
	// trace of the covariance, and half of the expected squared distance of two points.
	Variance float64
}

// BarycentreOf measures the points of a Gram matrix about their barycentre, with shares
// in proportion to the weights; nil weights are equal. It takes one product of K with a
// column. Errors: a matrix that is not square or not finite, no points, wrong weights.
func BarycentreOf(ctx context.Context, k Gram, weights []float64) (*Barycentre, error) {
	n, cols := k.Dims()
	if n != cols {
		return nil, fmt.Errorf("rkhs: a Gram matrix is square, this one is %d×%d", n, cols)
	}
	p, err := shares(n, weights)
	if err != nil {
		return nil, err
	}
	b := &Barycentre{Shares: p, Diagonal: make([]float64, n), Inner: make([]float64, n), Distances2: make([]float64, n)}
	kernel.Diag(k.Pairs(), b.Diagonal)
	if err := k.Mul(ctx, mat.NewDense(n, 1, b.Inner), column(p)); err != nil {
		return nil, err
	}
	for i, share := range p {
		b.Norm2 += share * b.Inner[i]
	}
	for i := range p {
		b.Distances2[i] = b.Diagonal[i] - 2*b.Inner[i] + b.Norm2
		b.Variance += p[i] * b.Distances2[i]
		if math.IsNaN(b.Distances2[i]) || math.IsInf(b.Distances2[i], 0) {
			return nil, fmt.Errorf("rkhs: row %d has kernel values that are not finite (with itself: %v): check the domain of the kernel and the size of its parameters", i, b.Diagonal[i])
		}
	}
	return b, nil
}

// constant reports whether all points are the same in H, but for rounding.
func (b *Barycentre) constant() bool {
	for i, d := range b.Distances2 {
		if math.Abs(d) > 1e-14*(math.Abs(b.Diagonal[i])+math.Abs(b.Norm2)) {
			return false
		}
	}
	return true
}

// centredPairs is k_c(xᵢ, xⱼ) = ⟨φ(xᵢ) − μ, φ(xⱼ) − μ⟩ in tiles.
type centredPairs struct {
	kernel.Pairs
	about *Barycentre
}

func (c centredPairs) Tile(dst kernel.Tile, row, col int) {
	c.Pairs.Tile(dst, row, col)
	for i := range dst.Rows {
		out, shift := dst.Row(i), c.about.Norm2-c.about.Inner[row+i]
		for j := range out {
			out[j] += shift - c.about.Inner[col+j]
		}
	}
}

func (c centredPairs) Diag(dst []float64) { copy(dst, c.about.Distances2) }
