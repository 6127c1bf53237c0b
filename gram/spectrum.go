package gram

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"mercer/kernel"
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
func TotalVariance(ctx context.Context, p kernel.Pairs, o Options) (float64, error) {
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

// Alignment returns ⟨A, B⟩_F / (‖A‖_F·‖B‖_F), the cosine of two Gram matrices on the
// same points (N. Cristianini et al., On kernel-target alignment, NIPS 2001). Centre
// both first for the centred alignment of C. Cortes et al., JMLR 13, 2012.
func Alignment(ctx context.Context, a, b *mat.SymDense, o Options) (float64, error) {
	n := a.SymmetricDim()
	if n != b.SymmetricDim() {
		return 0, fmt.Errorf("gram: matrices of %d and %d points cannot be aligned", n, b.SymmetricDim())
	}
	// One triple (⟨A,B⟩, ‖A‖², ‖B‖²) per row, added in the order of rows.
	sums := make([][3]float64, n)
	err := forEach(ctx, o.WorkerCount(), n, func(_, i int) {
		s := &sums[i]
		for j := i; j < n; j++ {
			weight := 2.0 // an element above the diagonal stands for its mirror, too
			if i == j {
				weight = 1
			}
			x, y := a.At(i, j), b.At(i, j)
			s[0] += weight * x * y
			s[1] += weight * x * x
			s[2] += weight * y * y
		}
	})
	if err != nil {
		return 0, err
	}
	var total [3]float64
	for _, s := range sums {
		for t := range total {
			total[t] += s[t]
		}
	}
	if !(total[1] > 0 && total[2] > 0) {
		return 0, fmt.Errorf("gram: the alignment with a zero matrix is not defined")
	}
	return total[0] / math.Sqrt(total[1]) / math.Sqrt(total[2]), nil
}

// TargetAlignment returns yᵀKy / (‖K‖_F·‖y‖²), the alignment of K with yyᵀ.
func TargetAlignment(ctx context.Context, k *mat.SymDense, y []float64, o Options) (float64, error) {
	target := mat.NewSymDense(len(y), nil)
	target.SymRankOne(target, 1, mat.NewVecDense(len(y), y))
	return Alignment(ctx, k, target, o)
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
