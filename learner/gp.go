package learner

import (
	"context"
	"fmt"
	"slices"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	spaces "example.org/mercer/space"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/sparsegp"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// GP is regression by a Gaussian process. Its options take the row weights from the
// problem.
type GP struct {
	gp.Options
	// NoiseColumn names a column of the table with the variance that the noise of each
	// row has besides σ²; it should be no feature. "": none.
	NoiseColumn string
	// Updatable keeps the Cholesky factor of K + Σ in the model, 4n² bytes, so that rows come
	// and go at n² flops each; see mercer.Model.Adding.
	Updatable bool
	// VarianceCache asks for a [gp.LowRankCache] in the model, with the solver [gp.CG]; zero: none.
	VarianceCache gp.CacheOptions
	// Optimize moves the parameters of the kernel and the noise to where the evidence
	// is largest before the fit. A kernel without a factor of its own is given one,
	// which starts at the variance of the target.
	Optimize bool
	// Fixed names parameters that Optimize leaves as they are, "noise" among them.
	Fixed []string
	// Restarts and Seed are those of [gp.TuneOptions].
	Restarts int
	Seed     uint64
	// Sparse is what landmarks make of the process, and Jitter that of [sparsegp.Options]; they
	// mean nothing without landmarks.
	Sparse sparsegp.Approximation
	Jitter float64
}

var _ = register(reader{readProcess, readProcessStates}, GP{}.Name())

// Name returns "gp".
func (GP) Name() string { return "gp" }

// ComputeOptions are those of the fit.
func (o GP) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o GP) WithCompute(c compute.Options) Learner {
	o.Compute = c
	return o
}

func (o GP) Fit(ctx context.Context, p *task.Task) (*Fitted, error) {
	var err error
	if err := checkCovariance(ctx, p, o.Compute); err != nil {
		return nil, err
	}
	if o.RowNoise, err = o.noise(p); err != nil {
		return nil, err
	}
	if p.Points.Products() {
		return o.inFeatures(ctx, p)
	}
	if p.LandmarkMap != nil {
		return o.onLandmarks(ctx, p)
	}
	return o.refit(ctx, p)
}

// refit is fit where the noise of the rows is known.
func (o GP) refit(ctx context.Context, p *task.Task) (*Fitted, error) {
	y, err := p.Number()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	f, posterior, report, err := fitProcess(ctx, p.Points, y, o)
	if err != nil {
		return nil, err
	}
	l := o.fitted(p, f, report)
	kept, _ := StateOf[*processRows](l)
	if o.Updatable {
		if kept.factor = posterior.Lower(); kept.factor == nil {
			return nil, fmt.Errorf("learner: an updatable model keeps a Cholesky factor, and solver %q makes none: use solver %q, or a model that is not updatable, which is solved anew", o.Solver, gp.Cholesky)
		}
	}
	if o.VarianceCache != (gp.CacheOptions{}) {
		if err := o.cache(ctx, kept, posterior, report); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// cache makes that of the variances.
func (o GP) cache(ctx context.Context, kept *processRows, posterior *gp.Posterior, r *gp.Report) error {
	it, ok := posterior.PosteriorCovariance.(*gp.ByCG)
	if !ok {
		return fmt.Errorf("learner: a variance cache stands for the solves of solver %q, and this is %q: ask for that solver, or for no cache", gp.CG, gp.Cholesky)
	}
	watch := model.NewStopwatch()
	var err error
	if kept.cache, r.Cache, err = it.Cache(ctx, o.VarianceCache); err != nil {
		return err
	}
	watch.Lap(&r.Run, "variance cache")
	if c := r.Cache; c.Tolerance == 0 && c.Widest > manyWide {
		r.Warn("intervals by the variance cache of rank %d are up to %.2g times as wide as exact ones: a larger rank, a wider kernel or more noise makes it better", c.Rank, 1+c.Widest)
	}
	return nil
}

// manyWide is the widening by a variance cache above which a fit warns.
const manyWide = 0.05

func (o GP) fitted(p *task.Task, f task.Function, report *gp.Report) *Fitted {
	return &Fitted{Function: f, Report: report, Decision: outcome.ForTargets(p.Prep),
		States: []State{&processRows{noise: rowNoise{o.NoiseColumn, o.RowNoise}, targets: p.Rows.Y}}}
}

// checkCovariance refuses to change an indefinite matrix: what is made of it is a covariance
// on the training rows only, and new rows would have negative variances.
func checkCovariance(ctx context.Context, p *task.Task, o compute.Options) error {
	switch p.Indefinite {
	case "":
		return nil
	case gram.Refuse:
		_, _, err := p.Operator(ctx, o)
		return err
	}
	return fmt.Errorf("learner: the kernel of a Gaussian process is a covariance, and a Gram matrix that was made definite (%s) is none on new rows: use a positive definite kernel", p.Indefinite)
}

func (o GP) solve(ctx context.Context, k gram.Operator, p *task.Task) (*solution, error) {
	y, err := p.Number()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	if o.RowNoise, err = o.noise(p); err != nil {
		return nil, err
	}
	rows, err := spaces.DualOf(ctx, k, o.Space())
	if err != nil {
		return nil, err
	}
	s, r, err := gp.Solve(ctx, rows, y, o.Options)
	if err != nil {
		return nil, err
	}
	return &solution{coef: s.Coef, bias: []float64{s.Mean}, decision: outcome.ForTargets(p.Prep), report: r}, nil
}

func (GP) Axes(*task.Task) []tune.Axis { return []tune.Axis{tune.Powers("noise", 10, -6, 1, 1)} }

func (o GP) With(values []float64) Tunable {
	o.Noise = values[0]
	return o
}

// processOn fits the mean of a process, after a search for the largest evidence if that is
// asked for.
func processOn[T any](ctx context.Context, l task.TypedPoints[T], y []float64, o GP) (task.Function, *gp.Posterior, *gp.Report, error) {
	var tuned *gp.TuneReport
	k := l.Kernel
	if o.Optimize {
		var err error
		if k, o.Noise, tuned, err = gp.Tune(ctx, amplified(k, task.Variance(y)), l.Set, y, o.search()); err != nil {
			return task.Function{}, nil, nil, err
		}
	}
	f, report, err := gp.Fit(ctx, k, l.Set, y, o.Options)
	if err != nil {
		return task.Function{}, nil, nil, err
	}
	if tuned != nil {
		searched(&report.Run, tuned)
		report.Tuned = tuned
	}
	return task.NewFunction(l.Encoding, k, f.Expansion), f.Posterior, report, nil
}

// fitProcess is [processOn] for points of any type.
func fitProcess(ctx context.Context, rows task.Points, y []float64, o GP) (f task.Function, posterior *gp.Posterior, report *gp.Report, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { f, posterior, report, err = processOn(ctx, l, y, o) },
		IDs:     func(l task.TypedPoints[string]) { f, posterior, report, err = processOn(ctx, l, y, o) },
		Records: func(l task.TypedPoints[record.Record]) { f, posterior, report, err = processOn(ctx, l, y, o) },
	})
	return f, posterior, report, err
}

// search returns the options of a search for the largest evidence.
func (o GP) search() gp.TuneOptions {
	s := gp.TuneOptions{Options: o.Options, Fixed: o.Fixed, Restarts: o.Restarts, Seed: o.Seed}
	if i := slices.Index(o.Fixed, "noise"); i >= 0 {
		s.FixedNoise, s.Fixed = true, slices.Delete(slices.Clone(o.Fixed), i, i+1)
	}
	return s
}

// amplified gives a kernel a factor unless it, or a term of its sum, has one.
func amplified[T any](k kernel.Kernel[T], factor float64) kernel.Kernel[T] {
	terms := []kernel.Kernel[T]{k}
	if sum, ok := k.(kernel.Sum[T]); ok {
		terms = sum.Parts()
	}
	for _, term := range terms {
		if _, ok := term.(kernel.Scaled[T]); ok {
			return k
		}
	}
	if factor > 0 {
		return kernel.Scaled[T]{Factor: factor, Of: k}
	}
	return k
}

// againBy returns the options of a fit with a report, for rows with noise of their own and
// weights.
func againBy(r *gp.Report, noise, weights []float64, o compute.Options) gp.Options {
	again := gp.Options{Noise: r.Noise, RowNoise: noise, Mean: r.Mean, Weights: weights, Solver: r.Solver, Compute: o}
	if r.CG != nil {
		again.Tolerance, again.Probes = r.CG.Tolerance, r.CG.Probes
	}
	return again
}
