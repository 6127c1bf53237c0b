package space

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/linalg"
)

// Posterior is a factor that knows the Gaussian process behind its system: f ~ GP(0, k) and a
// constant with a flat prior, observed at the rows with noise of variance R/vᵢ. What it gives is R
// times what the inverse of the Hessian gives.
//
// Points are known by the values of the functions of unit coordinates, a row of cross for each
// point: k(x, xᵢ) in the dual, the features φ(x) in a [Primal]. A point of zeros has nothing to do
// with the rows: what is left there of a prior variance 0 is that of the constant,
// 1/1ᵀ(K + R·V⁻¹)⁻¹1.
type Posterior interface {
	Factor
	// VariancesAt replaces the prior variances k(x, x) of points in dst by those of f(x) + b given
	// the rows. Values that rounding makes negative become zero, and clipped counts them. A direct
	// solver takes n² multiplications a point in the dual, D² in the primal.
	VariancesAt(ctx context.Context, dst []float64, cross *mat.Dense) (clipped int, err error)
	// CovarianceAt replaces the prior covariances of points by those given the rows.
	CovarianceAt(ctx context.Context, prior *mat.SymDense, cross *mat.Dense) error
}

// Inverter is a factor in the coefficients of the rows that knows Z = (K + R·V⁻¹)⁻¹; of m coupled
// functions Z = (I ⊗ K + R·W⁻¹)⁻¹, of order nm. It has zeros in rows of weight zero.
type Inverter interface {
	// Inverse returns Z, or the sum of its m diagonal blocks.
	Inverse(ctx context.Context) (*mat.SymDense, error)
	// Apply replaces x, a column for each function, by Zx.
	Apply(ctx context.Context, x *mat.Dense) error
}

var (
	_ Posterior = (*dualFactor)(nil)
	_ Posterior = (*primalFactor)(nil)
	_ Inverter  = (*dualFactor)(nil)
)

// explained is what the rows say of points: Σ leftᵣᵢrightᵣᵢ of the prior variance of point r, and
// along, 1 less the weight of the rows in its constant; nil without a constant.
type explained struct {
	left, right *mat.Dense
	along       []float64
	precision   float64 // of the constant
}

// variances replaces prior variances by what is left of them, and counts those below zero.
func (e *explained) variances(dst []float64) (clipped int) {
	for r := range dst {
		v, right := dst[r], e.right.RawRowView(r)
		for i, x := range e.left.RawRowView(r) {
			v -= x * right[i]
		}
		if e.along != nil {
			v += e.along[r] * e.along[r] / e.precision
		}
		if v < 0 {
			clipped++
		}
		dst[r] = math.Max(0, v)
	}
	return clipped
}

// covariance replaces a prior covariance by what is left of it.
func (e *explained) covariance(prior *mat.SymDense) {
	m := prior.SymmetricDim()
	known := mat.NewSymDense(m, nil)
	if e.left == e.right {
		known.SymOuterK(1, e.left)
	} else {
		var product mat.Dense
		product.Mul(e.left, e.right.T())
		known = linalg.Symmetrise(&product)
	}
	for i := range m {
		for j := i; j < m; j++ {
			v := prior.At(i, j) - known.At(i, j)
			if e.along != nil {
				v += e.along[i] * e.along[j] / e.precision
			}
			prior.SetSym(i, j, v)
		}
	}
}

// checkCross wants a row of cross for each point, with as many columns as there are coordinates.
func checkCross(points, coordinates int, cross *mat.Dense) error {
	if rows, cols := cross.Dims(); rows != points || cols != coordinates {
		return fmt.Errorf("space: values at points are %d×%d, for %d points and a space of %d coordinates: one row is needed for each point", rows, cols, points, coordinates)
	}
	return nil
}

// VariancesAt is k** − k*ᵀA⁻¹k* + (1 − uᵀk*)²/1ᵀu, in blocks of points. A Cholesky factor
// M = LLᵀ gives the second term as ‖L⁻¹V^½k*‖² (R&W 2.26, 2.42).
func (f *dualFactor) VariancesAt(ctx context.Context, dst []float64, cross *mat.Dense) (clipped int, err error) {
	if err := checkCross(len(dst), len(f.scale), cross); err != nil {
		return 0, err
	}
	for from := 0; from < len(dst); from += varianceBlock {
		to := min(from+varianceBlock, len(dst))
		e, err := f.explain(ctx, cross.Slice(from, to, 0, len(f.scale)).(*mat.Dense))
		if err != nil {
			return clipped, err
		}
		clipped += e.variances(dst[from:to])
	}
	return clipped, nil
}

// CovarianceAt takes n²m + nm² flops for m points, and nm numbers.
func (f *dualFactor) CovarianceAt(ctx context.Context, prior *mat.SymDense, cross *mat.Dense) error {
	if err := checkCross(prior.SymmetricDim(), len(f.scale), cross); err != nil {
		return err
	}
	e, err := f.explain(ctx, cross)
	if err == nil {
		e.covariance(prior)
	}
	return err
}

// explain finds what the rows say of points.
func (f *dualFactor) explain(ctx context.Context, cross *mat.Dense) (*explained, error) {
	if err := f.bordered(ctx); err != nil {
		return nil, err
	}
	scaled := mat.DenseCopyOf(cross)
	points, _ := scaled.Dims()
	e := &explained{precision: f.su}
	if f.constant {
		e.along = make([]float64, points)
	}
	for r := range points {
		row, sum := scaled.RawRowView(r), 0.0
		for i, s := range f.scale {
			if row[i] *= s; f.constant {
				sum += row[i] * f.u.At(i, 0)
			}
		}
		if f.constant {
			e.along[r] = 1 - sum
		}
	}
	e.left, e.right = scaled, scaled
	if d, ok := f.solver.(inDouble); ok {
		return e, d.Whiten(ctx, scaled)
	}
	solved, err := f.solve(ctx, mat.DenseCopyOf(scaled.T()), &f.quality)
	if err == nil {
		e.right = mat.DenseCopyOf(solved.T())
	}
	return e, err
}

// Inverse is V^½M⁻¹V^½.
func (f *dualFactor) Inverse(ctx context.Context) (*mat.SymDense, error) {
	d, err := f.exact("an inverse")
	if err != nil {
		return nil, err
	}
	z, err := d.Inverse(ctx)
	if err == nil && !f.unweighted() {
		scaleBoth(z, f.scale)
	}
	return z, err
}

// scaleBoth replaces Z by diag(s)·Z·diag(s).
func scaleBoth(z *mat.SymDense, s []float64) {
	raw := z.RawSymmetric()
	for i := range raw.N {
		row := raw.Data[i*raw.Stride:][:raw.N]
		for j := i; j < raw.N; j++ {
			row[j] *= s[i] * s[j]
		}
	}
}

// Apply replaces x by V^½M⁻¹V^½x.
func (f *dualFactor) Apply(ctx context.Context, x *mat.Dense) error {
	scaleRows(x, f.scale)
	solved, err := f.solve(ctx, x, &f.quality)
	if err == nil {
		scaleRows(solved, f.scale)
		x.Copy(solved)
	}
	return err
}

// scaleRows replaces x by diag(s)·x.
func scaleRows(x *mat.Dense, s []float64) {
	for i, v := range s {
		row := x.RawRowView(i)
		for c := range row {
			row[c] *= v
		}
	}
}

// Lower returns a copy of the Cholesky factor of M = V^½KV^½ + R·I; nil where there is none.
func (f *dualFactor) Lower() *linalg.UpdatableFactor {
	if d, ok := f.solver.(inDouble); ok {
		return d.Updatable()
	}
	return nil
}

// VariancesAt is R·[φᵀM⁻¹φ + (1 − uᵀφ)²/s]. The prior variances are not looked at: they are ‖φ‖².
func (f *primalFactor) VariancesAt(ctx context.Context, dst []float64, cross *mat.Dense) (clipped int, err error) {
	for from := 0; from < len(dst); from += varianceBlock {
		to := min(from+varianceBlock, len(dst))
		white, along, err := f.whiten(ctx, len(dst), cross, from, to)
		if err != nil {
			return 0, err
		}
		for r := from; r < to; r++ {
			row := vector(white.RawRowView(r - from))
			dst[r] = blas64.Dot(row, row)
			if along != nil {
				dst[r] += along[r-from] * along[r-from] / f.schur
			}
			dst[r] *= f.ridge
		}
	}
	return 0, nil
}

// CovarianceAt takes D²m + Dm² flops for m points.
func (f *primalFactor) CovarianceAt(ctx context.Context, prior *mat.SymDense, cross *mat.Dense) error {
	m := prior.SymmetricDim()
	white, along, err := f.whiten(ctx, m, cross, 0, m)
	if err != nil {
		return err
	}
	prior.SymOuterK(f.ridge, white)
	for i := range along {
		for j := i; j < m; j++ {
			prior.SetSym(i, j, prior.At(i, j)+f.ridge*along[i]*along[j]/f.schur)
		}
	}
	return nil
}

// whiten returns L⁻¹φ as rows, M = LLᵀ, for some rows of cross, and 1 − uᵀφ where there is a
// constant.
func (f *primalFactor) whiten(ctx context.Context, points int, cross *mat.Dense, from, to int) (white *mat.Dense, along []float64, err error) {
	if err := checkCross(points, f.space.dim, cross); err != nil {
		return nil, nil, err
	}
	white = mat.DenseCopyOf(cross.Slice(from, to, 0, f.space.dim))
	mean := f.space.rows.Mean()
	for r := range to - from {
		row := white.RawRowView(r)
		for d, v := range mean {
			row[d] -= v
		}
		if f.u != nil {
			along = append(along, 1-dot(row, f.u.RawMatrix().Data))
		}
	}
	return white, along, f.m.Whiten(ctx, white)
}

// Lower returns a copy of the Cholesky factor of M = ΦᵀVΦ + R·I.
func (f *primalFactor) Lower() *linalg.UpdatableFactor { return f.m.Updatable() }

// exact returns the Cholesky factor in double precision that something needs.
func (f *dualFactor) exact(what string) (inDouble, error) {
	if d, ok := f.solver.(inDouble); ok {
		return d, nil
	}
	return inDouble{}, fmt.Errorf("space: %s needs a factor in double precision, which solver %q in %s precision does not have: use %q", what, f.space.choice.Solver, f.space.o.Compute.Precision, Cholesky)
}

// Direct returns the space of the same rows with a factor in double precision, for what needs one:
// the space itself, or one that computes the triangle of K in tiles.
func (s *Dual) Direct() Space {
	if s.choice.Solver != CG && s.o.Compute.Precision != compute.Single {
		return s
	}
	o := s.o
	o.Solver, o.Compute = Packed, o.double()
	return &Dual{op: s.op, n: s.n, o: o, choice: Choice{Solver: Packed, Why: "exact, in double precision"}}
}
