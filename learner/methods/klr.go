package methods

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/loss"
	"example.org/mercer/outcome"
	"example.org/mercer/space"
	"example.org/mercer/supervised/falkon"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// KLR is kernel logistic regression. Its options take the row weights from the problem.
type KLR struct{ klr.Options }

// Name returns "klr".
func (KLR) Name() string { return "klr" }

// ComputeOptions are those of the fit.
func (o KLR) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o KLR) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

func (o KLR) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	return learner.FitInSpace(ctx, p, o)
}

func (o KLR) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
	return learner.SolveOnGram(ctx, k, p, o)
}

// CheckTask checks options and labels before there is a space.
func (o KLR) CheckTask(p *task.Task) error {
	t, y, err := p.Classes()
	if err != nil {
		return err
	}
	if err := allAmong(t, 1+slices.Max(y)); err != nil {
		return err
	}
	o.Weights = p.Rows.W
	return o.Check(p.Points.Size(), y)
}

func (o KLR) SolveIn(ctx context.Context, s space.Space, p *task.Task) (*learner.Solution, error) {
	t, y, err := p.Classes()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	found, r, err := klr.Solve(ctx, s, y, o.Options)
	if err != nil {
		return nil, err
	}
	return &learner.Solution{Coef: found.Coef, Bias: found.Bias, Decision: o.decision(t), Report: r}, nil
}

// TakesSteps is true: each system of Newton's method is a step of a checkpoint.
func (KLR) TakesSteps(*task.Task) bool { return true }

// allAmong returns an error unless all labels of a target are among the rows that a method
// was given, of which it found the first m: without the others it has fewer outputs.
func allAmong(t prep.Target, m int) error {
	if m != len(t.Labels) {
		return fmt.Errorf("learner: %d of the %d labels of target %s are among these rows, and all are needed: take fewer folds, or leave rare labels out", m, len(t.Labels), t.Name)
	}
	return nil
}

// decision is by the largest output, of which a softmax makes probabilities.
func (KLR) decision(t prep.Target) outcome.Decision {
	d := outcome.ForClasses(t)
	d.Link = outcome.Softmax
	return d
}

func (o KLR) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	t, classes, err := p.Classes()
	if err != nil {
		return compute.Plan{}, err
	}
	m, err := p.Machine(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	w := o.work(p, len(t.Labels))
	if o.Solver == klr.CG {
		w.Iterations = o.trial(ctx, p, classes)
	}
	sample := o
	sample.LOO = false
	sample.Ridge *= stepRows / float64(max(1, len(classes)))
	w.Steps = triedSteps(ctx, p, sample)
	return p.PlanStreaming(klr.Plan(w, m)), ctx.Err()
}

// trial counts the iterations of conjugate gradients in a step of Newton's method on a sample of
// the rows: those of ridge regression where all weights are 1/4, as at f = 0; 0 where they cannot
// be tried.
func (o KLR) trial(ctx context.Context, p *task.Task, classes []int) int {
	y := mat.NewDense(len(classes), 1, nil)
	for i, c := range classes {
		y.Set(i, 0, float64(c))
	}
	ridge := cmp.Or(o.Ridge, o.Lambda*float64(len(classes)))
	count, err := trialIterations(ctx, p.Points, y, krr.Options{Ridge: 4 * ridge, NoIntercept: o.NoIntercept, Weights: p.Rows.W, Compute: o.Compute})
	if err != nil {
		return 0
	}
	return count
}

func (o KLR) WhyNotStreamed(p *task.Task) string { return learner.WhyNotExplicit(p, o.Solver) }

// work is the size of the fit.
func (o KLR) work(p *task.Task, classes int) klr.Work {
	s := p.Shape()
	return klr.Work{Rows: s.Rows, Columns: s.Columns, Features: s.Features, Classes: classes, LOO: o.LOO, Solver: o.Solver, Precision: o.Compute.Precision, Limit: p.MayHold(o.Compute.MaxMemory)}
}

func (o KLR) Mappings(p *task.Task) int {
	t, _, err := p.Classes()
	if err != nil {
		return task.Mappings
	}
	return o.work(p, len(t.Labels)).Maps()
}

// OnLandmarks is FALKON with the logistic loss; nil for more than two labels, of which it learns
// each against the rest.
func (KLR) OnLandmarks(p *task.Task, o nystrom.Options, how compute.Options) (learner.Learner, error) {
	if t, _, err := p.Classes(); err != nil || len(t.Labels) != 2 {
		return nil, err
	}
	return Falkon{Options: falkon.Options{Loss: loss.Logistic{}, Compute: how}, Landmarks: o}, nil
}

var klrSpec = &learner.Spec{
	Name: "klr", Synonyms: []string{"logistic", "logreg", "logistic-regression"},
	Title:  "kernel logistic regression",
	Target: learner.LabelTarget,
	Purpose: `Kernel logistic regression minimises (1/N) Σ wᵢ ln(1 + e^(−yᵢ(f(xᵢ) + b))) + (λ/2)‖f‖² by Newton's method, each step of
which is a weighted kernel ridge regression; more than two classes are multinomial. It gives probabilities.`,
	Examples: []string{
		`heart_scale --kernel 'rbf(sigma=median)' --lambda 1e-2`,
		`iris.csv --target species --kernel linear --ridge 1`,
	},
	Conformal:  true,
	Losses:     true,
	Settings:   func() learner.Settings { return &klrSettings{} },
	Words:      settings.SystemWords,
	ReadReport: learner.PlainReport[klr.Report],
	Tuned:      []string{"lambda"},
}

// klrSettings are the settings of kernel logistic regression.
type klrSettings struct {
	settings.Penalty
	systems settings.System
}

func (s *klrSettings) Flags(fs learner.Flags) {
	s.Declare(fs, settings.HalfPenalty)
	s.systems.Declare(fs)
}

func (s *klrSettings) Learner(_ *task.Task, g *learner.Given) (learner.Learner, error) {
	solver, how, err := s.systems.Chosen(g)
	if err != nil {
		return nil, err
	}
	lambda, err := s.Chosen(g)
	return KLR{Options: klr.Options{Lambda: lambda, Ridge: s.Ridge, NoIntercept: s.NoIntercept, Solver: solver, Compute: how}}, err
}

// Axes are λ in decades.
func (KLR) Axes(*task.Task) []tune.Axis {
	return []tune.Axis{tune.Powers("lambda", 10, -6, 0, 1).SimplerAt(tune.Above)}
}

func (o KLR) With(values []float64) learner.Tunable {
	o.Lambda, o.Ridge = values[0], 0
	return o
}
