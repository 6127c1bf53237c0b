package klr

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/linalg"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/space"
	"example.org/mercer/supervised/newton"
)

// Solution is f_c(x) = Σᵢ Coef[i,c] k(x, xᵢ) + Bias[c]: one function for two classes,
// the log-odds of class 1, and one per class for more.
type Solution struct {
	Coef *mat.Dense // α, n×1 or n×m; exactly zero in rows of weight zero; in features w, D×1 or D×m
	Bias []float64  // zeros without an intercept
	// Values are the linear predictors of the training rows, offsets included.
	Values *mat.Dense
}

// Space returns the options of the space that these options ask for: see [space.Of].
func (o Options) Space() space.Options {
	how := space.Options{Solver: o.Solver, Tolerance: newtonTolerance, Repeated: true, Compute: o.Compute}
	how.Compute.Checkpoint = nil // the directions of Newton's method are the steps
	return how
}

// newtonTolerance is that of conjugate gradients: beside the error of a Newton step it is nothing.
const newtonTolerance = 1e-11

// Solve finds the functions in a space of the rows for the classes y, numbers from 0 without gaps.
//
// Cost: about ten Newton steps, each a system of the space: n³/3 multiplications and 8n² bytes for
// two classes and a dense Gram matrix; for m classes each conjugate gradient iteration in a step
// takes 4n²m more. Errors:
// every problem of the options; fewer than two classes; a kernel value that is not
// finite; and a matrix K + R·V⁻¹ that is not numerically positive definite. Results
// have the same bits for any number of workers.
func Solve(ctx context.Context, s space.Space, y []int, o Options) (*Solution, *Report, error) {
	n, coordinates := s.Dims()
	if err := o.Check(n, y); err != nil {
		return nil, nil, err
	}
	j := newJob(y, &o)
	j.ran(s)
	if !o.NoIntercept {
		if err := s.Centre(ctx, o.Weights, o.Compute); err != nil {
			return nil, nil, err
		}
		if coordinates < n {
			j.watch.Lap(&j.report.Run, "mean")
		}
	}
	f, err := j.run(ctx, s)
	if err != nil {
		return nil, nil, err
	}
	sol := &Solution{Coef: f.Theta, Bias: j.bias(s, f), Values: j.values(f)}
	if _, ok := s.(space.Spanned); ok {
		for i, w := range o.Weights {
			if w == 0 {
				clear(sol.Coef.RawRowView(i))
			}
		}
	}
	return sol, j.report, nil
}

// ran takes over what a space says of itself: its solver, and what it took to make it.
func (j *job) ran(s space.Space) {
	if s, ok := s.(interface{ Choice() space.Choice }); ok {
		choice := s.Choice()
		j.report.Solver, j.report.Why, j.report.Features = choice.Solver, choice.Why, choice.Features
	}
	if s, ok := s.(interface{ Ran() *model.Run }); ok {
		j.report.Run = *s.Ran()
	}
}

// job is one fit on its way.
type job struct {
	y      []int
	o      *Options
	m      int // classes
	model  newton.Model
	total  float64 // N = Σ wᵢ
	report *Report
	watch  *model.Stopwatch
}

func newJob(y []int, o *Options) *job {
	j := &job{y: y, o: o, m: classes(y), watch: model.NewStopwatch()}
	for i := range y {
		j.total += j.weight(i)
	}
	ridge := o.Ridge
	if ridge == 0 {
		ridge = j.total * o.Lambda
	}
	j.report = &Report{N: len(y), Classes: j.m, Ridge: ridge, Lambda: ridge / j.total}
	if j.m > 2 {
		j.model = &newton.Multinomial{Y: y, Weights: o.Weights, Offsets: o.Offsets, Classes: j.m, Workers: o.Compute.Workers}
		return j
	}
	rows := &newton.Rows{Loss: loss.Logistic{}, Y: make([]float64, len(y)), Weights: o.Weights, Workers: o.Compute.Workers}
	for i, c := range y {
		rows.Y[i] = float64(2*c - 1)
	}
	if o.Offsets != nil {
		rows.Offsets = mat.Col(nil, 0, o.Offsets)
	}
	j.model = rows.Model()
	return j
}

func (j *job) weight(i int) float64 {
	if j.o.Weights == nil {
		return 1
	}
	return j.o.Weights[i]
}

// run fits the null model, starts from its constants, and reports.
func (j *job) run(ctx context.Context, s space.Space) (*space.Function, error) {
	r, outs := j.report, outputs(j.m)
	constants := space.Constant(len(j.y))
	null, trace, err := newton.Minimize(ctx, constants, 1, j.model, space.Zero(constants, outs, !j.o.NoIntercept), newton.Options{})
	if err != nil {
		return nil, fmt.Errorf("klr: fitting the constant: %w", err)
	}
	r.NullDeviance = 2 * trace.Value
	start := space.Zero(s, outs, !j.o.NoIntercept)
	copy(start.Bias, null.Bias)
	f, trace, err := newton.Minimize(ctx, s, r.Ridge, j.model, start, newton.Options{Progress: j.o.Compute.Progress, Step: j.o.Compute.Step})
	if err != nil {
		return nil, j.explain(err)
	}
	r.Newton, r.Objective = trace, trace.Value/j.total
	if !trace.Converged {
		r.Warn("Newton's method stopped after %d steps before its tolerance; the objective is within %.3g of its minimum: a larger λ helps", trace.Iterations, trace.Gap/j.total)
	}
	for c := range outs {
		theta, values := f.Theta.Slice(0, f.Theta.RawMatrix().Rows, c, c+1).(*mat.Dense), f.Values.Slice(0, len(j.y), c, c+1).(*mat.Dense)
		r.Norm2 = append(r.Norm2, max(0, s.Inner(theta, theta, values)))
	}
	r.Deviance, r.Accuracy = j.judge(j.values(f))
	j.watch.Lap(&r.Run, "newton")
	if j.o.LOO {
		if r.Point, err = j.point(ctx, s, f); err != nil {
			return nil, err
		}
		j.watch.Lap(&r.Run, "leave-one-out")
	}
	return f, nil
}

// values returns the linear predictors with the offsets.
func (j *job) values(f *space.Function) *mat.Dense {
	eta := mat.DenseCopyOf(f.Values)
	f.Predictor(eta)
	if j.o.Offsets != nil {
		eta.Add(eta, j.o.Offsets)
	}
	return eta
}

// bias returns the constants in the caller's coordinates, zeros without an intercept.
func (j *job) bias(s space.Space, f *space.Function) []float64 {
	if f.Bias == nil {
		return make([]float64, outputs(j.m))
	}
	return s.Constants(f.Theta, f.Bias)
}

// judge returns the deviance and the accuracy of linear predictors.
func (j *job) judge(values *mat.Dense) (deviance, accuracy float64) {
	// The model adds the offsets that values has already: take them away.
	eta := values
	if j.o.Offsets != nil {
		eta = mat.DenseCopyOf(values)
		eta.Sub(eta, j.o.Offsets)
	}
	right := 0.0
	for i, c := range Classes(values) {
		if c == j.y[i] {
			right += j.weight(i)
		}
	}
	return 2 * j.model.Value(eta), right / j.total
}

// explain says what a failed factorisation means.
func (j *job) explain(err error) error {
	var np *linalg.NotPositiveDefinite
	if !errors.As(err, &np) {
		return err
	}
	return fmt.Errorf("klr: the system is not positive definite at λ = %g (ridge %g): the kernel is not positive definite on these rows, or λ is below the rounding of its values; give a larger λ: %w", j.report.Lambda, j.report.Ridge, err)
}
