package space

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/model"
)

// Refiner is a factor that can tell how good a solution is.
type Refiner interface {
	Factor
	// Refine improves the solution of [Factor.Solve] for a covector and beta by a step of
	// iterative refinement, in place, where its relative residual is above 1e-12, and says how
	// good it is. A product with the matrix, where there is a factor.
	Refine(ctx context.Context, covector *mat.Dense, beta []float64, theta *mat.Dense, bias []float64) (Quality, error)
}

// refineAbove is the relative residual above which one step of iterative refinement is made.
const refineAbove = 1e-12

// solver solves with M.
type solver interface {
	// solve returns X of M·X = B, and what it says of itself in q.
	solve(ctx context.Context, b *mat.Dense, q *Quality) (*mat.Dense, error)
	// stage names the work of solve.
	stage() string
	// apart is the part of the ridge up to which a weight vᵢkᵢᵢ counts as none, so that the
	// right-hand side of its row, ρᵢ/√vᵢ, does not drown the others.
	apart() float64
}

// dualFactor solves with M and, where there is a constant, with its border. With s = √v,
// θ = s∘β and u = M⁻¹s a system of [Factor] is
//
//	Mβ + s·b = ρ/s,  sᵀβ = (1ᵀρ − β₀)/R.
//
// Rows of next to no weight are put apart: their θᵢ is ρᵢ/R to begin with, and the system is
// solved for what is left.
type dualFactor struct {
	*matrix
	solver
	constant bool
	quality  Quality
	u        *mat.Dense // M⁻¹s, once it is asked for
	su       float64    // sᵀM⁻¹s = 1ᵀA⁻¹1
	small    []bool     // rows that are put apart; nil: none
}

// factor makes the solver of the space.
func (f *dualFactor) factor(ctx context.Context) (err error) {
	watch := model.NewStopwatch()
	single := f.space.o.Compute.Precision == compute.Single
	switch {
	case f.space.choice.Solver == CG:
		f.solver, err = f.matrix.iterate(ctx, watch, &f.quality)
	case f.space.k != nil:
		f.solver, err = f.matrix.dense(ctx, watch, &f.quality)
	case single:
		f.solver, err = f.matrix.single(ctx, watch, &f.quality)
	default:
		f.solver, err = f.matrix.packed(ctx, watch, &f.quality)
	}
	if err != nil {
		return err
	}
	return f.putApart(ctx)
}

// putApart finds the rows of next to no weight.
func (f *dualFactor) putApart(ctx context.Context) error {
	diag := []float64(nil)
	if f.apart() > 0 {
		var err error
		if diag, err = f.space.diagonal(ctx); err != nil {
			return err
		}
	}
	for i, s := range f.scale {
		if s == 0 || diag != nil && s*s*diag[i] < f.apart()*f.ridge {
			if f.small == nil {
				f.small = make([]bool, len(f.scale))
			}
			f.small[i] = true
		}
	}
	return nil
}

// Solve solves for the covector.
func (f *dualFactor) Solve(ctx context.Context, covector *mat.Dense, beta []float64) (*mat.Dense, []float64, error) {
	n, m := covector.Dims()
	rest, alone, err := f.split(ctx, covector)
	if err != nil {
		return nil, nil, err
	}
	b := rest
	if f.constant { // s is a right-hand side beside the others
		b = mat.NewDense(n, 1+m, nil)
		b.SetCol(0, f.scale)
		b.Slice(0, n, 1, 1+m).(*mat.Dense).Copy(rest)
	}
	watch := model.NewStopwatch()
	x, err := f.solve(ctx, b, &f.quality)
	if err != nil {
		return nil, nil, err
	}
	f.quality.lap(watch, f.stage())
	var bias []float64
	if f.constant {
		x, bias = f.border(x, covector, beta, alone)
	}
	scaleRows(x, f.scale)
	if alone != nil {
		x.Add(x, alone)
	}
	return x, bias, nil
}

// split returns the right-hand sides ρ/s, less what the rows that are put apart do to the others,
// and their ρ/R; nil where these are zero.
func (f *dualFactor) split(ctx context.Context, covector *mat.Dense) (rest, alone *mat.Dense, err error) {
	n, m := covector.Dims()
	rest = mat.NewDense(n, m, nil)
	for i, s := range f.scale {
		from, to := covector.RawRowView(i), rest.RawRowView(i)
		if f.small == nil || !f.small[i] {
			for c, v := range from {
				to[c] = v / s
			}
			continue
		}
		for c, v := range from {
			if v != 0 && alone == nil {
				alone = mat.NewDense(n, m, nil)
			}
			if v != 0 {
				alone.Set(i, c, v/f.ridge)
			}
		}
	}
	if alone == nil {
		return rest, nil, nil
	}
	moved := mat.NewDense(n, m, nil)
	if err := f.space.Values(ctx, moved, alone); err != nil {
		return nil, nil, err
	}
	for i, s := range f.scale {
		to := rest.RawRowView(i)
		for c, v := range moved.RawRowView(i) {
			to[c] -= s * v
		}
	}
	return rest, alone, nil
}

// border turns [u V] = M⁻¹[s ρ/s] into the solution of the bordered system: β = V − u·b, where
// b = (sᵀV − (1ᵀρ − β₀)/R + 1ᵀθ₀)/sᵀu, θ₀ being what is put apart.
func (f *dualFactor) border(x, covector *mat.Dense, beta []float64, alone *mat.Dense) (*mat.Dense, []float64) {
	n, m := covector.Dims()
	f.u, f.su = mat.NewDense(n, 1, nil), 0
	bias, sums := make([]float64, m), columnSums(covector)
	for i, s := range f.scale {
		row := x.RawRowView(i)
		f.u.Set(i, 0, row[0])
		f.su += s * row[0]
		for c := range bias {
			bias[c] += s * row[1+c]
		}
		if alone != nil {
			for c, v := range alone.RawRowView(i) {
				bias[c] += v
			}
		}
	}
	for c := range bias {
		if left := sums[c] - beta[c]; left != 0 {
			bias[c] -= left / f.ridge
		}
		bias[c] /= f.su
	}
	out := mat.NewDense(n, m, nil)
	for i := range f.scale {
		row, u, to := x.RawRowView(i)[1:], f.u.At(i, 0), out.RawRowView(i)
		for c, v := range row {
			to[c] = v - u*bias[c]
		}
	}
	return out, bias
}

// bordered makes sure that u is known.
func (f *dualFactor) bordered(ctx context.Context) error {
	if !f.constant || f.u != nil {
		return nil
	}
	b := mat.NewDense(len(f.scale), 1, slices.Clone(f.scale))
	u, err := f.solve(ctx, b, &f.quality)
	if err != nil {
		return err
	}
	f.u, f.su = u, 0
	for i, s := range f.scale {
		f.su += s * u.At(i, 0)
	}
	return nil
}

// Refine computes the residual where there is a factor; the others have it.
func (f *dualFactor) Refine(ctx context.Context, covector *mat.Dense, beta []float64, theta *mat.Dense, bias []float64) (Quality, error) {
	d, ok := f.solver.(inDouble)
	if !ok {
		return f.quality, nil
	}
	watch := model.NewStopwatch()
	for try := range 2 {
		rest, slack, err := f.residual(ctx, covector, beta, theta, bias)
		if err != nil {
			return f.quality, err
		}
		if try == 1 || f.quality.Residual <= refineAbove {
			break
		}
		step, more, err := f.Solve(ctx, rest, slack)
		if err != nil {
			return f.quality, err
		}
		theta.Add(theta, step)
		for c, v := range more {
			bias[c] += v
		}
		f.quality.Refined = true
	}
	f.quality.Condition = d.Condition()
	f.quality.lap(watch, "solve")
	return f.quality, nil
}

// residual returns what a solution leaves of the covector and of beta, ρ − Rθ − v∘(Kθ + b) and
// β − Σ vᵢ(f(xᵢ) + b), and stores the largest ‖rest/s‖/‖ρ/s‖.
func (f *dualFactor) residual(ctx context.Context, covector *mat.Dense, beta []float64, theta *mat.Dense, bias []float64) (*mat.Dense, []float64, error) {
	n, m := covector.Dims()
	rest := mat.NewDense(n, m, nil)
	if err := f.space.op.Mul(ctx, rest, theta); err != nil {
		return nil, nil, err
	}
	slack, above, below := slices.Clone(beta), make([]float64, m), make([]float64, m)
	for i, s := range f.scale {
		row, from, at := rest.RawRowView(i), covector.RawRowView(i), theta.RawRowView(i)
		for c, value := range row {
			if bias != nil {
				value += bias[c]
				slack[c] -= s * s * value
			}
			row[c] = from[c] - f.ridge*at[c] - s*s*value
			if s > 0 {
				above[c] += row[c] / s * (row[c] / s)
				below[c] += from[c] / s * (from[c] / s)
			}
		}
	}
	f.quality.Residual = 0
	for c := range above {
		if below[c] > 0 {
			f.quality.Residual = max(f.quality.Residual, math.Sqrt(above[c]/below[c]))
		}
	}
	return rest, slack, nil
}

// varianceBlock is the number of rows whose variances are computed together.
const varianceBlock = 256

// Variances is the posterior variance of a Gaussian process with covariance K/R, noise
// 1/v and a flat constant: [kᵢᵢ − kᵢᵀA⁻¹kᵢ + (1 − uᵀkᵢ)²/1ᵀu]/R. In this form, unlike
// in (1 − (R/vᵢ)·(A⁻¹)ᵢᵢ)/vᵢ, no digits are lost where vᵢ is small.
func (f *dualFactor) Variances(ctx context.Context, dst []float64) error {
	for from := 0; from < len(dst); from += varianceBlock {
		to := min(from+varianceBlock, len(dst))
		columns, diag, err := f.space.columns(ctx, from, to)
		if err != nil {
			return err
		}
		e, err := f.explain(ctx, mat.DenseCopyOf(columns.T()))
		if err != nil {
			return err
		}
		e.variances(diag)
		for i, v := range diag {
			dst[from+i] = v / f.ridge
		}
	}
	return nil
}

// LeaveOneOut is R times the diagonal of the inverse of M with its border; without a factor in
// double precision 1 − vᵢ times the variances.
func (f *dualFactor) LeaveOneOut(ctx context.Context, dst []float64) error {
	if _, ok := f.solver.(inDouble); !ok {
		err := f.Variances(ctx, dst)
		for i, s := range f.scale {
			dst[i] = 1 - s*s*dst[i]
		}
		return err
	}
	if err := f.Precisions(ctx, dst); err != nil {
		return err
	}
	for i, s := range f.scale {
		if dst[i] *= f.ridge; s == 0 {
			dst[i] = 1
		}
	}
	return nil
}

// leftOver is the part of an element that is rounding.
const leftOver = 1e-13

// Precisions stores the diagonal of the inverse of M with its border, (1 − hᵢ)/R also where R = 0:
// without row i its residual is θᵢ/(vᵢdᵢ). It is 0 where only rounding is left of it.
func (f *dualFactor) Precisions(ctx context.Context, dst []float64) error {
	d, err := f.exact("the diagonal of an inverse")
	if err != nil {
		return err
	}
	if err := f.bordered(ctx); err != nil {
		return err
	}
	err = d.InverseDiag(ctx, dst)
	for i, whole := range dst {
		if !f.constant {
			break
		}
		if dst[i] -= f.u.At(i, 0) * f.u.At(i, 0) / f.su; !(dst[i] > leftOver*whole) {
			dst[i] = 0
		}
	}
	return err
}

// LogDet is ln|M| + ln sᵀu; not a number without a factor in double precision.
func (f *dualFactor) LogDet() float64 {
	d, ok := f.solver.(inDouble)
	if !ok || f.bordered(context.Background()) != nil {
		return math.NaN()
	}
	sum := d.LogDet()
	if f.constant {
		sum += math.Log(f.su)
	}
	return sum
}

// Trace is Σ vᵢkᵢᵢ.
func (f *dualFactor) Trace(ctx context.Context) (float64, error) {
	diag, err := f.space.diagonal(ctx)
	sum := 0.0
	for i, k := range diag {
		sum += f.scale[i] * f.scale[i] * k
	}
	return sum, err
}

// Quality says how the last right-hand sides were solved for.
func (f *dualFactor) Quality() Quality { return f.quality }
