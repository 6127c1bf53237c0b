package search

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"example.org/mercer/kernel/deep"
	"example.org/mercer/kernel/expr"
	"example.org/mercer/learner"
	"example.org/mercer/learner/distance"
	"example.org/mercer/supervised/dkl"
	"example.org/mercer/task"
)

// searchNetwork is [searchFree] with the network of a kernel deep(…), where it has no weights,
// learned before: from all rows, with the free parameters where they start.
func searchNetwork(ctx context.Context, s task.TypedExpression[[]float64], w tuning) (*task.Task, learner.Learner, *Tuned, error) {
	report, err := learnNetwork(ctx, &s, w)
	if err != nil {
		return nil, nil, nil, err
	}
	p, m, tuned, err := searchFree(ctx, s, w)
	if err == nil && report != nil {
		tuned.Network = report
		tuned.Warnings = append(slices.Clone(report.Warnings), tuned.Warnings...)
		tuned.Warnings = append(tuned.Warnings, "the network was learned from all rows of the search, and so the score is better than that of new rows: compare the rows that were kept aside, or nested folds")
	}
	return p, m, tuned, err
}

// learnNetwork puts the weights of a learned network into an expression that lacks them.
func learnNetwork(ctx context.Context, s *task.TypedExpression[[]float64], w tuning) (*dkl.Report, error) {
	parameters, err := s.Free(ctx)
	if err != nil {
		return nil, err
	}
	start, err := startOf(ctx, s.Space, task.SearchSpace(s.Node, parameters, s.Dictionary), w.in)
	if err != nil {
		return nil, err
	}
	if start.LacksNetwork() && dkl.LearnedBy(w.method) {
		return nil, fmt.Errorf("search: a descent of %s moves the network of %s where it is fitted, and a search would try values for the network before: fit with --lambda, or search without --descent", w.method.Name(), start.Kernel())
	}
	if start.LacksNetwork() && start.Streamed() {
		return nil, errors.New("search: a network is learned from rows that are all in memory, and the table is read in passes: fit a model with this kernel to a part of the rows first, whose kernel has its weights")
	}
	how := w.method.ComputeOptions()
	how.Checkpoint = w.steps.Checkpoint
	start.Network = w.Network
	learned, report, err := distance.LearnNetwork(ctx, start, how)
	if err != nil || report == nil {
		return nil, err
	}
	learned.Points.Visit(task.Visitor{Vectors: func(l task.TypedPoints[[]float64]) {
		s.Node = withWeights(s.Node, l.Kernel.(deep.Kernel).Network.Weights)
	}})
	return report, nil
}

// withWeights returns the call deep(…) with weights in place of a seed.
func withWeights(call expr.Node, weights []float64) expr.Node {
	call.Args = slices.DeleteFunc(slices.Clone(call.Args), func(a expr.Arg) bool { return a.Name == "seed" })
	call.Args = append(call.Args, expr.Arg{Name: "weights", Kind: expr.ListArg, List: weights})
	return call
}
