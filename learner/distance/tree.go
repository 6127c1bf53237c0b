package distance

import (
	"context"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/rkhs/gradients"
	"example.org/mercer/supervised/rfm"
	"example.org/mercer/task"
)

// fitTree learns a machine for each leaf of a tree. The rows of the function stand leaf by leaf.
// It also returns the values at the judges of the tree that had not seen them.
func (o RFM) fitTree(ctx context.Context, p *task.Task, l task.TypedPoints[[]float64], slope gradients.Slope, y *mat.Dense, how rfm.Options) (*learner.Fitted, *mat.Dense, error) {
	how.Ridge = o.Ridge
	t, report, err := rfm.FitTree(ctx, l.Kernel, slope, l.Set, y, rfm.TreeOptions{Options: how, Leaf: o.Leaves, Lambda: o.Lambda})
	if err != nil {
		return nil, nil, err
	}
	f, err := p.TreeOf(t)
	if err != nil {
		return nil, nil, err
	}
	report.Columns, _ = p.Prep.Features()
	return &learner.Fitted{Function: f, Decision: outcome.ForTargets(p.Prep), Report: report, Rows: slices.Concat(t.Rows...)}, t.Judged, nil
}
