package erm

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/space"
	"example.org/mercer/supervised/newton"
)

// Solve finds f and b in a space of the rows for the targets y and the loss l. See the package
// comment for the three ways.
//
// Cost: n³/3 multiplications for each of about 10 Newton steps, 20 steps of an interior
// point, or 50 majorizations, and 8n² bytes, with a dense Gram matrix; nD² and 8D² bytes for D
// features. Errors: every problem of the options; a kernel value that is not finite; a matrix that
// is not numerically positive definite; and a scale that cannot be estimated. Results have the same
// bits for any number of workers.
func Solve(ctx context.Context, s space.Space, y []float64, l loss.Loss, o Options) (*Solution, *Report, error) {
	sol, reports, err := solveAll(ctx, s, y, []loss.Loss{l}, o)
	if err != nil {
		return nil, nil, err
	}
	return sol, reports[0], nil
}

// solveAll finds a function for each loss in one space.
func solveAll(ctx context.Context, s space.Space, y []float64, losses []loss.Loss, o Options) (*Solution, []*Report, error) {
	n, _ := s.Dims()
	if err := o.Check(n, y, losses...); err != nil {
		return nil, nil, err
	}
	if !o.NoIntercept {
		if err := s.Centre(ctx, o.Weights, o.Compute); err != nil {
			return nil, nil, err
		}
	}
	sol, reports, err := fitAll(ctx, s, y, losses, &o, chosen(s))
	if err != nil {
		return nil, nil, err
	}
	if _, ok := s.(space.Spanned); ok {
		for i, w := range o.Weights {
			if w == 0 {
				clear(sol.Coef.RawRowView(i))
			}
		}
	}
	return sol, reports, nil
}

// chosen is what a space says of itself: its solver, and what it took to make it.
func chosen(s space.Space) *Report {
	r := new(Report)
	if s, ok := s.(interface{ Choice() space.Choice }); ok {
		choice := s.Choice()
		r.Solver, r.Why, r.Features = choice.Solver, choice.Why, choice.Features
	}
	if s, ok := s.(interface{ Ran() *model.Run }); ok {
		r.Run = *s.Ran()
	}
	return r
}

// total returns N = Σ wᵢ.
func total(n int, weights []float64) float64 {
	if weights == nil {
		return float64(n)
	}
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	return sum
}

// ridge returns R = Nλ for the two ways of giving it.
func ridge(n int, o *Options) float64 {
	if o.Ridge != 0 {
		return o.Ridge
	}
	return total(n, o.Weights) * o.Lambda
}

// rowNumbers is how many numbers for each row a job holds: values, gradients, directions and the
// sides of a programme.
const rowNumbers = 64

// fitAll runs one job per loss in a space and collects the columns. Coef holds the
// coordinates of the space. Where rows are read in passes, jobs share these.
func fitAll(ctx context.Context, s space.Space, y []float64, losses []loss.Loss, o *Options, like *Report) (*Solution, []*Report, error) {
	n, d := s.Dims()
	m := len(losses)
	sol := &Solution{Coef: mat.NewDense(d, m, nil), Bias: make([]float64, m), Values: mat.NewDense(n, m, nil)}
	reports := make([]*Report, m)
	most := min(m, space.Concurrent(s, 8*rowNumbers*int64(n)))
	err := space.Together(s, m, most, func(c int, s space.Space) error {
		report, own := *like, *o
		report.Stages = append([]model.Stage(nil), like.Stages...)
		if most > 1 {
			own.Compute = o.Compute.Within(losses[c].String())
		}
		if most > 1 && c > 0 {
			own.Compute.Progress = nil // the first one tells
		}
		j := &job{s: s, y: y, o: &own, loss: losses[c], report: &report, total: total(n, o.Weights), ridge: ridge(n, o)}
		watch := model.NewStopwatch()
		f, err := j.run(ctx)
		if err != nil {
			return j.explain(err)
		}
		before := report.Seconds
		watch.Lap(&report.Run, "minimise")
		report.Seconds += before
		reports[c] = &report
		for i := range d {
			sol.Coef.Set(i, c, f.Theta.At(i, 0))
		}
		if f.Bias != nil {
			sol.Bias[c] = s.Constants(f.Theta, f.Bias)[0]
		}
		for i, v := range j.predictions(f) {
			sol.Values.Set(i, c, v)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return sol, reports, nil
}

// job is one loss on its way.
type job struct {
	s      space.Space
	y      []float64
	o      *Options
	loss   loss.Loss
	report *Report
	total  float64 // N = Σ wᵢ
	ridge  float64 // R = Nλ
}

func (j *job) weight(i int) float64 {
	if j.o.Weights == nil {
		return 1
	}
	return j.o.Weights[i]
}

// predictions returns f + b + o at the rows.
func (j *job) predictions(f *space.Function) []float64 {
	eta := mat.DenseCopyOf(f.Values)
	f.Predictor(eta)
	out := eta.RawMatrix().Data
	for i, o := range j.o.Offsets {
		out[i] += o
	}
	return out
}

// residuals returns y − f − b − o.
func (j *job) residuals(f *space.Function) []float64 {
	out := j.predictions(f)
	for i, p := range out {
		out[i] = j.y[i] - p
	}
	return out
}

// run chooses the way.
func (j *job) run(ctx context.Context) (*space.Function, error) {
	r := j.report
	r.N, r.Ridge, r.Lambda = len(j.y), j.ridge, j.ridge/j.total
	var f *space.Function
	var err error
	if l, ok := j.loss.(loss.Piecewise); ok {
		f, err = j.piecewise(ctx, l, 1)
	} else if l, ok := j.loss.(loss.Nonconvex); ok {
		f, err = j.nonconvex(ctx, l)
	} else if l, ok := j.loss.(loss.Scalable); ok && l.Scaled() == 0 {
		f, err = j.rescaled(ctx, l)
	} else {
		if ok {
			r.Scale = l.Scaled()
		}
		f, err = j.smooth(ctx, j.loss, nil)
	}
	if err != nil {
		return nil, err
	}
	r.Loss = j.loss.String()
	r.Norm2 = max(0, j.s.Inner(f.Theta, f.Theta, f.Values))
	for i, e := range j.residuals(f) {
		if j.weight(i) > 0 && j.pulls(i, j.y[i]-e) {
			r.Support++
		}
	}
	if !r.Converged {
		r.Warn("the solver stopped after %d steps before its tolerance; the objective may exceed its minimum by %.3g: a larger λ helps", r.Iterations, r.Gap)
	}
	return f, nil
}

// pulls reports whether a row has a slope at the value f, or lies on a corner.
func (j *job) pulls(i int, f float64) bool {
	if l, ok := j.loss.(loss.Piecewise); ok {
		at, up, down, width := l.Pieces(j.y[i])
		near := 1e-9 * max(math.Abs(at), width, math.SmallestNonzeroFloat64)
		return f <= at-width+near && up > 0 || f >= at+width-near && down > 0
	}
	return j.loss.Gradient(j.y[i], f) != 0
}

// zero is f = 0, with a constant of 0 where there is one.
func (j *job) zero() *space.Function { return space.Zero(j.s, 1, !j.o.NoIntercept) }

// rows is the model of a smooth loss.
func (j *job) rows(l loss.Loss) *newton.Rows {
	return &newton.Rows{Loss: l, Y: j.y, Weights: j.o.Weights, Offsets: j.o.Offsets, Workers: j.o.Compute.Workers}
}

// smooth minimises a smooth convex loss from the given function, or from the better of
// two constants, 0 and the median of the targets.
func (j *job) smooth(ctx context.Context, l loss.Loss, start *space.Function) (*space.Function, error) {
	m := j.rows(l).Model()
	if start == nil {
		start = j.zero()
		if start.Bias != nil {
			start.Bias[0] = j.better(m, start)
		}
	}
	f, trace, err := newton.Minimize(ctx, j.s, j.ridge, m, start, newton.Options{Progress: j.o.Compute.Progress, Step: j.o.Compute.Step})
	if err != nil {
		return nil, err
	}
	j.keep(trace)
	return f, nil
}

// keep takes the certificate of a smooth fit.
func (j *job) keep(trace newton.Trace) {
	r := j.report
	r.Newton, r.Converged = &trace, trace.Converged
	r.Iterations += trace.Iterations
	r.Objective, r.Gap = trace.Value/j.total, trace.Gap/j.total
}

// better returns the constant with the lower loss.
func (j *job) better(m newton.Model, zero *space.Function) float64 {
	eta := mat.DenseCopyOf(zero.Values)
	middle := median(j.targets(), j.o.Weights)
	at0 := m.Value(eta)
	eta.Apply(func(int, int, float64) float64 { return middle }, eta)
	if m.Value(eta) < at0 {
		return middle
	}
	return 0
}

// targets are y − o.
func (j *job) targets() []float64 {
	out := append([]float64(nil), j.y...)
	for i, o := range j.o.Offsets {
		out[i] -= o
	}
	return out
}

// piecewise solves the programme of a loss of straight pieces, times slope.
func (j *job) piecewise(ctx context.Context, l loss.Piecewise, slope float64) (*space.Function, error) {
	n := len(j.y)
	p := &programme{at: make([]float64, n), up: make([]float64, n), down: make([]float64, n), width: make([]float64, n)}
	for i, y := range j.y {
		p.at[i], p.up[i], p.down[i], p.width[i] = l.Pieces(y)
		p.up[i] *= j.weight(i) * slope
		p.down[i] *= j.weight(i) * slope
		if j.o.Offsets != nil {
			p.at[i] -= j.o.Offsets[i]
		}
	}
	ip, err := newInterior(ctx, j, p)
	if err != nil {
		return nil, err
	}
	iterations, err := ip.run(ctx)
	if err != nil {
		return nil, err
	}
	if err := ip.crossover(ctx); err != nil {
		return nil, err
	}
	if _, ok := ip.s.(space.Spanned); ok { // the coefficients themselves, zeros as zeros
		if err := ip.coordinates(ctx); err != nil {
			return nil, err
		}
		ip.predict()
	}
	value, gap, err := ip.objective(ctx)
	if err != nil {
		return nil, err
	}
	r := j.report
	r.Objective, r.Gap, r.Converged = value/j.total, gap/j.total, ip.certified(value, gap)
	r.Iterations += iterations
	return ip.f, nil
}

// explain says what a failed factorisation means.
func (j *job) explain(err error) error {
	var np *linalg.NotPositiveDefinite
	if !errors.As(err, &np) {
		return err
	}
	return fmt.Errorf("erm: the system is not positive definite at λ = %g (ridge %g): the kernel is not positive definite on these rows, or λ is below the rounding of its values; give a larger λ: %w", j.report.Lambda, j.report.Ridge, err)
}
