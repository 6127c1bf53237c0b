package space

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
)

// Dual is the space of f = Σ θᵢ k(·, xᵢ). A covector ρ stands for Σ ρᵢ k(·, xᵢ).
type Dual struct {
	k *mat.SymDense
	o linalg.Options
}

var (
	_ Spanned = (*Dual)(nil)
	_ Gramian = (*Dual)(nil)
)

// NewDual returns the space of functions in the span of the rows with the Gram matrix k. It takes
// the matrix over: its values stay, but factors are written below its diagonal (see [gram.Own]).
func NewDual(k *mat.SymDense, o linalg.Options) *Dual { return &Dual{k: k, o: o} }

// Dims returns n twice.
func (s *Dual) Dims() (rows, coordinates int) { return s.k.SymmetricDim(), s.k.SymmetricDim() }

// Centre does nothing: the constants are no features.
func (s *Dual) Centre(context.Context, []float64, compute.Options) error { return nil }

// Constants returns bias.
func (s *Dual) Constants(_ *mat.Dense, bias []float64) []float64 { return slices.Clone(bias) }

// Values is Kθ: 2n²m flops.
func (s *Dual) Values(ctx context.Context, dst, theta *mat.Dense) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	a, x, y := s.k.RawSymmetric(), theta.RawMatrix(), dst.RawMatrix()
	if x.Cols == 1 {
		blas64.Symv(1, a, blas64.Vector{N: x.Rows, Inc: x.Stride, Data: x.Data}, 0, blas64.Vector{N: y.Rows, Inc: y.Stride, Data: y.Data})
		return nil
	}
	level3.Implementation{Workers: s.o.Workers}.Dsymm(blas.Left, a.Uplo, x.Rows, x.Cols, 1, a.Data, a.Stride, x.Data, x.Stride, 0, y.Data, y.Stride)
	return nil
}

// Adjoint adds g.
func (s *Dual) Adjoint(ctx context.Context, dst, g *mat.Dense) error {
	dst.Add(dst, g)
	return ctx.Err()
}

// Inner is Σ ρᵢ f(xᵢ).
func (s *Dual) Inner(covector, _, values *mat.Dense) float64 { return elementwise(covector, values) }

// Norm2 is ρᵀKρ.
func (s *Dual) Norm2(ctx context.Context, covector *mat.Dense) (float64, error) {
	values := mat.NewDense(covector.RawMatrix().Rows, covector.RawMatrix().Cols, nil)
	err := s.Values(ctx, values, covector)
	return max(0, elementwise(covector, values)), err
}

// Coefficients returns theta.
func (s *Dual) Coefficients(theta *mat.Dense) *mat.Dense { return theta }

// Gram returns the matrix itself.
func (s *Dual) Gram(context.Context) (*mat.SymDense, error) { return s.k, nil }

// smallestWeight bounds the shifts: it is the least weight relative to the largest.
const smallestWeight = 1e-100

// Weigh factors A = K + R·V⁻¹: n³/3 multiplications.
func (s *Dual) Weigh(ctx context.Context, v []float64, ridge float64, constant bool) (Factor, error) {
	if err := checkWeights(s, v); err != nil {
		return nil, err
	}
	least := smallestWeight * slices.Max(v)
	f := &dualFactor{k: s.k, ridge: ridge, v: make([]float64, len(v))}
	shift := make([]float64, len(v))
	for i, w := range v {
		f.v[i] = max(w, least)
		shift[i] = ridge / f.v[i]
	}
	var err error
	if f.a, err = linalg.FactorDiag(ctx, s.k, shift, s.o); err != nil {
		return nil, err
	}
	if constant {
		f.u = mat.NewDense(len(v), 1, slices.Repeat([]float64{1}, len(v)))
		if err := f.a.Solve(ctx, f.u, f.u); err != nil {
			return nil, err
		}
		f.su = columnSums(f.u)[0]
	}
	return f, nil
}

// dualFactor solves with A and, where there is a constant, with its border.
type dualFactor struct {
	k     *mat.SymDense
	ridge float64
	v     []float64
	a     *linalg.Cholesky
	u     *mat.Dense // A⁻¹1
	su    float64    // 1ᵀA⁻¹1
}

// Solve solves R·θ + V(Kθ + c·1) = ρ, 1ᵀV(Kθ + c·1) = β, that is Aθ + c·1 = V⁻¹ρ and
// 1ᵀθ = (1ᵀρ − β)/R.
func (f *dualFactor) Solve(ctx context.Context, covector *mat.Dense, beta []float64) (*mat.Dense, []float64, error) {
	theta := mat.DenseCopyOf(covector)
	for i, v := range f.v {
		row := theta.RawRowView(i)
		for c := range row {
			row[c] /= v
		}
	}
	if err := f.a.Solve(ctx, theta, theta); err != nil {
		return nil, nil, err
	}
	if f.u == nil {
		return theta, nil, nil
	}
	bias, sums := columnSums(theta), columnSums(covector)
	for c := range bias {
		bias[c] = (bias[c] - (sums[c]-beta[c])/f.ridge) / f.su
	}
	for i := range f.v {
		row, u := theta.RawRowView(i), f.u.At(i, 0)
		for c, b := range bias {
			row[c] -= u * b
		}
	}
	return theta, bias, nil
}

// varianceBlock is the number of rows whose variances are computed together.
const varianceBlock = 256

// Variances is the posterior variance of a Gaussian process with covariance K/R, noise
// 1/v and a flat constant: [kᵢᵢ − kᵢᵀA⁻¹kᵢ + (1 − uᵀkᵢ)²/1ᵀu]/R. In this form, unlike
// in (1 − (R/vᵢ)·(A⁻¹)ᵢᵢ)/vᵢ, no digits are lost where vᵢ is small.
func (f *dualFactor) Variances(ctx context.Context, dst []float64) error {
	n := len(f.v)
	for from := 0; from < n; from += varianceBlock {
		columns := mat.NewDense(n, min(varianceBlock, n-from), nil)
		for i := range n {
			row := columns.RawRowView(i)
			for c := range row {
				row[c] = f.k.At(i, from+c)
			}
		}
		block := dst[from : from+columns.RawMatrix().Cols]
		for c := range block {
			block[c] = f.k.At(from+c, from+c)
		}
		if err := f.VariancesAt(ctx, block, columns); err != nil {
			return err
		}
	}
	return nil
}

// VariancesAt turns k(x, x) in dst into variances, with k(xᵢ, x) in the columns.
func (f *dualFactor) VariancesAt(ctx context.Context, dst []float64, columns *mat.Dense) error {
	n, m := columns.Dims()
	solved := new(mat.Dense)
	if err := f.a.Solve(ctx, solved, columns); err != nil {
		return err
	}
	along := make([]float64, m)
	for i := range n {
		s := solved.RawRowView(i)
		for c, k := range columns.RawRowView(i) {
			dst[c] -= k * s[c]
			if f.u != nil {
				along[c] += k * f.u.At(i, 0)
			}
		}
	}
	for c := range dst {
		if f.u != nil {
			dst[c] += (1 - along[c]) * (1 - along[c]) / f.su
		}
		dst[c] = math.Max(0, dst[c]/f.ridge)
	}
	return nil
}

// LeaveOneOut is R/vᵢ times the diagonal of the inverse of A with its border.
func (f *dualFactor) LeaveOneOut(ctx context.Context, dst []float64) error {
	if err := f.a.InverseDiag(ctx, dst); err != nil {
		return err
	}
	for i, v := range f.v {
		if f.u != nil {
			dst[i] -= f.u.At(i, 0) * f.u.At(i, 0) / f.su
		}
		dst[i] *= f.ridge / v
	}
	return nil
}

// LogDet is ln|A| + Σ ln vᵢ + ln 1ᵀA⁻¹1.
func (f *dualFactor) LogDet() float64 {
	sum := f.a.LogDet()
	for _, v := range f.v {
		sum += math.Log(v)
	}
	if f.u != nil {
		sum += math.Log(f.su)
	}
	return sum
}
