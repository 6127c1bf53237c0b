package methods

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel/record"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	spaces "example.org/mercer/space"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// GPC is classification by Gaussian processes: one for two labels, one for each of more.
// Its options take the row weights from the problem.
type GPC struct {
	gp.ClassOptions
	// Scale multiplies the kernel, which says how far the log-odds go; 0 is 1.
	Scale float64
	// Optimize moves the parameters of the kernel to where the evidence is largest
	// before the fit. A kernel without a factor of its own is given one.
	Optimize bool
	// Fixed names parameters that Optimize leaves as they are.
	Fixed []string
	// Restarts and Seed are those of [gp.TuneOptions].
	Restarts int
	Seed     uint64
}

// Name returns "gpc".
func (GPC) Name() string { return "gpc" }

// ComputeOptions are those of the fit.
func (o GPC) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o GPC) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

func (o GPC) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	t, y, err := p.Classes()
	if err != nil {
		return nil, err
	}
	if inWeights(p) {
		return o.fitWeights(ctx, p, t, y)
	}
	if err := checkCovariance(ctx, p, o.Compute); err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	f, report, latent, err := fitLatent(ctx, p.Points, y, o)
	if err != nil {
		return nil, err
	}
	return &learner.Fitted{Function: f, Report: report, Decision: averaged(t), States: []learner.State{&latentRows{covariance: latent}}}, nil
}

// averaged is the decision by probabilities that are averaged over latent functions.
func averaged(t prep.Target) outcome.Decision {
	d := outcome.ForClasses(t)
	d.Link = outcome.Averaged
	return d
}

func (o GPC) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
	t, y, err := p.Classes()
	if err != nil {
		return nil, err
	}
	scale := cmp.Or(o.Scale, 1)
	a, err := gram.CopyDense(ctx, k, o.Compute)
	if err != nil {
		return nil, err
	}
	a.ScaleSym(scale, a)
	o.Weights = p.Rows.W
	l, r, err := gp.SolveClasses(ctx, spaces.NewDual(a, linalg.Options{Workers: o.Compute.Workers}), y, o.ClassOptions)
	if err != nil {
		return nil, err
	}
	if err := allAmong(t, r.Classes); err != nil {
		return nil, err
	}
	l.Coef.Scale(scale, l.Coef) // for the kernel without the factor
	link := func(ctx context.Context, mean, cross *mat.Dense, prior []float64) (*mat.Dense, error) {
		var larger mat.Dense // cross and prior serve other scales, too
		larger.Scale(scale, cross)
		p, err := l.Probabilities(ctx, mean, floats.ScaleTo(make([]float64, len(prior)), scale, prior), &larger, o.Compute)
		if err != nil {
			return nil, err
		}
		return logarithms(p), nil
	}
	return &learner.Solution{Coef: l.Coef, Bias: make([]float64, l.Functions()), Decision: averaged(t), Report: r, Link: link}, nil
}

func (GPC) Axes(*task.Task) []tune.Axis {
	return []tune.Axis{tune.Powers("scale", 10, -1, 3, 1).SimplerAt(tune.Below)}
}

func (o GPC) With(values []float64) learner.Tunable {
	o.Scale = values[0]
	return o
}

// logarithms are those of averaged probabilities, of two classes their difference: outputs
// of which the softmax makes the same probabilities, and which say the same label.
func logarithms(p *mat.Dense) *mat.Dense {
	n, m := p.Dims()
	p.Apply(func(_, _ int, v float64) float64 { return math.Log(math.Max(v, math.SmallestNonzeroFloat64)) }, p)
	if m > 2 {
		return p
	}
	odds := mat.NewDense(n, 1, nil)
	odds.Sub(p.ColView(1), p.ColView(0))
	return odds
}

// latentFactor is the factor of a kernel without one at the start of a search: log-odds
// with a standard deviation of 2.
const latentFactor = 4

// latentOn fits the latent function, after a search for the largest evidence if that is
// asked for.
func latentOn[T any](ctx context.Context, l task.TypedPoints[T], y []int, o GPC) (task.Function, *gp.ClassReport, *gp.LaplaceCovariance, error) {
	var tuned *gp.TuneReport
	k := gp.Amplify(l.Kernel, o.Scale)
	if o.Optimize {
		var err error
		search := gp.TuneOptions{Options: gp.Options{Weights: o.Weights, Compute: o.Compute}, Fixed: o.Fixed, Restarts: o.Restarts, Seed: o.Seed}
		if k, tuned, err = gp.TuneClasses(ctx, gp.EnsureAmplitude(k, latentFactor), l.Set, y, search); err != nil {
			return task.Function{}, nil, nil, err
		}
	}
	f, report, err := gp.FitClasses(ctx, k, l.Set, y, o.ClassOptions)
	if err != nil {
		return task.Function{}, nil, nil, err
	}
	if tuned != nil {
		searched(&report.Run, tuned)
		report.Tuned = tuned
	}
	return task.NewFunction(l.Encoding, k, f.Expansion), report, f.Laplace.LaplaceCovariance, nil
}

// fitLatent is [latentOn] for points of any type.
func fitLatent(ctx context.Context, rows task.Points, y []int, o GPC) (f task.Function, report *gp.ClassReport, latent *gp.LaplaceCovariance, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { f, report, latent, err = latentOn(ctx, l, y, o) },
		IDs:     func(l task.TypedPoints[string]) { f, report, latent, err = latentOn(ctx, l, y, o) },
		Records: func(l task.TypedPoints[record.Record]) { f, report, latent, err = latentOn(ctx, l, y, o) },
	})
	return f, report, latent, err
}

// searched adds the run of a search to that of the fit after it.
func searched(r *model.Run, tuned *gp.TuneReport) {
	r.Stages = append(tuned.Stages, r.Stages...)
	r.Seconds += tuned.Seconds
	r.Warnings = append(tuned.Warnings, r.Warnings...)
	tuned.Run = model.Run{}
}

func (o GPC) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	t, _, err := p.Classes()
	if err != nil {
		return compute.Plan{}, err
	}
	if inWeights(p) {
		return o.planWeights(ctx, p, len(t.Labels))
	}
	steps := o.triedSteps(ctx, p)
	work := gp.ClassWork(len(t.Labels), cmp.Or(steps, gp.PlannedSteps))
	work.Solver, work.Precision = o.Solver, o.Compute.Precision
	plan, err := planEvidence(ctx, p, o.Name(), o.Compute, work, o.Optimize, o.Restarts)
	plan.Notes = append(plan.Notes, stepsNote(steps, gp.PlannedSteps))
	return plan, err
}

// triedSteps counts those of the mode on a sample, at the kernel from which a search begins.
func (o GPC) triedSteps(ctx context.Context, p *task.Task) int {
	o.Optimize = false
	return triedSteps(ctx, p, o)
}

var gpcSpec = &learner.Spec{
	Name:      "gpc",
	Title:     "Gaussian process classification",
	Conformal: true,
	Target:    learner.LabelTarget,
	Purpose: `A latent function with a Gaussian process prior and P(label) = 1/(1 + e^(−f)) for two labels, one function each and the softmax for
more, by Laplace's approximation. Its mode is kernel logistic regression at the ridge 1 without an intercept; the probabilities are
averaged over the functions' uncertainty, so that all tend to be equal far from the rows, and the label is the most probable.
--optimize moves the parameters of the kernel to where the evidence is largest; --fix keeps some of them. With --landmarks or
--random-features the functions are weights of features, no matrix of the rows is made, and the kernel stays as it is.`,
	Examples: []string{
		`heart_scale --kernel '4*rbf(sigma=median)'`,
		`train.csv --target fraud --kernel 'rbf(sigma=median)' --optimize --restarts 2`,
		`big.csv --target kind --kernel '10*rbf(sigma=median)' --landmarks 300`,
		`iris.csv --target species --kernel '10*rbf(sigma=[1,1,1,1])' --optimize --fix scale`,
	},
	Words: map[string][]string{
		"solver":    classSolvers,
		"precision": settings.Precisions,
	},
	Settings:   func() learner.Settings { return &gpcSettings{} },
	ReadReport: learner.PlainReport[gp.ClassReport],
	ReadStates: readLatent,
	Tuned:      []string{"scale"},
}

// gpcSettings are the settings of Gaussian process classification.
type gpcSettings struct {
	settings.Evidence
	scale     float64
	solver    string
	precision string
}

// classSolvers are the solvers of Gaussian process classification.
var classSolvers = settings.Words(gp.Cholesky, gp.Packed)

func (s *gpcSettings) Flags(fs learner.Flags) {
	fs.Float64Var(&s.scale, "scale", 1, "factor of the kernel: how far the log-odds go")
	fs.StringVar(&s.solver, "solver", string(gp.Cholesky), "cholesky, or packed: half of the memory, and kernel values computed again in every step")
	fs.StringVar(&s.precision, "precision", compute.Double.String(), "double, or single: packed steps in single precision, refined; covariance and evidence in double")
	s.Declare(fs, "the kernel's parameters")
}

func (s *gpcSettings) Learner(t *task.Task, g *learner.Given) (learner.Learner, error) {
	if err := s.Check(gpcSpec.Name, t == nil); err != nil {
		return nil, err
	}
	if !(s.scale > 0) || math.IsInf(s.scale, 1) {
		return nil, settings.Errorf("--scale is %g: the factor of a kernel is a positive number", s.scale)
	}
	if !slices.Contains(classSolvers, s.solver) {
		return nil, settings.Errorf("--solver %q is not known; there are %s", s.solver, strings.Join(classSolvers, " and "))
	}
	how, err := settings.InPrecision(g.Compute, s.precision)
	if err != nil {
		return nil, err
	}
	return GPC{ClassOptions: gp.ClassOptions{Solver: gp.Solver(s.solver), Compute: how}, Scale: s.scale, Optimize: s.Optimize, Fixed: s.Fixed, Restarts: s.Restarts, Seed: g.Seed}, nil
}
