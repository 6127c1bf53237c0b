package pipeline

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
	"mercer/prep"
	"mercer/structured"
	"mercer/tune"
)

// Structured learns answers that have parts: sets of labels, rankings, sequences. The
// target of the problem has a [prep.Form]. Its options take the row weights from the
// problem.
type Structured struct {
	structured.Options
	Answers
}

var _ = register(plainReport[structured.Report], Structured{}.Name())

// Name returns "structured".
func (Structured) Name() string { return "structured" }

func (o Structured) compute() gram.Options { return o.Compute }

func (o Structured) fit(ctx context.Context, p *Problem) (*learned, error) { return p.expand(ctx, o) }

func (o Structured) solve(ctx context.Context, k gram.Operator, p *Problem) (*solution, error) {
	t, err := p.answers()
	if err != nil {
		return nil, err
	}
	d, err := o.decision(t)
	if err != nil {
		return nil, err
	}
	o.Weights = p.Rows.W
	s, r, err := structured.Solve(ctx, k, rowsOf(p.Rows.Y), d.Answers.output(t), o.Options)
	if err != nil {
		return nil, err
	}
	return &solution{coef: s.Coef, bias: s.Bias, decision: d, report: r}, nil
}

// answers returns the only target of a problem, whose answers must have parts.
func (p *Problem) answers() (prep.Target, error) {
	if _, err := p.targets(); err != nil {
		return prep.Target{}, err
	}
	targets := p.Prep.Targets()
	if len(targets) != 1 {
		return prep.Target{}, fmt.Errorf("pipeline: structured output is of one target, and there are %d: name one", len(targets))
	}
	if targets[0].Form == prep.One {
		return prep.Target{}, fmt.Errorf("pipeline: target %s has one label or number in a cell: prepare the table with a form of answers (prep.Spec.Form)", targets[0].Name)
	}
	return targets[0], nil
}

func rowsOf(y *mat.Dense) [][]float64 {
	n, _ := y.Dims()
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = y.RawRowView(i)
	}
	return rows
}

func (o Structured) plan(ctx context.Context, p *Problem) (gram.Plan, error) {
	t, err := p.answers()
	if err != nil {
		return gram.Plan{}, err
	}
	d, err := o.decision(t)
	if err != nil {
		return gram.Plan{}, err
	}
	m, s, err := p.sizes(ctx, o.Compute)
	return structured.Plan(structured.Work{Rows: s.rows, Columns: s.columns, Features: p.narrow(), Dim: len(d.Outputs), LOO: o.LOO}, m), err
}

// axes are λ in decades.
func (Structured) axes(*Problem) []tune.Axis { return []tune.Axis{tune.Powers("lambda", 10, -7, 0, 1)} }

func (o Structured) with(values []float64) tunable {
	o.Lambda, o.Ridge = values[0], 0
	return o
}
