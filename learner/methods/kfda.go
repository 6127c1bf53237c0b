package methods

import (
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/outcome"
	"example.org/mercer/space"
	"example.org/mercer/supervised/kfda"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// KFDA is the kernel Fisher discriminant. Its options take the row weights from the
// problem.
type KFDA struct {
	kfda.Options
	// EqualPriors takes the classes for equally probable.
	EqualPriors bool
}

// Barycentre is the nearest mean of the classes in feature space. Its options take the
// row weights from the problem.
type Barycentre struct{ kfda.BarycentreOptions }

// Name returns "kfda".
func (KFDA) Name() string { return "kfda" }

// Name returns "barycentre".
func (Barycentre) Name() string { return "barycentre" }

// ComputeOptions are those of the fit.
func (o KFDA) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o KFDA) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

// ComputeOptions are those of the fit.
func (o Barycentre) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o Barycentre) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

func (o KFDA) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	return learner.FitInSpace(ctx, p, o)
}
func (o Barycentre) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	return learner.FitInSpace(ctx, p, o)
}

// on puts the row weights of a problem in the options, and the priors of its labels.
func (o KFDA) on(p *task.Task, t prep.Target) kfda.Options {
	o.Weights = p.Rows.W
	if o.EqualPriors {
		o.Priors = slices.Repeat([]float64{1}, len(t.Labels))
	}
	return o.Options
}

func (o KFDA) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
	return learner.SolveOnGram(ctx, k, p, o)
}

func (o KFDA) SolveIn(ctx context.Context, s space.Space, p *task.Task) (*learner.Solution, error) {
	t, y, err := p.Classes()
	if err != nil {
		return nil, err
	}
	found, r, err := kfda.Solve(ctx, s, y, o.on(p, t))
	if err != nil {
		return nil, err
	}
	return &learner.Solution{Coef: found.Coef, Bias: found.Bias, Decision: discriminants(t, r.Decision), Report: r}, nil
}

// discriminants returns the decision by the centres of the classes along directions.
func discriminants(t prep.Target, rule *kfda.Decision) outcome.Decision {
	d := outcome.Decision{Rule: outcome.Centres, Centres: rule}
	for j := range rule.Centroids[0] {
		d.Outputs = append(d.Outputs, fmt.Sprintf("%s.LD%d", t.Name, j+1))
	}
	return d
}

func (o Barycentre) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
	return learner.SolveOnGram(ctx, k, p, o)
}

func (o Barycentre) SolveIn(ctx context.Context, s space.Space, p *task.Task) (*learner.Solution, error) {
	t, y, err := p.Classes()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	found, r, err := kfda.SolveBarycentres(ctx, s, y, o.BarycentreOptions)
	if err != nil {
		return nil, err
	}
	coef, bias := nearest(found.Coef, found.Bias)
	return &learner.Solution{Coef: coef, Bias: bias, Decision: outcome.ForClasses(t), Report: r}, nil
}

// nearest gives one function for each class, or for two classes their difference.
func nearest(coef *mat.Dense, bias []float64) (*mat.Dense, []float64) {
	n, classes := coef.Dims()
	if classes != 2 {
		return coef, bias
	}
	difference := mat.NewDense(n, 1, nil)
	difference.Sub(coef.ColView(1), coef.ColView(0))
	return difference, []float64{bias[1] - bias[0]}
}

func (o KFDA) WhyNotStreamed(p *task.Task) string       { return learner.WhyNotExplicit(p, o.Solver) }
func (o Barycentre) WhyNotStreamed(p *task.Task) string { return learner.WhyNotExplicit(p, space.Auto) }

// discriminantPasses are those of the mean, the moments, the residuals and the accuracy;
// barycentrePasses those of the means and the accuracy.
const discriminantPasses, barycentrePasses = 4, 2

func (o KFDA) Mappings(p *task.Task) int       { return p.MapsIn(discriminantPasses, o.Compute) }
func (o Barycentre) Mappings(p *task.Task) int { return p.MapsIn(barycentrePasses, o.Compute) }

func (o KFDA) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	t, _, err := p.Classes()
	if err != nil {
		return compute.Plan{}, err
	}
	m, s, err := p.Measure(ctx, o.Compute)
	work := kfda.Work{Rows: s.Rows, Columns: s.Columns, Classes: len(t.Labels), Precision: o.Compute.Precision, Limit: o.Compute.MaxMemory}
	if _, primal := p.Points.ChoosePrimal(o.Solver); !primal || p.Indefinite != "" {
		work.Solver = learner.DualSolver(p, o.Solver)
		return kfda.Plan(work, m), err
	}
	work.Features = s.Features
	return p.PlanMappedRows(kfda.Plan(work, m), o.Compute), err
}

// Plan predicts one product with the indicators of the classes: of the features, where it learns in
// these, or else of the Gram matrix, which is not stored.
func (o Barycentre) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	_, explicit, err := p.Design()
	if err != nil {
		return compute.Plan{}, err
	}
	t, _, err := p.Classes()
	if err != nil {
		return compute.Plan{}, err
	}
	m, s, err := p.Measure(ctx, o.ComputeOptions())
	if err != nil {
		return compute.Plan{}, err
	}
	classes := len(t.Labels)
	if explicit {
		flops := 4 * float64(s.Rows) * float64(s.Features) * float64(classes)
		c := compute.Cost{Stage: "barycentres", Memory: 16 * int64(s.Features) * int64(classes), Flops: flops, Seconds: flops / m.GemmRate}
		return p.PlanMappedRows(compute.NewPlan("features", m, c), o.ComputeOptions()), nil
	}
	stages := p.BindCosts(m)
	c := gram.ProductsCost(s.Rows, classes, 1, compute.Double, p.KernelHeld, m)
	c.Stage, c.Memory = "barycentres", c.Memory+16*int64(s.Rows)*int64(classes)
	return compute.NewPlan(o.Name(), m, append(stages, c)...), nil
}

// FactorBytes is what a checkpoint takes that keeps the factor, for the solver of a plan.
func (KFDA) FactorBytes(p *task.Task, _ string) int64 { return learner.DualFactorBytes(p) }

// Axes are λ in decades.
func (KFDA) Axes(*task.Task) []tune.Axis {
	return []tune.Axis{tune.Powers("lambda", 10, -7, 0, 1).SimplerAt(tune.Above)}
}

func (o KFDA) With(values []float64) learner.Tunable {
	o.Lambda, o.Ridge = values[0], 0
	return o
}

// Axes are none: only the kernel can be searched.
func (Barycentre) Axes(*task.Task) []tune.Axis { return nil }

func (o Barycentre) With([]float64) learner.Tunable { return o }

var kfdaSpec = &learner.Spec{
	Name: "kfda", Synonyms: []string{"lda", "fisher", "discriminant"},
	Title:  "kernel Fisher discriminant",
	Target: learner.LabelTarget,
	Purpose: `The kernel Fisher discriminant finds the directions v of feature space with the largest scatter between the classes beside
the scatter within them, ⟨v, S_b v⟩/⟨v, (S_w + λI) v⟩: at most one less than there are classes. predict gives the
coordinates along them (.LD1, .LD2, …), the class whose centre is nearest, and probabilities; they are those of linear
discriminant analysis in feature space.`,
	Examples: []string{
		`iris.csv --target species --kernel 'rbf(sigma=median)' --lambda 1e-3`,
		`train.csv --target kind --directions 2 --equal-priors`,
	},
	Settings:   func() learner.Settings { return &kfdaSettings{} },
	Words:      settings.SystemWords,
	ReadReport: learner.PlainReport[kfda.Report],
	Tuned:      []string{"lambda"},
}

// kfdaSettings are the settings of the Fisher discriminant.
type kfdaSettings struct {
	settings.Penalty
	systems    settings.System
	directions int
	equal      bool
}

func (s *kfdaSettings) Flags(fs learner.Flags) {
	fs.Float64Var(&s.Lambda, "lambda", 0, "λ added to the scatter within the classes; default 1e-2")
	fs.Float64Var(&s.Ridge, "ridge", 0, "Nλ instead of --lambda")
	fs.IntVar(&s.directions, "directions", 0, "how many directions to keep; default: all")
	s.systems.Declare(fs)
	fs.BoolVar(&s.equal, "equal-priors", false, "take the classes for equally probable, not as frequent as in the table")
}

func (s *kfdaSettings) Learner(_ *task.Task, g *learner.Given) (learner.Learner, error) {
	lambda, err := s.Chosen(g)
	if err != nil {
		return nil, err
	}
	if s.directions < 0 {
		return nil, settings.Errorf("--directions is %d: it is a number above 0", s.directions)
	}
	solver, how, err := s.systems.Chosen(g)
	return KFDA{Options: kfda.Options{Lambda: lambda, Ridge: s.Ridge, Directions: s.directions, Solver: solver, Compute: how}, EqualPriors: s.equal}, err
}

var barycentreSpec = &learner.Spec{
	Name:   "barycentre",
	Title:  "nearest class mean in feature space",
	Target: learner.LabelTarget,
	Purpose: `Every class is its mean in feature space, and a row belongs to the class whose mean is nearest: ‖φ(x) − m_c‖² takes kernel
values alone. There is nothing to choose but the kernel, and nothing to solve.`,
	Examples: []string{
		`iris.csv --target species --kernel 'rbf(sigma=1)'`,
		`train.csv --target kind --kernel 'rbf(sigma=median)' --landmarks 500`,
	},
	Settings:   func() learner.Settings { return barycentreSettings{} },
	ReadReport: learner.PlainReport[kfda.BarycentreReport],
	Tuned:      []string{},
}

// barycentreSettings are none.
type barycentreSettings struct{}

func (barycentreSettings) Flags(learner.Flags) {}

func (barycentreSettings) Learner(_ *task.Task, g *learner.Given) (learner.Learner, error) {
	return Barycentre{BarycentreOptions: kfda.BarycentreOptions{Compute: g.Compute}}, nil
}
