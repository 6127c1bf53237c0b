package gram

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
)

// Trace returns Σᵢ k(xᵢ, xᵢ), the sum of all eigenvalues.
func Trace(p kernel.Pairs) (float64, error) {
	if err := square(p); err != nil {
		return 0, err
	}
	n, _ := p.Dims()
	diag := make([]float64, n)
	kernel.Diag(p, diag)
	return floats.Sum(diag), nil
}

// TotalVariance returns (1/n) Σᵢ ‖φ(xᵢ) − μ‖² = (1/n) Σᵢ k(xᵢ, xᵢ) − (1/n²) Σᵢⱼ k(xᵢ, xⱼ),
// the trace of the centred Gram matrix over n. It takes one pass over the elements and
// no n² memory.
func TotalVariance(ctx context.Context, p kernel.Pairs, o compute.Options) (float64, error) {
	trace, err := Trace(p)
	if err != nil {
		return 0, err
	}
	n, _ := p.Dims()
	if n == 0 {
		return 0, ctx.Err()
	}
	c, err := CentringOf(ctx, Of(p, o))
	if err != nil {
		return 0, err
	}
	return trace/float64(n) - c.Mean, nil
}

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
