package krr

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/model"
	"example.org/mercer/space"
)

// Space returns the options of the space that these options ask for: see [space.Of] and
// [space.DualOf].
func (o Options) Space() space.Options {
	s := space.Options{Solver: o.Solver, Tolerance: o.Tolerance, Rank: o.rank, Sample: o.sample, Streamed: true, Compute: o.Compute}
	if s.Solver == Eigen {
		s.Solver = Packed // which computes nothing before it is asked
	}
	return s
}

// Solve finds f and b for the targets y (n×m) in a space of the rows. See the package comment for
// the problem.
//
//  1. The regression of y in the space, see [space.Regress].
//  2. Residuals and norms.
//  3. If asked: the leave-one-out residuals, from the leverages of the rows.
//
// With λ = 0 and a singular matrix f is the function of least norm among those of least error, by
// an eigendecomposition; the report says so, and has no leave-one-out residuals.
//
// Cost: that of the space; n³/3 multiplications and 8n² bytes for a dense Gram matrix, and n²m
// more for m targets; nD² and 8D² bytes for D features. Errors: every problem of the options; a
// kernel value or a feature that is not a finite number; and, at λ > 0, a system that is not
// numerically positive definite, which is never repaired: the ridge is too small for this K, or the
// kernel is not positive definite. Results have the same bits for any number of workers.
func Solve(ctx context.Context, s space.Space, y *mat.Dense, o Options) (*Solution, *Report, error) {
	n, _ := s.Dims()
	if err := o.Check(n, y); err != nil {
		return nil, nil, err
	}
	j := newJob(y, &o)
	j.ran(s)
	with := j.solve
	if o.Solver == Eigen {
		with = j.eigen
	}
	sol, r, err := with(ctx, s)
	return j.orMinimumNorm(ctx, s, sol, r, err)
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
	r := j.report
	if c, ok := s.(interface{ Choice() space.Choice }); ok {
		choice := c.Choice()
		r.Solver, r.Why, r.Features = choice.Solver, choice.Why, choice.Features
	}
	if s, ok := s.(interface{ Ran() *model.Run }); ok {
		r.Run = *s.Ran()
	}
	if r.Solver == CG {
		r.Tolerance = j.o.tolerance()
	}
	if r.Solver == Primal && j.o.Compute.Precision == compute.Single {
		r.Warn("solver %q works in double precision: its matrix has only %d rows", Primal, r.Features)
	}
}

// solve solves the regression, and says how good it is.
func (j *job) solve(ctx context.Context, s space.Space) (*Solution, *Report, error) {
	sys, r := j.sys, j.report
	g, err := space.Regress(ctx, s, space.Ridge{Weights: j.o.Weights, R: r.Ridge, Constant: sys.intercept, Factorless: !j.o.LOO}, sys.targets(), j.o.Compute)
	if err != nil {
		return nil, nil, j.explain(err)
	}
	j.took(g.Quality)
	if err := j.judgeCondition(); err != nil {
		return nil, nil, err
	}
	sol, watch := &Solution{Coef: g.Theta, Bias: g.Bias}, model.NewStopwatch()
	residuals, err := sys.left(ctx, g, j.o.Compute)
	if err != nil {
		return nil, nil, err
	}
	r.Norm2 = sys.norms(s, sol, residuals)
	r.Train = measure(sys.y, residuals, sys.weights())
	var run model.Run
	watch.Lap(&run, "residuals")
	if j.o.LOO {
		if r.Point, err = sys.leaveOneOut(ctx, s, g, r.Ridge, residuals, r.Norm2); err != nil {
			return nil, nil, err
		}
		watch.Lap(&run, "leave-one-out")
	}
	run.Before(r.Run)
	r.Run = run
	return sol, r, nil
}

// took takes over how the system was solved.
func (j *job) took(q space.Quality) {
	r := j.report
	r.Precision, r.Residual, r.Refined, r.Condition = q.Precision, q.Residual, q.Refined, q.Condition
	r.Iterations, r.SingleProducts, r.Sample = q.Iterations, q.SingleProducts, q.Sample
	q.Run.Before(r.Run)
	r.Run = q.Run
}

// targets are y.
func (sys *system) targets() space.Targets {
	return space.Targets{Columns: sys.m, Row: func(dst []float64, i int) error {
		copy(dst, sys.y.RawRowView(i))
		return nil
	}}
}

// left returns y − f − b, and zero in rows of weight zero where the space does not know it.
func (sys *system) left(ctx context.Context, g *space.Regression, o compute.Options) (*mat.Dense, error) {
	out := mat.NewDense(sys.n, sys.m, nil)
	err := g.Residuals(ctx, o, func(from, _ int, e *mat.Dense) error {
		for i := range e.RawMatrix().Rows {
			if row := e.RawRowView(i); sys.s[from+i] > 0 || !floats.HasNaN(row) {
				out.SetRow(from+i, row)
			}
		}
		return nil
	})
	return out, err
}

// norms returns ‖f‖² of each target; the values f(xᵢ) are yᵢ − eᵢ − b, e the residuals.
func (sys *system) norms(s space.Space, sol *Solution, residuals *mat.Dense) []float64 {
	values := new(mat.Dense)
	values.Sub(sys.y, residuals)
	values.Apply(func(_, c int, v float64) float64 { return v - sol.Bias[c] }, values)
	column := func(a *mat.Dense, c int) *mat.Dense {
		rows, _ := a.Dims()
		return a.Slice(0, rows, c, c+1).(*mat.Dense)
	}
	out := make([]float64, sys.m)
	for c := range out {
		theta := column(sol.Coef, c)
		out[c] = max(s.Inner(theta, theta, column(values, c)), 0) // −0 and rounding where f = 0
	}
	return out
}

// precise is a factor that knows the diagonal of the inverse of its system.
type precise interface {
	Precisions(ctx context.Context, dst []float64) error
}

// leaveOneOut returns what is known at the ridge: from the diagonal of the inverse in the span of
// the rows, else from leverages.
func (sys *system) leaveOneOut(ctx context.Context, s space.Space, g *space.Regression, ridge float64, residuals *mat.Dense, norm2 []float64) (*Point, error) {
	if sys.intercept && sys.active < 2 {
		return nil, errOneRow
	}
	sol := &Solution{Coef: g.Theta, Bias: g.Bias}
	f, ok := g.Factor.(precise)
	if !ok {
		return sys.byLeverages(ctx, g.Factor, ridge, sol, residuals, norm2)
	}
	c := make([]float64, sys.n)
	if err := f.Precisions(ctx, c); err != nil {
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
	return sys.pointAt(ridge, beta, sol, c, g.Factor.LogDet(), valuesIn(ctx, s))
}

// w returns the wᵢ.
func (sys *system) w() []float64 {
	w := make([]float64, sys.n)
	for i, s := range sys.s {
		w[i] = s * s
	}
	return w
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
