package structured

import (
	"context"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
)

// bordered is the system with an intercept: with A = W½KW½ + NλI, g = W½1 and u = A⁻¹g its
// solution for a right-hand side R is b = Rᵀu/gᵀu, Z = A⁻¹R − ubᵀ, and the diagonal of the
// first block of its inverse is that of A⁻¹ less uᵢ²/gᵀu.
type bordered struct {
	factor *linalg.Cholesky
	roots  []float64 // g
	u      []float64 // nil without an intercept
	gu     float64   // gᵀu > 0
}

// newFactor factors W½KW½ + NλI.
func newFactor(ctx context.Context, k gram.Operator, roots []float64, ridge float64, o compute.Options) (*linalg.Cholesky, error) {
	a, err := gram.CopyDense(ctx, k, o)
	if err != nil {
		return nil, err
	}
	raw := a.RawSymmetric()
	for i, root := range roots {
		for j := i; j < len(roots); j++ {
			raw.Data[i*raw.Stride+j] *= root * roots[j]
		}
	}
	return linalg.Factor(ctx, a, ridge, o.Factoring())
}

func newBordered(ctx context.Context, factor *linalg.Cholesky, roots []float64, noIntercept bool) (*bordered, error) {
	b := &bordered{factor: factor, roots: roots}
	if noIntercept {
		return b, nil
	}
	u := mat.NewDense(len(roots), 1, append([]float64(nil), roots...))
	if err := factor.Solve(ctx, u, u); err != nil {
		return nil, err
	}
	b.u = u.RawMatrix().Data
	b.gu = floats.Dot(roots, b.u)
	return b, nil
}

// solve returns Z and b for the targets Φ.
func (b *bordered) solve(ctx context.Context, phi *mat.Dense) (z *mat.Dense, bias []float64, err error) {
	n, d := phi.Dims()
	z, bias = mat.DenseCopyOf(phi), make([]float64, d)
	scaleRows(z, b.roots)
	if b.u != nil {
		for i, u := range b.u {
			floats.AddScaled(bias, u/b.gu, z.RawRowView(i))
		}
	}
	if err := b.factor.Solve(ctx, z, z); err != nil {
		return nil, nil, err
	}
	for i := range min(n, len(b.u)) {
		floats.AddScaled(z.RawRowView(i), -b.u[i], bias)
	}
	return z, bias, nil
}

func (b *bordered) inverseDiag(ctx context.Context, dst []float64) error {
	if err := b.factor.InverseDiag(ctx, dst); err != nil {
		return err
	}
	for i, u := range b.u {
		dst[i] -= u * u / b.gu
	}
	return nil
}

func scaleRows(z *mat.Dense, by []float64) {
	for i, s := range by {
		floats.Scale(s, z.RawRowView(i))
	}
}
