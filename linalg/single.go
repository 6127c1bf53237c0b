package linalg

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// PackedSingle is a [Packed] of float32: the lower triangle of a symmetric matrix in
// the same tiles, 4 bytes per number.
type PackedSingle struct{ packed[float32] }

// NewPackedSingle returns a matrix of zeros of order n. It panics if n is negative.
func NewPackedSingle(n int) *PackedSingle { return &PackedSingle{newPacked[float32](n)} }

// PackedSingleBytes returns the memory in bytes that a [PackedSingle] of order n takes.
func PackedSingleBytes(n int) int64 { return 4 * packedSize(n) }

// FactoredSingle is a Cholesky factor in single precision. A solution with it has about
// 7 − log₁₀ κ(A) digits; as a preconditioner of [CG] in double precision it reaches the
// residuals of a factor in double precision in a few products with A, as long as κ(A)
// is far below 2²⁴. Its methods are safe for concurrent use.
//
// Higham and Mary, Mixed precision algorithms in numerical linear algebra, Acta
// Numerica 31 (2022), section 5.
type FactoredSingle struct{ factor[float32] }

// FactorPackedSingle returns the Cholesky factor of A + diag(shift), shift of length n,
// and stores it in place of A: afterwards p belongs to the result and must not be
// used. n³/3 flops.
//
// The error is a [*NotPositiveDefinite] if the factorization breaks down, which in
// single precision says only that the smallest eigenvalue is below about n·2⁻²⁴ of the
// largest, or that elements overflow; or that of ctx. A is lost in any case.
func FactorPackedSingle(ctx context.Context, p *PackedSingle, shift []float64, o Options) (*FactoredSingle, error) {
	f := &FactoredSingle{}
	if err := f.fromPacked(ctx, &p.packed, shift, o); err != nil {
		return nil, err
	}
	return f, nil
}

// Solve stores the solution X of A·X = B, as far as single precision gives it, in dst
// (n×m, or empty), which may be b. Each column is scaled by a power of two first, so
// that small right-hand sides do not underflow. It takes 2n²m flops.
func (f *FactoredSingle) Solve(ctx context.Context, dst, b *mat.Dense) error {
	if err := shape(dst, b, f.Dim()); err != nil {
		return fmt.Errorf("linalg: solve in single precision: %w", err)
	}
	_, cols := b.Dims()
	scale := make([]float64, cols)
	for i := range f.Dim() {
		for j, v := range b.RawRowView(i) {
			scale[j] = math.Max(scale[j], math.Abs(v))
		}
	}
	for j, v := range scale {
		_, exponent := math.Frexp(v)
		scale[j] = math.Ldexp(1, exponent)
	}
	for i := range f.Dim() {
		to := dst.RawRowView(i)
		for j, v := range b.RawRowView(i) {
			to[j] = v / scale[j]
		}
	}
	if err := f.factor.Solve(ctx, dst, dst); err != nil {
		return err
	}
	for i := range f.Dim() {
		for j, v := 0, dst.RawRowView(i); j < len(v); j++ {
			v[j] *= scale[j]
		}
	}
	return nil
}

// Preconditioner returns the operator that multiplies by A⁻¹ as [FactoredSingle.Solve]
// does.
func (f *FactoredSingle) Preconditioner() Operator { return inverse{f} }
