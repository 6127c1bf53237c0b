package methods

import (
	"context"
	"errors"
	"fmt"

	"strings"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/loss"
	"example.org/mercer/outcome"
	"example.org/mercer/space"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// ERM minimises any loss: robust regression, or a margin loss for a target of two
// labels. Its options take the row weights from the problem.
type ERM struct {
	erm.Options
	Loss loss.Loss
}

// Quantiles fits several quantiles of one numeric target.
type Quantiles struct {
	erm.Options
	Taus []float64 // rising, in (0, 1)
}

// Name returns "erm".
func (ERM) Name() string { return "erm" }

// Name returns "quantiles".
func (Quantiles) Name() string { return "quantiles" }

// ComputeOptions are those of the fit.
func (o ERM) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o ERM) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

// ComputeOptions are those of the fit.
func (o Quantiles) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o Quantiles) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

func (o ERM) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	return learner.FitInSpace(ctx, p, o)
}

func (o ERM) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
	return learner.SolveOnGram(ctx, k, p, o)
}

// targets returns the targets that suit the loss.
func (o ERM) targets(p *task.Task) ([]float64, error) {
	if o.Loss == nil {
		return nil, errors.New("learner: name the loss to minimise")
	}
	return p.Output()
}

// CheckTask checks options and targets before there is a space.
func (o ERM) CheckTask(p *task.Task) error {
	y, err := o.targets(p)
	if err != nil {
		return err
	}
	o.Weights = p.Rows.W
	return o.Check(p.Points.Size(), y, o.Loss)
}

func (o ERM) SolveIn(ctx context.Context, s space.Space, p *task.Task) (*learner.Solution, error) {
	y, err := o.targets(p)
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	found, r, err := erm.Solve(ctx, s, y, o.Loss, o.Options)
	if err != nil {
		return nil, err
	}
	return &learner.Solution{Coef: found.Coef, Bias: found.Bias, Decision: outcome.ForTargets(p.Prep), Report: r}, nil
}

func (o Quantiles) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	return learner.FitInSpace(ctx, p, o)
}

func (o Quantiles) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
	return learner.SolveOnGram(ctx, k, p, o)
}

// CheckTask checks options and targets before there is a space.
func (o Quantiles) CheckTask(p *task.Task) error {
	y, err := p.Number()
	if err != nil {
		return err
	}
	o.Weights = p.Rows.W
	return o.Check(p.Points.Size(), y, o.losses()...)
}

func (o Quantiles) SolveIn(ctx context.Context, s space.Space, p *task.Task) (*learner.Solution, error) {
	y, err := p.Number()
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	found, r, err := erm.SolveQuantiles(ctx, s, y, o.Taus, o.Options)
	if err != nil {
		return nil, err
	}
	return &learner.Solution{Coef: found.Coef, Bias: found.Bias, Decision: o.decision(p), Report: r}, nil
}

// TakesSteps is true: each system of a minimisation is a step of a checkpoint.
func (ERM) TakesSteps(*task.Task) bool       { return true }
func (Quantiles) TakesSteps(*task.Task) bool { return true }

func (o Quantiles) decision(p *task.Task) outcome.Decision {
	return ordered(p.Prep.Targets()[0], o.Taus)
}

// ordered returns the decision for one output per quantile of a target.
func ordered(t prep.Target, taus []float64) outcome.Decision {
	d := outcome.Decision{Rule: outcome.Ordered, Taus: taus}
	for _, tau := range taus {
		d.Outputs = append(d.Outputs, fmt.Sprintf("%s@%g", t.Name, tau))
	}
	return d
}

func (o ERM) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	return planRisk(ctx, p, []loss.Loss{o.Loss}, o.Options)
}

func (o Quantiles) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	return planRisk(ctx, p, o.losses(), o.Options)
}

func (o Quantiles) losses() (losses []loss.Loss) {
	for _, tau := range o.Taus {
		losses = append(losses, loss.Quantile{Tau: tau})
	}
	return losses
}

func planRisk(ctx context.Context, p *task.Task, losses []loss.Loss, o erm.Options) (compute.Plan, error) {
	m, err := p.Machine(ctx, o.Compute)
	return p.PlanStreaming(erm.Plan(riskWork(p, losses, o), m)), err
}

func (o ERM) WhyNotStreamed(p *task.Task) string       { return learner.WhyNotExplicit(p, o.Solver) }
func (o Quantiles) WhyNotStreamed(p *task.Task) string { return learner.WhyNotExplicit(p, o.Solver) }

// riskWork is the size of a fit.
func riskWork(p *task.Task, losses []loss.Loss, o erm.Options) erm.Work {
	s := p.Shape()
	return erm.Work{Rows: s.Rows, Columns: s.Columns, Features: s.Features, Losses: losses, Solver: o.Solver, Precision: o.Compute.Precision, Limit: p.MayHold(o.Compute.MaxMemory)}
}

func (o ERM) Mappings(p *task.Task) int       { return riskWork(p, []loss.Loss{o.Loss}, o.Options).Maps() }
func (o Quantiles) Mappings(p *task.Task) int { return riskWork(p, o.losses(), o.Options).Maps() }

func (ERM) Axes(*task.Task) []tune.Axis {
	return []tune.Axis{tune.Powers("lambda", 10, -6, 0, 1).SimplerAt(tune.Above)}
}
func (Quantiles) Axes(*task.Task) []tune.Axis {
	return []tune.Axis{tune.Powers("lambda", 10, -6, 0, 1)}
}

func (o ERM) With(values []float64) learner.Tunable {
	o.Lambda, o.Ridge = values[0], 0
	return o
}

func (o Quantiles) With(values []float64) learner.Tunable {
	o.Lambda, o.Ridge = values[0], 0
	return o
}

// DefaultScore is that of quantiles.
func (Quantiles) DefaultScore() string { return "pinball" }

var ermSpec = &learner.Spec{
	Name:  "erm",
	Title: "any loss: robust, quantile, margin",
	Purpose: `Minimises (1/N) Σ wᵢ ℓ(yᵢ, f(xᵢ) + b) + (λ/2)‖f‖² for a loss of your choice, with a certificate of how far the objective is
from its minimum. Losses:

  ` + strings.Join(loss.Names(), "\n  "),
	Examples: []string{
		`stars.csv --target light --loss tukey --lambda 1e-3`,
		`train.csv --target price --loss 'huber(k=1.345)' --lambda 1e-3`,
		`train.csv --target delay --loss 'quantile(tau=0.9)'`,
	},
	Probabilities: true,
	Conformal:     true,
	Losses:        true,
	Settings:      func() learner.Settings { return &ermSettings{} },
	Words:         settings.SystemWords,
	ReadReport:    learner.PlainReport[erm.Report],
	Tuned:         []string{"lambda"},
}

// ermSettings are the settings of empirical risk minimisation.
type ermSettings struct {
	settings.Penalty
	systems settings.System
	loss    string
}

func (s *ermSettings) Flags(fs learner.Flags) {
	s.Declare(fs, settings.HalfPenalty)
	s.systems.Declare(fs)
	fs.StringVar(&s.loss, "loss", "huber", "the loss, see above")
}

func (s *ermSettings) Learner(_ *task.Task, g *learner.Given) (learner.Learner, error) {
	l, err := s.RowLoss()
	if err != nil {
		return nil, err
	}
	solver, how, err := s.systems.Chosen(g)
	if err != nil {
		return nil, err
	}
	lambda, err := s.Chosen(g)
	return ERM{Loss: l,
		Options: erm.Options{Lambda: lambda, Ridge: s.Ridge, NoIntercept: s.NoIntercept, Seed: g.Seed, Solver: solver, Compute: how}}, err
}

// RowLoss returns the loss of a row.
func (s *ermSettings) RowLoss() (loss.Loss, error) { return parseLoss(s.loss) }

// parseLoss reads a loss.
func parseLoss(text string) (loss.Loss, error) {
	l, err := loss.Parse(text)
	if err != nil {
		return nil, &learner.SettingError{Err: err}
	}
	return l, nil
}

var quantilesSpec = &learner.Spec{
	Name: "quantiles", Synonyms: []string{"quantile"},
	Title:  "several quantiles that do not cross",
	Target: learner.NumericTarget,
	Purpose: `Fits the quantiles of a numeric target, each the minimum of its pinball loss, from one Gram matrix; predictions are put in
order, so that quantiles never cross.`,
	Examples: []string{
		`train.csv --target price --taus 0.1,0.5,0.9 --lambda 1e-3`,
		`train.csv --target delay --taus 0.5,0.99 --kernel 'rbf(sigma=median)' --conformal`,
	},
	Conformal:  true,
	Settings:   func() learner.Settings { return &quantilesSettings{} },
	Words:      settings.SystemWords,
	ReadReport: learner.PlainReport[erm.QuantileReport],
	Tuned:      []string{"lambda"},
}

// quantilesSettings are the settings of several quantiles.
type quantilesSettings struct {
	settings.Penalty
	systems settings.System
	taus    []float64
}

func (s *quantilesSettings) Flags(fs learner.Flags) {
	s.Declare(fs, settings.HalfPenalty)
	s.systems.Declare(fs)
	fs.Float64SliceVar(&s.taus, "taus", []float64{0.1, 0.5, 0.9}, "quantiles in (0, 1), rising")
}

func (s *quantilesSettings) Learner(_ *task.Task, g *learner.Given) (learner.Learner, error) {
	solver, how, err := s.systems.Chosen(g)
	if err != nil {
		return nil, err
	}
	lambda, err := s.Chosen(g)
	return Quantiles{Taus: s.taus,
		Options: erm.Options{Lambda: lambda, Ridge: s.Ridge, NoIntercept: s.NoIntercept, Solver: solver, Compute: how}}, err
}
