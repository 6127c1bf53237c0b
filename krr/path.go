package krr

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/linalg"
	"mercer/linalg/level3"
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
	ridges := make([]float64, len(lambdas))
	for i, lambda := range lambdas {
		if bad(lambda) {
			return nil, fmt.Errorf("krr: lambda = %v is not a finite number ≥ 0", lambda)
		}
		ridges[i] = p.Ridge(lambda)
	}
	return p.AlongRidges(ctx, ridges)
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
		return fmt.Errorf("krr: λ = 0 asks for interpolation, which needs a positive definite Gram matrix; its smallest eigenvalue is %.3g and the largest %.3g: give a λ > 0", smallest, p.values[p.sys.n-1])
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

// pathRows is how many rows of U are squared and multiplied at a time, pathColumns how
// many columns they are multiplied with at least: one alone is slower than two.
const (
	pathRows    = 256
	pathColumns = 2
)

// invert solves for every ridge. With D = Λ + R and Z = Uᵀ[s s∘y],
//
//	M⁻¹[s s∘y] = U·D⁻¹Z,  (M⁻¹)ᵢᵢ = Σₖ uᵢₖ²/Dₖ:
//
// side by side for all ridges, the products of U and of U∘U with matrices of n rows.
func (p *Path) invert(ctx context.Context, ridges []float64) ([]inverse, error) {
	n, cols := p.z.Dims()
	l := len(ridges)
	out := make([]inverse, l)
	d, scaled := mat.NewDense(n, max(pathColumns, l), nil), mat.NewDense(n, max(pathColumns, l*cols), nil)
	for i, r := range ridges {
		out[i] = inverse{x: mat.NewDense(n, cols, nil), diag: make([]float64, n)}
		for k, v := range p.values {
			v += r
			if r == 0 && k < p.sys.n-p.sys.active {
				v = 1 // see system.shift
			}
			out[i].logDet += math.Log(v)
			d.Set(k, i, 1/v)
			for j, z := range p.z.RawRowView(k) {
				scaled.Set(k, i*cols+j, z/v)
			}
		}
	}
	u := p.u.RawMatrix()
	most := min(n, pathRows)
	squares, x, diag := mat.NewDense(most, n, nil), mat.NewDense(most, scaled.RawMatrix().Cols, nil), mat.NewDense(most, d.RawMatrix().Cols, nil)
	for from := 0; from < n; from += pathRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		rows := min(pathRows, n-from)
		part := blas64.General{Rows: rows, Cols: n, Stride: u.Stride, Data: u.Data[from*u.Stride:]}
		for r := range rows {
			to := squares.RawRowView(r)
			for k, v := range part.Data[r*u.Stride : r*u.Stride+n] {
				to[k] = v * v
			}
		}
		p.product(top(x, rows), part, scaled)
		p.product(top(diag, rows), top(squares, rows), d)
		for i := range out {
			for r := range rows {
				copy(out[i].x.RawRowView(from+r), x.RawRowView(r)[i*cols:(i+1)*cols])
				out[i].diag[from+r] = diag.At(r, i)
			}
		}
	}
	return out, nil
}

// top returns the first rows of a matrix.
func top(a *mat.Dense, rows int) blas64.General {
	g := a.RawMatrix()
	g.Rows = rows
	return g
}

// product stores A·B in dst.
func (p *Path) product(dst, a blas64.General, b *mat.Dense) {
	level3.Implementation{Workers: p.o.Workers}.Gemm(blas.NoTrans, blas.NoTrans, 1, a, b.RawMatrix(), 0, dst)
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
	inverses, err := p.invert(ctx, []float64{r.Ridge})
	if err != nil {
		return nil, nil, err
	}
	x := inverses[0].x
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
