package krr

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Space returns the options of the space that these options ask for: see [space.DualOf].
func (o *Options) Space() space.Options {
	s := space.Options{Solver: o.Solver, Tolerance: o.Tolerance, Rank: o.rank, Compute: o.Compute}
	if s.Solver == Eigen {
		s.Solver = Packed // which computes nothing before it is asked
	}
	return s
}

// Solve finds f and b for the targets y (n×m) in a space of the rows. See the package comment for
// the problem.
//
//  1. Weigh: factor M = W^½KW^½ + R·I, or what stands for it in the space.
//  2. Solve for all targets, and refine the solution where its residual is above 1e-12.
//  3. If asked: the leave-one-out residuals, from the diagonal of the inverse.
//
// Cost: that of the space; n³/3 multiplications and 8n² bytes for a dense Gram matrix, and n²m
// more for m targets. Errors: every problem of the options; a kernel value that is not a finite
// number; and a matrix M that is not numerically positive definite, which is never repaired: the
// ridge is too small for this K, or the kernel is not positive definite. Results have the same
// bits for any number of workers.
func Solve(ctx context.Context, s space.Space, y *mat.Dense, o Options) (*Solution, *Report, error) {
	n, _ := s.Dims()
	if err := o.validate(n, y); err != nil {
		return nil, nil, err
	}
	j := newJob(y, &o)
	j.ran(s)
	if o.Solver == Eigen {
		return j.eigen(ctx, s)
	}
	f, err := s.Weigh(ctx, j.sys.w(), j.report.Ridge, j.sys.intercept)
	if err != nil {
		return nil, nil, j.explain(err)
	}
	return j.solve(ctx, s, f)
}

// job is one solve on its way.
type job struct {
	sys    *system
	o      *Options
	report *Report
	watch  *model.Stopwatch
}

func newJob(y *mat.Dense, o *Options) *job {
	sys := newSystem(y, o.Weights, !o.NoIntercept)
	r := &Report{N: sys.n, Targets: sys.m, Precision: compute.Double.String()}
	r.Ridge = sys.ridge(o.Lambda, o.Ridge)
	r.Lambda = r.Ridge / sys.total
	return &job{sys: sys, o: o, report: r, watch: model.NewStopwatch()}
}

// ran takes over what a space says of itself: its solver, and what it took to make it.
func (j *job) ran(s space.Space) {
	if c, ok := s.(interface{ Choice() space.Choice }); ok {
		choice := c.Choice()
		j.report.Solver, j.report.Why, j.report.Features = choice.Solver, choice.Why, choice.Features
	}
	if s, ok := s.(interface{ Ran() *model.Run }); ok {
		j.report.Run = *s.Ran()
	}
	if j.report.Solver == CG {
		j.report.Tolerance = j.o.tolerance()
	}
}

// solve finishes with a factor.
func (j *job) solve(ctx context.Context, s space.Space, f space.Factor) (*Solution, *Report, error) {
	sys, r := j.sys, j.report
	covector, beta, err := sys.slope(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	theta, bias, err := f.Solve(ctx, covector, beta)
	if err != nil {
		return nil, nil, j.explain(err)
	}
	if f, ok := f.(space.Refiner); ok {
		q, err := f.Refine(ctx, covector, beta, theta, bias)
		if err != nil {
			return nil, nil, j.explain(err)
		}
		j.took(q)
	}
	if err := j.judgeCondition(); err != nil {
		return nil, nil, err
	}
	sol := &Solution{Coef: theta, Bias: make([]float64, sys.m)}
	copy(sol.Bias, bias)
	clearRows(theta, sys.s)
	residuals := sys.byCoefficients(r.Ridge, theta)
	r.Norm2 = sys.norms(sol, residuals)
	r.Train = measure(sys.y, residuals, sys.weights())
	if !j.o.LOO {
		return sol, r, nil
	}
	watch := model.NewStopwatch()
	r.Point, err = sys.leaveOneOut(ctx, s, f, r.Ridge, sol)
	var run model.Run
	watch.Lap(&run, "leave-one-out")
	run.Before(r.Run)
	r.Run = run
	return sol, r, err
}

// took takes over how the system was solved.
func (j *job) took(q space.Quality) {
	r := j.report
	r.Precision, r.Residual, r.Refined, r.Condition = q.Precision, q.Residual, q.Refined, q.Condition
	r.Iterations, r.SingleProducts = q.Iterations, q.SingleProducts
	q.Run.Before(r.Run)
	r.Run = q.Run
}

// slope returns the covector of Σ wᵢyᵢf(xᵢ) and Σ wᵢyᵢ.
func (sys *system) slope(ctx context.Context, s space.Space) (covector *mat.Dense, beta []float64, err error) {
	_, d := s.Dims()
	g := mat.DenseCopyOf(sys.y)
	for i, root := range sys.s {
		row := g.RawRowView(i)
		for c := range row {
			row[c] *= root * root
		}
	}
	if sys.intercept {
		beta = make([]float64, sys.m)
		for i := range sys.n {
			for c, v := range g.RawRowView(i) {
				beta[c] += v
			}
		}
	}
	covector = mat.NewDense(d, sys.m, nil)
	return covector, beta, s.Adjoint(ctx, covector, g)
}

// clearRows makes rows of weight zero exactly zero.
func clearRows(coef *mat.Dense, s []float64) {
	for i, root := range s {
		if root == 0 {
			clear(coef.RawRowView(i))
		}
	}
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

// norms returns αᵀKα = Σ αᵢ(yᵢ − eᵢ − b), e the residuals.
func (sys *system) norms(sol *Solution, residuals *mat.Dense) []float64 {
	out := make([]float64, sys.m)
	for i := range sys.n {
		y, e := sys.y.RawRowView(i), residuals.RawRowView(i)
		for c, v := range sol.Coef.RawRowView(i) {
			out[c] += v * (y[c] - e[c] - sol.Bias[c])
		}
	}
	for c, v := range out {
		out[c] = max(v, 0) // −0 and rounding where f = 0
	}
	return out
}

// precise is a factor that knows the diagonal of the inverse of its system.
type precise interface {
	Precisions(ctx context.Context, dst []float64) error
}

// leaveOneOut returns what is known at the ridge.
func (sys *system) leaveOneOut(ctx context.Context, s space.Space, f space.Factor, ridge float64, sol *Solution) (*Point, error) {
	if sys.intercept && sys.active < 2 {
		return nil, errOneRow
	}
	c := make([]float64, sys.n)
	if err := f.(precise).Precisions(ctx, c); err != nil {
		return nil, err
	}
	beta := mat.DenseCopyOf(sol.Coef)
	for i, root := range sys.s {
		row := beta.RawRowView(i)
		for t := range row {
			if root > 0 {
				row[t] /= root
			}
		}
	}
	return sys.pointAt(ridge, beta, sol, c, f.LogDet(), func(coef *mat.Dense) (*mat.Dense, error) {
		values := mat.NewDense(sys.n, sys.m, nil)
		return values, s.Values(ctx, values, coef)
	})
}

// w returns the wᵢ.
func (sys *system) w() []float64 {
	w := make([]float64, sys.n)
	for i, s := range sys.s {
		w[i] = s * s
	}
	return w
}

// multiplier returns the function α ↦ K·α, for the residuals of rows of weight zero.
func multiplier(ctx context.Context, k gram.Operator) func(*mat.Dense) (*mat.Dense, error) {
	return func(coef *mat.Dense) (*mat.Dense, error) {
		f := mat.NewDense(coef.RawMatrix().Rows, coef.RawMatrix().Cols, nil)
		return f, k.Mul(ctx, f, coef)
	}
}

// double returns the computing options in double precision.
func (j *job) double() compute.Options {
	o := j.o.Compute
	o.Precision = compute.Double
	return o
}

// judgeCondition warns of an ill-conditioned system, and refuses to interpolate
// where K is numerically singular even though the factorization went through.
func (j *job) judgeCondition() error {
	r := j.report
	const eps = 0x1p-52
	switch {
	case r.Ridge == 0 && r.Condition*eps*float64(r.N) > 1:
		return interpolating(r.Condition)
	case r.Condition > illConditioned:
		r.Warn("the system is ill-conditioned (condition %.1e): coefficients carry about %d digits; a larger λ or a narrower kernel helps", r.Condition, max(0, int(-math.Log10(r.Condition*eps))))
	}
	return nil
}

// illConditioned is the condition number beyond which a report warns: 1e-16·1e12
// leaves four digits to the coefficients. Predictions keep more, because the
// directions that are lost hardly act on them.
const illConditioned = 1e12
