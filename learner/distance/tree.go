package distance

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/supervised/rfm"
	"example.org/mercer/task"
)

// fitTree learns a machine for each leaf of a tree. The rows of the function stand leaf by leaf.
func (o RFM) fitTree(ctx context.Context, p *task.Task, l task.TypedPoints[[]float64], slope mahalanobis.Slope, y *mat.Dense) (*learner.Fitted, error) {
	how := o.on(p)
	how.Ridge = o.Ridge
	t, report, err := rfm.FitTree(ctx, l.Kernel, slope, l.Set, y, rfm.TreeOptions{Options: how, Leaf: o.Leaves, Lambda: o.Lambda})
	if err != nil {
		return nil, err
	}
	leaves, order := make([]task.TreeLeaf, len(t.Leaves)), []int{}
	for i, m := range t.Leaves {
		points := data.MakeVectors(len(t.Rows[i]), len(l.Set.At(0)))
		for to, from := range t.Rows[i] {
			copy(points.At(to), l.Set.At(from))
		}
		leaves[i] = task.TreeLeaf{Points: points, Coef: m.Coef, Bias: m.Bias}
		switch {
		case m.Metric == nil:
		case m.Metric.Shape == mahalanobis.Diagonal:
			leaves[i].Scales = m.Metric.Scales()
		default:
			leaves[i].Matrix = m.Metric.Matrix()
		}
		order = append(order, t.Rows[i]...)
	}
	f, err := task.NewTree(l.Encoding, l.Kernel, t.Splits, t.Temperature, leaves)
	if err != nil {
		return nil, err
	}
	report.Columns, _ = p.Prep.Features()
	return &learner.Fitted{Function: f.Any(), Decision: outcome.ForTargets(p.Prep), Report: report, Rows: order}, nil
}
