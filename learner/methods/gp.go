package methods

import (
	"context"
	"fmt"
	"slices"

	"math"
	"strings"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel/record"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
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

// Name returns "gp".
func (GP) Name() string { return "gp" }

// ComputeOptions are those of the fit.
func (o GP) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o GP) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

func (o GP) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
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
func (o GP) refit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
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
	kept, _ := learner.StateOf[*processRows](l)
	if o.Updatable {
		if kept.Factor = posterior.Lower(); kept.Factor == nil {
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

func (o GP) fitted(p *task.Task, f task.Function, report *gp.Report) *learner.Fitted {
	return &learner.Fitted{Function: f, Report: report, Decision: outcome.ForTargets(p.Prep),
		States: []learner.State{&processRows{RowFactor: learner.RowFactor{Targets: p.Rows.Y}, rowNoise: rowNoise{o.NoiseColumn, o.RowNoise}}}}
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

func (o GP) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
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
	return &learner.Solution{Coef: s.Coef, Bias: []float64{s.Mean}, Decision: outcome.ForTargets(p.Prep), Report: r}, nil
}

func (GP) Axes(*task.Task) []tune.Axis {
	return []tune.Axis{tune.Powers("noise", 10, -6, 1, 1).SimplerAt(tune.Above)}
}

func (o GP) With(values []float64) learner.Tunable {
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
		if k, o.Noise, tuned, err = gp.Tune(ctx, gp.EnsureAmplitude(k, task.Variance(y)), l.Set, y, o.search()); err != nil {
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

// againBy returns the options of a fit with a report, for rows with noise of their own and
// weights.
func againBy(r *gp.Report, noise, weights []float64, o compute.Options) gp.Options {
	again := gp.Options{Noise: r.Noise, RowNoise: noise, Mean: r.Mean, Weights: weights, Solver: r.Solver, Compute: o}
	if r.CG != nil {
		again.Tolerance, again.Probes = r.CG.Tolerance, r.CG.Probes
	}
	return again
}

// FactorBytes is what a checkpoint takes that keeps the factor, for the solver of a plan.
func (o GP) FactorBytes(p *task.Task, _ string) int64 {
	if o.Solver != "" && o.Solver != "cholesky" {
		return 0
	}
	return p.TriangleBytes()
}

var gpSpec = &learner.Spec{
	Name: "gp", Synonyms: []string{"gpr", "kriging"},
	Title:  "Gaussian process regression",
	Target: learner.NumericTarget,
	Purpose: `A Gaussian process with the kernel as its covariance and independent noise of variance σ², conditioned on the rows. Its mean is
kernel ridge regression at the ridge σ²; predict --interval gives intervals from its variance, without held-out rows.
--optimize moves every parameter of the kernel, and the noise, from where they are given to where the evidence is largest (by
L-BFGS), but for those that --fix names; a kernel without a factor is given one (scale), and a list such as sigma=[1,1,1] has one
width per column (relevance). --noise-column has a variance for each row; predict adds it to the intervals of rows that have it.
--solver cg multiplies with the Gram matrix and need not store it: coefficients and variances to a certified residual, the evidence
by --probes random vectors with its standard error. --landmarks conditions the process through its values at a few points, in
nm² flops for n rows and m landmarks, variances and --optimize included: --sparse says how. The report bounds the exact evidence.`,
	Examples: []string{
		`train.csv --target price --kernel 'rbf(sigma=median)' --optimize`,
		`train.csv --target price --kernel '2*matern(nu=2.5, lengthscale=[1,1,1])' --optimize --restarts 4`,
		`train.csv --target price --kernel '10*rbf(sigma=1)' --noise 0.5 --mean zero`,
		`big.csv --target price --kernel 'rbf(sigma=median)' --solver cg`,
		`big.csv --target price --landmarks 500 --optimize`,
		`stars.csv --target flux --noise-column variance --noise 0 --kernel 'rbf(sigma=1)' --optimize --fix noise`,
	},
	Settings:   func() learner.Settings { return &gpSettings{} },
	ReadReport: readProcess,
	ReadStates: readProcessStates,
	Tuned:      []string{"noise"},
	Words: map[string][]string{
		"solver": processSolvers,
		"sparse": settings.Words(sparsegp.Approximations...),
		"mean":   settings.Words(gp.Constant, gp.Zero),
	},
	Approximate: sparseNames,
}

// gpSettings are the settings of Gaussian process regression.
type gpSettings struct {
	settings.Evidence
	m     GP
	cache float64
}

// sparseNames are the flags that mean nothing without landmarks.
var sparseNames = []string{"sparse", "jitter"}

// processSolvers are the solvers of Gaussian process regression.
var processSolvers = settings.Words(gp.Cholesky, gp.Packed, gp.CG)

// Columns are those of the table that are no features.
func (s *gpSettings) Columns() []string {
	if s.m.NoiseColumn == "" {
		return nil
	}
	return []string{s.m.NoiseColumn}
}

func (s *gpSettings) Flags(fs learner.Flags) {
	fs.Float64Var(&s.m.Noise, "noise", 0, "variance σ² of the noise; default: a tenth of the variance of the target")
	fs.StringVar((*string)(&s.m.Mean), "mean", string(gp.Constant), "prior mean: constant (found from the data) or zero")
	fs.StringVar(&s.m.NoiseColumn, "noise-column", "", "column with the variance that the noise of each row has besides σ²; not a feature")
	fs.BoolVar(&s.m.Updatable, "updatable", false, updatableUsage)
	fs.StringVar((*string)(&s.m.Solver), "solver", string(gp.Cholesky), strings.Join(processSolvers, ", "))
	fs.Float64Var(&s.m.Tolerance, "tolerance", 0, "relative residual of the coefficients at which the solver cg stops; default 1e-10")
	fs.IntVar(&s.m.Probes, "probes", 0, "random vectors by which the solver cg estimates the evidence; default 16")
	fs.Float64Var(&s.cache, "variance-cache", 0, "with --solver cg keep a matrix of this rank in the model, by which predict --interval takes no solves; a number below 1 is by how much an interval may then be wider, as a share, and finds the rank")
	fs.StringVar((*string)(&s.m.Sparse), sparseNames[0], string(sparsegp.Variational), "what --landmarks make of the process: variational (a bound of the evidence), fitc, dtc or sor")
	fs.Float64Var(&s.m.Jitter, sparseNames[1], 0, "with --landmarks: what is added to the diagonal of their Gram matrix, beside its mean; default 1e-10")
	s.Declare(fs, "the kernel's parameters and the noise")
}

// noiseShare is the share of the target's variance that is taken for noise where none
// is given; it is said so.
const noiseShare = 0.1

func (s *gpSettings) Learner(t *task.Task, g *learner.Given) (learner.Learner, error) {
	for _, check := range []func(t *task.Task, g *learner.Given) error{s.checkSearch, s.checkSparse, s.checkNoise, s.checkSolver} {
		if err := check(t, g); err != nil {
			return nil, err
		}
	}
	m := s.m
	if !g.Has("noise") && t != nil { // a search varies the noise
		m.Noise = noiseShare * t.TargetVariance()
		g.Note("noise σ² = %s (default: a tenth of the variance of the target; give --noise or --optimize)", model.FormatNumber(m.Noise))
	}
	m.VarianceCache.Rank = int(s.cache)
	if s.cache < 1 {
		m.VarianceCache.Tolerance = s.cache
	}
	m.Optimize, m.Fixed, m.Restarts = s.Optimize, s.Fixed, s.Restarts
	if g.Has("noise") && m.Noise == 0 && m.Optimize && !slices.Contains(m.Fixed, "noise") {
		m.Fixed = append(slices.Clone(m.Fixed), "noise") // as was asked for
	}
	m.Seed, m.Compute = g.Seed, g.Compute
	return m, nil
}

// checkSearch refuses what goes together with a search for the evidence alone.
func (s *gpSettings) checkSearch(t *task.Task, _ *learner.Given) error {
	return s.Check(gpSpec.Name, t == nil)
}

// checkNoise refuses noise and mean that there are not.
func (s *gpSettings) checkNoise(_ *task.Task, g *learner.Given) error {
	switch noise := s.m.Noise; {
	case g.Has("noise") && (!(noise >= 0) || math.IsInf(noise, 1)):
		return settings.Errorf("--noise is %g: a variance is at least 0", noise)
	case s.m.Mean != gp.Constant && s.m.Mean != gp.Zero:
		return settings.Errorf("--mean %q is not known; there are %s and %s", s.m.Mean, gp.Constant, gp.Zero)
	}
	return nil
}

// checkSolver refuses what does not go with the solver.
func (s *gpSettings) checkSolver(*task.Task, *learner.Given) error {
	products := s.m.Solver == gp.CG
	switch {
	case !slices.Contains(processSolvers, string(s.m.Solver)):
		return settings.Errorf("--solver %q is not known; there are %s", s.m.Solver, strings.Join(processSolvers, ", "))
	case products && s.m.Updatable:
		return settings.Errorf("--updatable keeps a Cholesky factor, and --solver %s makes none", gp.CG)
	case !products && s.cache != 0:
		return settings.Errorf("--variance-cache stands for the solves of --solver cg: %s has none", s.m.Solver)
	case !(s.cache >= 0) || s.cache >= 1 && s.cache != math.Trunc(s.cache) || math.IsInf(s.cache, 1):
		return settings.Errorf("--variance-cache is %g: give a rank, a whole number from 1 on, or a share below 1", s.cache)
	case !products && (s.m.Tolerance != 0 || s.m.Probes != 0):
		return settings.Errorf("--tolerance and --probes are those of --solver cg: %s is exact", s.m.Solver)
	}
	return nil
}

// checkSparse refuses what goes with landmarks alone.
func (s *gpSettings) checkSparse(_ *task.Task, g *learner.Given) error {
	if !slices.Contains(sparsegp.Approximations, s.m.Sparse) {
		return settings.Errorf("--sparse %q is not known; there are %q", s.m.Sparse, sparsegp.Approximations)
	}
	if !(s.m.Jitter >= 0) || math.IsInf(s.m.Jitter, 1) {
		return settings.Errorf("--jitter is %g: it is at least 0", s.m.Jitter)
	}
	for _, name := range sparseNames {
		if g.Has(name) && !g.Has(settings.LandmarksFlag) && !g.Has(settings.AutoFlag) {
			return settings.Errorf("--%s says what landmarks make of a process: give --%s", name, settings.LandmarksFlag)
		}
	}
	return nil
}
