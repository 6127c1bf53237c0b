package krr

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
	"example.org/mercer/linalg/level3"
	"example.org/mercer/space"
)

// Path holds one eigendecomposition diag(s)·K·diag(s) = U Λ Uᵀ, s = √w, from which
// [Path.At] and [Path.Along] compute for any λ everything that a [Point] has, in
// O(n²(m+2)) instead of O(n³): M⁻¹ = U (Λ + R)⁻¹ Uᵀ.
type Path struct {
	sys    *system
	k      gram.Operator // for K·α in rows of weight zero
	values []float64     // Λ, ascending
	u      *mat.Dense    // U, eigenvectors in columns
	z      *mat.Dense    // Uᵀ [s s∘y]
	o      compute.Options
}

// PathOptions are the parts of [Options] that do not depend on λ.
type PathOptions struct {
	NoIntercept bool
	Weights     []float64
	Compute     compute.Options
}

// NewPath decomposes the Gram matrix k of the training rows with targets y. It
// takes O(n³) time, about ten times that of one solve, and 3·8n² bytes. Eigenvalues
// below zero by no more than the rounding of the decomposition, nεΛₘₐₓ, are zero;
// those of a kernel that is not positive definite are kept, and [Path.At] refuses a
// ridge that does not outweigh them.
func NewPath(ctx context.Context, k gram.Operator, y *mat.Dense, o PathOptions) (*Path, error) {
	n, _ := k.Dims()
	whole := Options{NoIntercept: o.NoIntercept, Weights: o.Weights}
	if err := whole.Check(n, y); err != nil {
		return nil, err
	}
	a, err := materialize(ctx, k, o.Compute)
	if err != nil {
		return nil, err
	}
	sys := newSystem(y, o.Weights, !o.NoIntercept)
	sys.scale(a)
	e, err := linalg.EigenSym(ctx, a, o.Compute.Factoring())
	if err != nil {
		return nil, err
	}
	p := &Path{sys: sys, k: k, values: e.Values, u: e.Vectors, o: o.Compute}
	for i, v := range p.values {
		if v < 0 && v >= -p.rounding() {
			p.values[i] = 0
		}
	}
	b := sys.rhs()
	p.z = mat.NewDense(sys.n, sys.columns(), nil)
	level3.Implementation{Workers: o.Compute.Workers}.Gemm(blas.Trans, blas.NoTrans, 1, p.u.RawMatrix(), b.RawMatrix(), 0, p.z.RawMatrix())
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
	return first(p.Along(ctx, []float64{lambda}))
}

// AtRidge returns everything that is known at the ridge R = Nλ. It returns an error
// unless Λ + R is positive beyond rounding. It is safe for concurrent use.
func (p *Path) AtRidge(ctx context.Context, ridge float64) (*Point, error) {
	return first(p.AlongRidges(ctx, []float64{ridge}))
}

// first returns the only one of the points.
func first(points []*Point, err error) (*Point, error) {
	if err != nil {
		return nil, err
	}
	return points[0], nil
}

// Along is [Path.At] for many λ. See [Path.AlongRidges].
func (p *Path) Along(ctx context.Context, lambdas []float64) ([]*Point, error) {
	ridges, err := p.sys.ridges(lambdas)
	if err != nil {
		return nil, err
	}
	return p.AlongRidges(ctx, ridges)
}

// ridges returns R = Nλ of every λ.
func (sys *system) ridges(lambdas []float64) ([]float64, error) {
	ridges := make([]float64, len(lambdas))
	for i, lambda := range lambdas {
		if bad(lambda) {
			return nil, fmt.Errorf("krr: lambda = %v is not a finite number ≥ 0", lambda)
		}
		ridges[i] = sys.ridge(lambda, 0)
	}
	return ridges, nil
}

// AlongRidges is [Path.AtRidge] for many ridges, of which all must be admissible. Their
// solutions, and the diagonals of their inverses, are two products of matrices:
// 2n²(m+2) multiplications and additions for each ridge, at the speed of such.
func (p *Path) AlongRidges(ctx context.Context, ridges []float64) ([]*Point, error) {
	for _, r := range ridges {
		if err := p.admit(r); err != nil {
			return nil, err
		}
	}
	inverses, err := p.invert(ctx, ridges)
	if err != nil {
		return nil, err
	}
	points := make([]*Point, len(ridges))
	for i, v := range inverses {
		if points[i], err = p.sys.point(ridges[i], v.x, v.diag, v.logDet, multiplier(ctx, p.k)); err != nil {
			return nil, err
		}
	}
	return points, nil
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
		return singular{fmt.Errorf("krr: λ = 0 asks for interpolation, which needs a positive definite Gram matrix; its smallest eigenvalue is %.3g and the largest %.3g: give a λ > 0", smallest, p.values[p.sys.n-1])}
	case smallest+ridge <= 0:
		return fmt.Errorf("krr: the kernel is not positive definite on these rows: its smallest eigenvalue is %.3g, and the ridge %g (λ = %g) must be larger than %.3g", smallest, ridge, ridge/p.sys.total, -smallest)
	}
	return nil
}

// inverse is what a [Path] knows of M⁻¹ at one ridge.
type inverse struct {
	x      *mat.Dense // M⁻¹[s s∘y]
	diag   []float64  // of M⁻¹
	logDet float64    // log|M|
}

// invert solves for every ridge. With D = Λ + R and Z = Uᵀ[s s∘y],
//
//	M⁻¹[s s∘y] = U·D⁻¹Z,  (M⁻¹)ᵢᵢ = Σₖ uᵢₖ²/Dₖ.
func (p *Path) invert(ctx context.Context, ridges []float64) ([]inverse, error) {
	n, cols := p.z.Dims()
	s := newShifted(p.values, p.z, ridges, p.sys.n-p.sys.active, p.o.Workers)
	out := make([]inverse, len(ridges))
	for i := range out {
		out[i] = inverse{x: mat.NewDense(n, cols, nil), diag: make([]float64, n), logDet: s.logDet[i]}
	}
	for from := 0; from < n; from += shiftedRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows := min(shiftedRows, n-from)
		s.multiply(p.u.Slice(from, from+rows, 0, n).(*mat.Dense))
		for i := range out {
			for r := range rows {
				copy(out[i].x.RawRowView(from+r), s.product(i, r))
				out[i].diag[from+r] = s.form(i, r)
			}
		}
	}
	return out, nil
}

// operated is a space with an operator of K.
type operated interface{ Operator() gram.Operator }

// eigen solves by a [Path].
func (j *job) eigen(ctx context.Context, s space.Space) (*Solution, *Report, error) {
	in, ok := s.(operated)
	if !ok {
		return nil, nil, fmt.Errorf("krr: solver %q decomposes a Gram matrix, and this space has none: use solver %q", Eigen, Primal)
	}
	k, r, sys := in.Operator(), j.report, j.sys
	r.Solver, r.Why = Eigen, "as asked"
	p, err := NewPath(ctx, k, sys.y, PathOptions{NoIntercept: j.o.NoIntercept, Weights: j.o.Weights, Compute: j.o.Compute})
	if err != nil {
		return nil, nil, err
	}
	j.watch.Lap(&r.Run, "eigen")
	if r.Point, err = p.AtRidge(ctx, r.Ridge); err != nil {
		return nil, nil, err
	}
	inverses, err := p.invert(ctx, []float64{r.Ridge})
	if err != nil {
		return nil, nil, err
	}
	x := inverses[0].x
	kx := mat.NewDense(sys.n, sys.columns(), nil)
	if err := (gram.Shifted{K: k, Scale: sys.s}).Mul(ctx, kx, x); err != nil {
		return nil, nil, err
	}
	r.Residual = residual(mat.NewDense(sys.n, sys.columns(), nil), sys.rhs(), kx, x, sys.shift(r.Ridge))
	r.Condition = (p.values[sys.n-1] + r.Ridge) / (p.smallest(r.Ridge) + r.Ridge)
	if err := j.judgeCondition(); err != nil {
		return nil, nil, err
	}
	sol := r.Point.Solution
	residuals := sys.byCoefficients(r.Ridge, sol.Coef)
	r.Norm2, r.Train = sys.norms(s, sol, residuals), measure(sys.y, residuals, sys.weights())
	j.watch.Lap(&r.Run, "solve")
	return sol, r, nil
}

// byCoefficients returns the residuals y − f − b = Rα/w, and zero in rows of weight zero.
func (sys *system) byCoefficients(ridge float64, coef *mat.Dense) *mat.Dense {
	out := mat.NewDense(sys.n, sys.m, nil)
	for i, s := range sys.s {
		if s == 0 {
			continue
		}
		for c, v := range coef.RawRowView(i) {
			out.Set(i, c, ridge*(v/s)/s)
		}
	}
	return out
}
