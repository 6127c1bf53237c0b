package krr

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/linalg"
)

// Path holds one eigendecomposition diag(s)·K·diag(s) = U Λ Uᵀ, s = √w, from which
// [Path.At] computes for any λ everything that a [Point] has, in O(n²(m+2)) instead
// of O(n³): M⁻¹ = U (Λ + R)⁻¹ Uᵀ.
type Path struct {
	sys    *system
	k      gram.Operator // for K·α in rows of weight zero
	values []float64     // Λ, ascending
	u      *mat.Dense    // U, eigenvectors in columns
	z      *mat.Dense    // Uᵀ [s s∘y]
	o      gram.Options
}

// PathOptions are the parts of [Options] that do not depend on λ.
type PathOptions struct {
	NoIntercept bool
	Weights     []float64
	Compute     gram.Options
}

// NewPath decomposes the Gram matrix k of the training rows with targets y. It
// takes O(n³) time, about ten times that of one solve, and 3·8n² bytes. Eigenvalues
// below zero by no more than the rounding of the decomposition, nεΛₘₐₓ, are zero;
// those of a kernel that is not positive definite are kept, and [Path.At] refuses a
// ridge that does not outweigh them.
func NewPath(ctx context.Context, k gram.Operator, y *mat.Dense, o PathOptions) (*Path, error) {
	n, _ := k.Dims()
	whole := Options{NoIntercept: o.NoIntercept, Weights: o.Weights}
	if err := whole.validate(n, y); err != nil {
		return nil, err
	}
	a, err := materialize(ctx, k, o.Compute)
	if err != nil {
		return nil, err
	}
	sys := newSystem(y, o.Weights, !o.NoIntercept)
	sys.scale(a)
	e, err := linalg.EigenSym(ctx, a, linalgOptions(o.Compute))
	if err != nil {
		return nil, err
	}
	p := &Path{sys: sys, k: k, values: e.Values, u: e.Vectors, z: &mat.Dense{}, o: o.Compute}
	for i, v := range p.values {
		if v < 0 && v >= -p.rounding() {
			p.values[i] = 0
		}
	}
	p.z.Mul(p.u.T(), sys.rhs())
	return p, nil
}

// rounding is the size of an eigenvalue that cannot be told from zero: nεΛₘₐₓ.
func (p *Path) rounding() float64 {
	n := len(p.values)
	return float64(n) * 0x1p-52 * max(math.Abs(p.values[0]), math.Abs(p.values[n-1]))
}

// Eigenvalues returns those of W^½KW^½, ascending. Do not change them.
func (p *Path) Eigenvalues() []float64 { return p.values }

// Ridge returns R = Nλ.
func (p *Path) Ridge(lambda float64) float64 { return p.sys.ridge(lambda, 0) }

// At returns everything that is known at λ. See [Path.AtRidge].
func (p *Path) At(ctx context.Context, lambda float64) (*Point, error) {
	if bad(lambda) {
		return nil, fmt.Errorf("krr: lambda = %v is not a finite number ≥ 0", lambda)
	}
	return p.AtRidge(ctx, p.Ridge(lambda))
}

// AtRidge returns everything that is known at the ridge R = Nλ. It returns an error
// unless Λ + R is positive beyond rounding. It is safe for concurrent use.
func (p *Path) AtRidge(ctx context.Context, ridge float64) (*Point, error) {
	if err := p.admit(ridge); err != nil {
		return nil, err
	}
	x, diag, logDet, err := p.invert(ctx, ridge)
	if err != nil {
		return nil, err
	}
	return p.sys.point(ridge, x, diag, logDet, multiplier(ctx, p.k))
}

// smallest returns the smallest eigenvalue that M has to live with. Each row of weight
// zero has an eigenvalue of zero, which does no harm even if R = 0 (system.shift).
func (p *Path) smallest(ridge float64) float64 {
	if ridge == 0 {
		return p.values[p.sys.n-p.sys.active]
	}
	return p.values[0]
}

// admit refuses a ridge with which M would not be positive definite.
func (p *Path) admit(ridge float64) error {
	if bad(ridge) {
		return fmt.Errorf("krr: ridge = %v is not a finite number ≥ 0", ridge)
	}
	smallest := p.smallest(ridge)
	switch {
	case ridge == 0 && smallest <= p.rounding():
		return fmt.Errorf("krr: λ = 0 asks for interpolation, which needs a positive definite Gram matrix; its smallest eigenvalue is %.3g and the largest %.3g: give a λ > 0", smallest, p.values[p.sys.n-1])
	case smallest+ridge <= 0:
		return fmt.Errorf("krr: the kernel is not positive definite on these rows: its smallest eigenvalue is %.3g, and the ridge %g (λ = %g) must be larger than %.3g", smallest, ridge, ridge/p.sys.total, -smallest)
	}
	return nil
}

// invert returns M⁻¹[s s∘y], the diagonal of M⁻¹ and log|M|.
func (p *Path) invert(ctx context.Context, ridge float64) (x *mat.Dense, diag []float64, logDet float64, err error) {
	n, cols := p.z.Dims()
	inverse, scaled := make([]float64, n), mat.NewDense(n, cols, nil)
	for i, v := range p.values {
		d := v + ridge
		if ridge == 0 && i < p.sys.n-p.sys.active {
			d = 1 // see system.shift
		}
		logDet += math.Log(d)
		inverse[i] = 1 / d
		for j, z := range p.z.RawRowView(i) {
			scaled.Set(i, j, z/d)
		}
	}
	x, diag = mat.NewDense(n, cols, nil), make([]float64, n)
	x.Mul(p.u, scaled)
	for i := range n {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, nil, 0, ctx.Err()
		}
		sum := 0.0
		for k, v := range p.u.RawRowView(i) {
			sum += v * v * inverse[k]
		}
		diag[i] = sum
	}
	return x, diag, logDet, nil
}

// eigen solves by a [Path].
func (j *job) eigen(ctx context.Context) (*Solution, *Report, error) {
	p, err := NewPath(ctx, j.k, j.sys.y, PathOptions{NoIntercept: j.o.NoIntercept, Weights: j.o.Weights, Compute: j.o.Compute})
	if err != nil {
		return nil, nil, err
	}
	r, sys := j.report, j.sys
	j.watch.Lap(&r.Run, "eigen")
	if r.Point, err = p.AtRidge(ctx, r.Ridge); err != nil {
		return nil, nil, err
	}
	x, _, _, err := p.invert(ctx, r.Ridge)
	if err != nil {
		return nil, nil, err
	}
	kx := mat.NewDense(sys.n, sys.columns(), nil)
	if err := j.apply(ctx, kx, x); err != nil {
		return nil, nil, err
	}
	r.Residual = residual(mat.NewDense(sys.n, sys.columns(), nil), sys.rhs(), kx, x, sys.shift(r.Ridge))
	r.Condition = (p.values[sys.n-1] + r.Ridge) / (p.smallest(r.Ridge) + r.Ridge)
	if err := j.judgeCondition(); err != nil {
		return nil, nil, err
	}
	sol := j.finish(x, kx)
	j.watch.Lap(&r.Run, "solve")
	return sol, r, nil
}

// apply multiplies with diag(s)·K·diag(s) through the operator.
func (j *job) apply(ctx context.Context, dst, x *mat.Dense) error {
	scaled := j.sys.coef(x)
	if err := j.k.Mul(ctx, dst, scaled); err != nil {
		return err
	}
	dst.Copy(j.sys.coef(dst))
	return nil
}
