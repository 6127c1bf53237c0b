package krr

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
	"example.org/mercer/space"
)

// singular is the error of λ = 0 where the matrix has no inverse beyond rounding.
type singular struct{ error }

func (e singular) Unwrap() error { return e.error }

// orMinimumNorm is a solution, or where λ = 0 met a singular matrix that of least norm.
func (j *job) orMinimumNorm(ctx context.Context, s space.Space, sol *Solution, r *Report, err error) (*Solution, *Report, error) {
	if of := (singular{}); err == nil || !errors.As(err, &of) {
		return sol, r, err
	}
	return j.minimumNorm(ctx, s, err)
}

// minimumNorm solves λ = 0 where the Gram matrix is singular: of all functions with the least
// Σ wᵢ(yᵢ − f(xᵢ) − b)² it finds the one with the least ‖f‖, to which ridge regression tends as
// λ → 0.
//
//  1. With s = √w, M = diag(s) K diag(s), and P the projection away from s (the identity without
//     an intercept), A = PMP = UΛUᵀ. In explicit features A = ΦᵀSPSΦ, S = diag(s).
//  2. Λ⁺ is 1/Λ above the cut nεΛₘₐₓ, and 0 below it, where rounding is all that is left.
//  3. β = UΛ⁺Uᵀ(s∘y) and α = s∘β; in features w = UΛ⁺Uᵀ(ΦᵀSP(s∘y)). b is the weighted mean of
//     what is left of y.
//
// An eigenvalue below −cut is no rounding: the kernel is not positive definite. Leave-one-out
// errors are not known, and the report has no Point. Cost: up to 14n³/3 flops and 6·8n² bytes, or
// with D in place of n and 8nD bytes for Φ; where they exceed the limit, and where the space has
// no matrix, the error why stays.
//
// Ben-Israel & Greville, Generalized Inverses (2003), chapter 3.
func (j *job) minimumNorm(ctx context.Context, s space.Space, why error) (*Solution, *Report, error) {
	sys, r := j.sys, j.report
	a, rhs, err := j.leastSquares(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	if a == nil {
		return nil, nil, why
	}
	e, err := linalg.EigenSym(ctx, a, linalgOptions(j.o.Compute))
	if err != nil {
		return nil, nil, err
	}
	order := len(e.Values)
	largest := max(math.Abs(e.Values[0]), math.Abs(e.Values[order-1]))
	cut := float64(order) * 0x1p-52 * largest
	if e.Values[0] < -cut {
		return nil, nil, why
	}
	theta, kept := pseudoSolve(e, rhs, cut)
	r.Rank, r.Residual, r.Condition = order, notMet(a, theta, kept), 0
	for r.Rank > 0 && !(e.Values[order-r.Rank] > cut) {
		r.Rank--
	}
	if r.Rank > 0 {
		r.Condition = largest / e.Values[order-r.Rank]
	}
	if _, dual := s.(space.Spanned); dual {
		theta = sys.coef(theta)
	}
	residuals, bias, err := sys.besideMean(ctx, s, theta)
	if err != nil {
		return nil, nil, err
	}
	sol := &Solution{Coef: theta, Bias: s.Constants(theta, bias)}
	r.Norm2, r.Train = sys.norms(s, sol, residuals), measure(sys.y, residuals, sys.weights())
	r.Warn("λ = 0 of a singular matrix: of all functions with the least squared error this is the one of least norm; %d of %d eigenvalues count, those above %.1e", r.Rank, order, cut)
	if j.o.LOO {
		r.Warn("leave-one-out errors are not known at λ = 0 of a singular matrix: give a λ > 0 for them")
	}
	j.watch.Lap(&r.Run, "minimum norm")
	return sol, r, nil
}

// leastSquares returns A and the right-hand sides of minimumNorm; nil where the space has no
// matrix or the limit no room for it.
func (j *job) leastSquares(ctx context.Context, s space.Space) (a *mat.SymDense, rhs *mat.Dense, err error) {
	sys, limit := j.sys, j.o.Compute.MaxMemory
	n, d := s.Dims()
	y := mat.NewDense(n, sys.m, nil) // s∘y
	for i, root := range sys.s {
		floats.ScaleTo(y.RawRowView(i), root, sys.y.RawRowView(i))
	}
	needs := 6 * 8 * int64(d) * int64(d)
	if _, dual := s.(space.Spanned); dual {
		g, ok := s.(space.Gramian)
		if !ok || limit > 0 && needs > limit {
			return nil, nil, nil
		}
		k, err := g.Gram(ctx)
		if err != nil {
			return nil, nil, err
		}
		a = mat.NewSymDense(n, nil)
		a.CopySym(k)
		sys.scale(a)
		sys.project(a)
		return a, y, nil
	}
	if limit > 0 && needs+2*8*int64(n)*int64(d) > limit {
		return nil, nil, nil
	}
	units, phi := mat.NewDense(d, d, nil), mat.NewDense(n, d, nil)
	for c := range d {
		units.Set(c, c, 1)
	}
	if err := s.Values(ctx, phi, units); err != nil {
		return nil, nil, err
	}
	for i, root := range sys.s {
		floats.Scale(root, phi.RawRowView(i))
	}
	sys.takeMeans(phi)
	a, rhs = mat.NewSymDense(d, nil), mat.NewDense(d, sys.m, nil)
	a.SymOuterK(1, phi.T())
	rhs.Mul(phi.T(), y)
	return a, rhs, nil
}

// project replaces M by PMP, P the projection away from s, if there is an intercept: with u = s/‖s‖
// and v = Mu it is M − uvᵀ − vuᵀ + (uᵀv)uuᵀ.
func (sys *system) project(m *mat.SymDense) {
	if !sys.intercept {
		return
	}
	u := mat.NewVecDense(sys.n, nil)
	for i, s := range sys.s {
		u.SetVec(i, s/math.Sqrt(sys.total))
	}
	v := mat.NewVecDense(sys.n, nil)
	v.MulVec(m, u)
	v.AddScaledVec(v, -mat.Dot(u, v)/2, u)
	m.RankTwo(m, -1, u, v)
}

// takeMeans takes from the columns of SΦ what lies along s, if there is an intercept.
func (sys *system) takeMeans(phi *mat.Dense) {
	if !sys.intercept {
		return
	}
	_, d := phi.Dims()
	mean := make([]float64, d)
	for i, s := range sys.s {
		floats.AddScaled(mean, s/sys.total, phi.RawRowView(i))
	}
	for i, s := range sys.s {
		floats.AddScaled(phi.RawRowView(i), -s, mean)
	}
}

// pseudoSolve returns UΛ⁺Uᵀb, and UUᵀb of the eigenvectors that are kept.
func pseudoSolve(e *linalg.Eigen, b *mat.Dense, cut float64) (x, kept *mat.Dense) {
	rows, cols := b.Dims()
	z := mat.NewDense(rows, cols, nil)
	z.Mul(e.Vectors.T(), b)
	divided := mat.NewDense(rows, cols, nil)
	for i, v := range e.Values {
		if v > cut {
			floats.ScaleTo(divided.RawRowView(i), 1/v, z.RawRowView(i))
		} else {
			clear(z.RawRowView(i))
		}
	}
	x, kept = mat.NewDense(rows, cols, nil), mat.NewDense(rows, cols, nil)
	x.Mul(e.Vectors, divided)
	kept.Mul(e.Vectors, z)
	return x, kept
}

// notMet is the largest ‖kept − Ax‖/‖kept‖ of a column.
func notMet(a *mat.SymDense, x, kept *mat.Dense) float64 {
	ax := new(mat.Dense)
	ax.Mul(a, x)
	return residual(mat.DenseCopyOf(kept), kept, ax, x, make([]float64, a.SymmetricDim()))
}

// besideMean returns y − f − b and b, the weighted mean of y − f, which is 0 without an intercept.
// Rows of weight zero have no residual.
func (sys *system) besideMean(ctx context.Context, s space.Space, theta *mat.Dense) (residuals *mat.Dense, bias []float64, err error) {
	residuals, bias = mat.NewDense(sys.n, sys.m, nil), make([]float64, sys.m)
	if err := s.Values(ctx, residuals, theta); err != nil {
		return nil, nil, err
	}
	residuals.Sub(sys.y, residuals)
	if sys.intercept {
		for i, s := range sys.s {
			floats.AddScaled(bias, s*s/sys.total, residuals.RawRowView(i))
		}
	}
	for i := range sys.n {
		floats.Sub(residuals.RawRowView(i), bias)
	}
	return residuals, bias, nil
}
