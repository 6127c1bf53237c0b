package gram

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/internal/parallel"
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

// Alignment returns ⟨A, B⟩_F / (‖A‖_F·‖B‖_F), the cosine of two Gram matrices on the
// same points (N. Cristianini et al., On kernel-target alignment, NIPS 2001). Centre
// both first for the centred alignment of C. Cortes et al., JMLR 13, 2012.
func Alignment(ctx context.Context, a, b *mat.SymDense, o compute.Options) (float64, error) {
	if n, m := a.SymmetricDim(), b.SymmetricDim(); n != m {
		return 0, fmt.Errorf("gram: matrices of %d and %d points cannot be aligned", n, m)
	}
	inner, err := frobenius(ctx, a, b, o)
	if err != nil {
		return 0, err
	}
	normA, errA := frobenius(ctx, a, a, o)
	normB, errB := frobenius(ctx, b, b, o)
	if err := errors.Join(errA, errB); err != nil {
		return 0, err
	}
	return cosine(inner, normA, normB)
}

// TargetAlignment returns yᵀKy / (‖K‖_F·‖y‖²), the alignment of K with the ideal matrix
// yyᵀ.
func TargetAlignment(ctx context.Context, k *mat.SymDense, y []float64, o compute.Options) (float64, error) {
	n := k.SymmetricDim()
	if n != len(y) {
		return 0, fmt.Errorf("gram: a matrix of %d points cannot be aligned with %d targets", n, len(y))
	}
	norm, err := frobenius(ctx, k, k, o)
	if err != nil || n == 0 {
		return 0, err
	}
	product, column := new(mat.Dense), mat.NewDense(n, 1, y)
	if err := FromMatrix(k).Mul(ctx, product, column); err != nil {
		return 0, err
	}
	square := floats.Dot(y, y)
	return cosine(floats.Dot(y, product.RawMatrix().Data), norm, square*square)
}

// cosine returns inner/√(a·b), or an error where one of them is not positive.
func cosine(inner, a, b float64) (float64, error) {
	if !(a > 0 && b > 0) {
		return 0, errors.New("gram: the alignment with a matrix of zeros, or of NaN, is not defined")
	}
	return inner / math.Sqrt(a) / math.Sqrt(b), nil
}

// frobenius returns ⟨A, B⟩_F = Σᵢⱼ aᵢⱼbᵢⱼ, one partial sum per row, added in order.
func frobenius(ctx context.Context, a, b *mat.SymDense, o compute.Options) (float64, error) {
	x, y := a.RawSymmetric(), b.RawSymmetric()
	sums := make([]float64, x.N)
	err := parallel.Each(ctx, o.WorkerCount(), x.N, func(_, i int) {
		above := floats.Dot(x.Data[i*x.Stride+i+1:i*x.Stride+x.N], y.Data[i*y.Stride+i+1:i*y.Stride+y.N])
		sums[i] = x.Data[i*x.Stride+i]*y.Data[i*y.Stride+i] + 2*above
	})
	return floats.Sum(sums), err
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
