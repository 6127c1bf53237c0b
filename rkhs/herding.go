package rkhs

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

// Herding chooses m of the points whose mean is near the barycentre μ of all. After t choices
// the next is the point x with the largest
//
//	μ(x) − (1/(t+1)) Σ_s k(x, x_s),
//
// which for points of equal norm brings the mean nearest to μ. A point may be chosen again unless
// distinct is set. It returns the points in their order and, after each, ‖μ − (1/t) Σ_s φ(x_s)‖².
// This falls as 1/t² at best, and as 1/t for points drawn at random. Cost: one product with K, and
// a row of it for each choice; O(n) memory.
//
// Y. Chen, M. Welling and A. Smola, Super-samples from kernel herding, UAI 2010.
func Herding(ctx context.Context, k Gram, weights []float64, m int, distinct bool, o compute.Options) (chosen []int, gap2 []float64, err error) {
	n, _ := k.Dims()
	if m < 1 || distinct && m > n {
		return nil, nil, fmt.Errorf("rkhs: %d of %d points cannot be chosen", m, n)
	}
	b, err := BarycentreOf(ctx, k, weights)
	if err != nil {
		return nil, nil, err
	}
	rows, row := gram.Of(k.Pairs(), o), mat.NewDense(1, n, nil)
	sums, taken := make([]float64, n), make([]bool, n) // Σ_s k(xᵢ, x_s)
	inner, within := 0.0, 0.0                          // Σ_s μ(x_s) and Σ_st k(x_s, x_t)
	for t := range m {
		best, value := -1, math.Inf(-1)
		for i := range n {
			if v := b.Inner[i] - sums[i]/float64(t+1); v > value && !(distinct && taken[i]) {
				best, value = i, v
			}
		}
		if err := rows.Rows(ctx, row, []int{best}); err != nil {
			return nil, nil, err
		}
		chosen, taken[best] = append(chosen, best), true
		inner += b.Inner[best]
		within += 2*sums[best] + b.Diagonal[best]
		for i, v := range row.RawRowView(0) {
			sums[i] += v
		}
		count := float64(t + 1)
		gap2 = append(gap2, b.Norm2-2*inner/count+within/(count*count))
	}
	return chosen, gap2, nil
}

var _ Gram = (*gram.Stream)(nil)
var _ kernel.Diagonal = centredPairs{}
