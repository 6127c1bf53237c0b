package methods

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/learner"
	"example.org/mercer/learner/settings"
	"example.org/mercer/outcome"
	"example.org/mercer/space"
	"example.org/mercer/supervised/structured"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// Structured learns answers that have parts: sets of labels, rankings, sequences. The
// target of the problem has a [prep.Form]. Its options take the row weights from the
// problem.
type Structured struct {
	structured.Options
	Output outcome.StructuredOutput
}

// Name returns "structured".
func (Structured) Name() string { return "structured" }

// ComputeOptions are those of the fit.
func (o Structured) ComputeOptions() compute.Options { return o.Compute }

// WithCompute computes by other options.
func (o Structured) WithCompute(c compute.Options) learner.Learner {
	o.Compute = c
	return o
}

func (o Structured) Fit(ctx context.Context, p *task.Task) (*learner.Fitted, error) {
	return learner.FitInSpace(ctx, p, o)
}

func (o Structured) Solve(ctx context.Context, k gram.Operator, p *task.Task) (*learner.Solution, error) {
	return learner.SolveOnGram(ctx, k, p, o)
}

func (o Structured) SolveIn(ctx context.Context, s space.Space, p *task.Task) (*learner.Solution, error) {
	d, out, err := o.on(p)
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	found, r, err := structured.Solve(ctx, s, rowsOf(p.Rows.Y), out, o.Options)
	if err != nil {
		return nil, err
	}
	return &learner.Solution{Coef: found.Coef, Bias: found.Bias, Decision: d, Report: r}, nil
}

// on returns the decision and the output for the answers of a problem.
func (o Structured) on(p *task.Task) (outcome.Decision, structured.Output[[]float64], error) {
	t, err := p.Structured()
	if err != nil {
		return outcome.Decision{}, nil, err
	}
	d, err := o.Output.Decision(t)
	if err != nil {
		return outcome.Decision{}, nil, err
	}
	return d, d.Structured.Output(t), nil
}

func rowsOf(y *mat.Dense) [][]float64 {
	n, _ := y.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = y.RawRowView(i)
	}
	return rows
}

func (o Structured) WhyNotStreamed(p *task.Task) string { return learner.WhyNotExplicit(p, o.Solver) }

// Mappings counts the passes of the mean, the moments and the losses, and that of the leverages.
func (o Structured) Mappings(p *task.Task) int {
	passes := 3
	if o.LOO {
		passes++
	}
	return p.MapsIn(passes, o.Compute)
}

func (o Structured) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	d, _, err := o.on(p)
	if err != nil {
		return compute.Plan{}, err
	}
	m, s, err := p.Measure(ctx, o.Compute)
	work := structured.Work{Rows: s.Rows, Columns: s.Columns, Dim: len(d.Outputs), LOO: o.LOO, Precision: o.Compute.Precision, Limit: o.Compute.MaxMemory}
	if _, primal := p.Points.ChoosePrimal(o.Solver); !primal || p.Indefinite != "" {
		work.Solver = learner.DualSolver(p, o.Solver)
		return structured.Plan(work, m), err
	}
	work.Features = s.Features
	return p.PlanMappedRows(structured.Plan(work, m), o.Compute), err
}

// FactorBytes is what a checkpoint takes that keeps the factor, for the solver of a plan.
func (Structured) FactorBytes(p *task.Task, _ string) int64 { return learner.DualFactorBytes(p) }

// Axes are λ in decades.
func (Structured) Axes(*task.Task) []tune.Axis {
	return []tune.Axis{tune.Powers("lambda", 10, -7, 0, 1).SimplerAt(tune.Above)}
}

func (o Structured) With(values []float64) learner.Tunable {
	o.Lambda, o.Ridge = values[0], 0
	return o
}

// DefaultScore is the loss of the output.
func (Structured) DefaultScore() string { return "loss" }

var structuredSpec = &learner.Spec{
	Name:   "structured",
	Title:  "label sets, rankings, label sequences",
	Target: learner.StructuredTarget,
	Purpose: `Learns answers that have parts, one in each cell of the target. --answer says which:

  set        any labels, in any order: a|c; the empty set is {} (an empty cell is a missing one)
  ranking    all items, the first before the others: b>a>c
  sequence   labels in line, as many in every row: A B B

The answer to a row is the one with the smallest expected loss, which is estimated by kernel ridge regression. Losses of a set:
hamming (labels wrongly in or out), f1 (1 − F1); of a ranking: spearman (squared distances of ranks), footrule (distances of
ranks), kendall (pairs in the wrong order; the best order is exact up to 12 items); of a sequence: hamming (wrong places),
with --chain c also c for every wrong pair of neighbours. All places of a sequence are predicted from all features of its row.`,
	Examples: []string{
		`films.csv --target genres --answer set --loss f1 --lambda 1e-3`,
		`meals.csv --target order --answer ranking --loss kendall`,
		`dna.csv --target states --answer sequence --chain 0.5`,
	},
	Settings:   func() learner.Settings { return &structuredSettings{} },
	Words:      settings.SystemWords,
	ReadReport: learner.PlainReport[structured.Report],
	Tuned:      []string{"lambda"},
}

// structuredSettings are the settings of structured output.
type structuredSettings struct {
	settings.Penalty
	systems settings.System
	output  outcome.StructuredOutput
	loo     bool
}

func (s *structuredSettings) Flags(fs learner.Flags) {
	s.Declare(fs, "λ in (1/N)Σ w‖φ(y) − θ(x)‖² + λ‖θ‖²; default 1e-2")
	s.systems.Declare(fs)
	fs.StringVar(&s.output.Loss, "loss", "", "what a wrong answer costs, see above; default: hamming, for a ranking spearman")
	fs.Float64Var(&s.output.Chain, "chain", 0, "cost of a wrong pair of neighbours in a sequence, beside 1 for a wrong label")
	fs.BoolVar(&s.loo, "loo", false, "compute the exact leave-one-out loss")
}

func (s *structuredSettings) Learner(_ *task.Task, g *learner.Given) (learner.Learner, error) {
	solver, how, err := s.systems.Chosen(g)
	if err != nil {
		return nil, err
	}
	lambda, err := s.Chosen(g)
	return Structured{Output: s.output,
		Options: structured.Options{Lambda: lambda, Ridge: s.Ridge, NoIntercept: s.NoIntercept, LOO: s.loo, Solver: solver, Compute: how}}, err
}
