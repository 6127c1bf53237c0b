package gram

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
)

// Spectrum returns the eigenvalues of k, the largest first. k is not changed; the cost
// is that of [linalg.EigenvaluesSym].
func Spectrum(ctx context.Context, k *mat.SymDense, o compute.Options) ([]float64, error) {
	if k.SymmetricDim() == 0 {
		return nil, ctx.Err()
	}
	values, err := linalg.EigenvaluesSym(ctx, k, linalg.Options{Workers: o.Workers, Progress: o.Progress})
	if err != nil {
		return nil, fmt.Errorf("gram: spectrum: %w", err)
	}
	slices.Reverse(values)
	return values, nil
}

// EffectiveDimension returns Σᵢ λᵢ/(λᵢ + ridge), the degrees of freedom of kernel ridge
// regression with the matrix of these eigenvalues and ridge = nλ > 0: the trace of
// K(K + ridge·I)⁻¹. (T. Zhang, Learning bounds for kernel regression using effective
// data dimensionality, Neural Computation 17, 2005.) Eigenvalues that rounding made
// negative count as zero.
func EffectiveDimension(eigenvalues []float64, ridge float64) float64 {
	sum := 0.0
	for _, v := range eigenvalues {
		if v > 0 {
			sum += v / (v + ridge)
		}
	}
	return sum
}

// IndefiniteNote returns a sentence on the negative eigenvalues of an n×n matrix that
// rounding cannot explain, those below −n·ε·max|λ| with ε = 2⁻⁵², and "" where there
// are none.
func IndefiniteNote(eigenvalues []float64) string {
	n := len(eigenvalues)
	if n == 0 {
		return ""
	}
	smallest := floats.Min(eigenvalues)
	largest := max(math.Abs(floats.Max(eigenvalues)), math.Abs(smallest))
	bound, count := -float64(n)*0x1p-52*largest, 0
	for _, v := range eigenvalues {
		if v < bound {
			count++
		}
	}
	if count == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d eigenvalues are negative beyond rounding; the smallest, %.3g, is %.2g of the largest: the matrix is not positive semi-definite",
		count, n, smallest, math.Abs(smallest)/largest)
}
