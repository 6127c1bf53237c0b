package pipeline

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

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
	// and go at n² flops each; see [Model.Adding].
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

var _ = register(readProcess, GP{}.Name())

// Name returns "gp".
func (GP) Name() string { return "gp" }

func (o GP) compute() compute.Options { return o.Compute }

func (o GP) fit(ctx context.Context, p *task.Task) (*learned, error) {
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
func (o GP) refit(ctx context.Context, p *task.Task) (*learned, error) {
	y, err := p.Number()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	f, posterior, report, err := fitProcess(ctx, p.Points, y, o)
	if err != nil {
		return nil, err
	}
	l := o.learned(p, f, report)
	if o.Updatable {
		if l.factor = posterior.Lower(); l.factor == nil {
			return nil, fmt.Errorf("pipeline: an updatable model keeps a Cholesky factor, and solver %q makes none: use solver %q, or a model that is not updatable, which is solved anew", o.Solver, gp.Cholesky)
		}
	}
	if o.VarianceCache != (gp.CacheOptions{}) {
		if err := o.cache(ctx, l, posterior, report); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// cache makes that of the variances.
func (o GP) cache(ctx context.Context, l *learned, posterior *gp.Posterior, r *gp.Report) error {
	it, ok := posterior.PosteriorCovariance.(*gp.ByCG)
	if !ok {
		return fmt.Errorf("pipeline: a variance cache stands for the solves of solver %q, and this is %q: ask for that solver, or for no cache", gp.CG, gp.Cholesky)
	}
	watch := model.NewStopwatch()
	var err error
	if l.cache, r.Cache, err = it.Cache(ctx, o.VarianceCache); err != nil {
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

func (o GP) learned(p *task.Task, f task.Function, report *gp.Report) *learned {
	return &learned{f: f, report: report, decision: outcome.ForTargets(p.Prep), weighted: true, targets: p.Rows.Y, noise: rowNoise{o.NoiseColumn, o.RowNoise}}
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
	return fmt.Errorf("pipeline: the kernel of a Gaussian process is a covariance, and a Gram matrix that was made definite (%s) is none on new rows: use a positive definite kernel", p.Indefinite)
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

func (GP) axes(*task.Task) []tune.Axis { return []tune.Axis{tune.Powers("noise", 10, -6, 1, 1)} }

func (o GP) with(values []float64) tunable {
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

// isProcess reports whether a report is of a Gaussian process.
func isProcess(r Report) bool {
	switch r.(type) {
	case *gp.Report, *sparsegp.Report:
		return true
	}
	return false
}

// conditioned prepares the system of a fitted process again, as its solver does, and returns the
// noise σ² of new rows.
func (m *Model) conditioned(ctx context.Context, o compute.Options) (covariance gp.PosteriorCovariance, noise float64, err error) {
	train, ok := m.f.Train()
	switch {
	case !ok:
		return nil, 0, task.ErrPrimal
	case m.Compression != nil:
		return nil, 0, errCompressed
	}
	if r, ok := m.Report.(*sparsegp.Report); ok {
		covariance, err = sparsegp.Restore(ctx, train, *m.sparse, o)
		return covariance, r.Noise, err
	}
	r := m.Report.(*gp.Report)
	if m.cache != nil {
		return m.cache, r.Noise, nil
	}
	again := againBy(r, m.noise.train, m.Weights, o)
	rows, err := spaces.DualOf(ctx, gram.Of(train, o), again.Space())
	if err != nil {
		return nil, 0, err
	}
	covariance, err = gp.Condition(ctx, rows, again)
	return covariance, r.Noise, err
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

// eachCross calls use for a part of the rows of a prediction after the other, with their
// k(x, x) and their kernel values against the training rows.
func (m *Model) eachCross(ctx context.Context, p *outcome.Prediction, o compute.Options, use func(from, to int, prior []float64, cross *mat.Dense) error) error {
	for from := 0; from < len(p.Rows.Rows); from += intervalBatch {
		rows := span(from, min(from+intervalBatch, len(p.Rows.Rows)))
		cross, err := m.crossRows(ctx, p, rows, o)
		if err != nil {
			return err
		}
		prior := make([]float64, len(rows))
		if err := m.f.Diagonal(prior, p.Rows, rows); err != nil {
			return err
		}
		if err := use(from, from+len(rows), prior, cross); err != nil {
			return err
		}
	}
	return nil
}

// processIntervals are the central intervals of new observations: the mean and the
// quantiles of N(mean, variance + σ² + r), r the noise that the row has of its own.
func (m *Model) processIntervals(ctx context.Context, p *outcome.Prediction, level float64, o compute.Options) (lo, hi *mat.Dense, err error) {
	if !(level > 0 && level < 1) {
		return nil, nil, fmt.Errorf("pipeline: level %v is not between 0 and 1", level)
	}
	c, noise, err := m.conditioned(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	quantile := math.Sqrt2 * math.Erfinv(level)
	lo, hi = mat.DenseCopyOf(p.Values), mat.DenseCopyOf(p.Values)
	return lo, hi, m.eachCross(ctx, p, o, func(from, _ int, variances []float64, cross *mat.Dense) error {
		if _, err := c.VariancesAt(ctx, variances, cross); err != nil {
			return err
		}
		for i, v := range variances {
			v += noise
			if p.Noise != nil {
				v += p.Noise[from+i]
			}
			half := quantile * math.Sqrt(v)
			for j := range lo.RawMatrix().Cols {
				lo.Set(from+i, j, lo.At(from+i, j)-half)
				hi.Set(from+i, j, hi.At(from+i, j)+half)
			}
		}
		return nil
	})
}
