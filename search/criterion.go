package search

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// criterionOn returns what a search minimises. It completes what is free with the parameters of the
// method, and the options with splits and journal.
func criterionOn[T any](p *task.Task, xs data.Set[T], free *tune.Free, w *tuning) (tune.Criterion[T], error) {
	if m, ok := w.method.(learner.ClosedForm); ok {
		return pathCriterion[T](p, free, w, m.PathOptions())
	}
	splits, err := w.splits(p)
	if err != nil {
		return nil, err
	}
	judge, err := judgeOf(p, w.method, w.Score)
	if err != nil {
		return nil, err
	}
	if free.Axes, err = w.axes(p); err != nil {
		return nil, err
	}
	if w.Journal != "" {
		if w.Options.Journal, err = tune.OpenJournal(w.Journal, w.key(p, judge, splits, free)); err != nil {
			return nil, err
		}
	}
	w.Criterion = tune.CV
	solver, err := learner.FoldSolverOf(p, w.method, xs, w.Approximation, w.Options.Compute)
	return tune.CrossValidation[T]{Solver: solver, Splits: splits, Judge: judge}, err
}

// pathCriterion returns that of kernel ridge regression along its path.
func pathCriterion[T any](p *task.Task, free *tune.Free, w *tuning, o krr.PathOptions) (tune.Criterion[T], error) {
	w.Criterion = cmp.Or(w.Criterion, tune.CriterionFor(len(free.Parameters)))
	splits, err := w.splits(p)
	if err != nil {
		return nil, err
	}
	if err := w.Approximation.Admit(p, w.Options.Compute); err != nil {
		return nil, err
	}
	free.Lambda = &w.Ranges.Lambda
	features := task.Featuring[T](w.Approximation, w.Options.Compute)
	w.Options.Compute.Checkpoint = w.steps.Checkpoint // landmarks belong to the step of their kernel
	o.Weights, o.Compute = p.Rows.W, w.Options.Compute
	return tune.Ridge[T]{Y: p.Rows.Y, Fit: o, Features: features}.Criterion(w.Criterion, splits, tune.Score(w.Score))
}

// axes returns the parameters of the method with the values that the search gives them.
func (w *tuning) axes(p *task.Task) ([]tune.Axis, error) {
	axes := w.method.Axes(p)
	for name, values := range w.Ranges.Grid {
		at := slices.IndexFunc(axes, func(a tune.Axis) bool { return a.Name == name })
		if at < 0 {
			var names []string
			for _, a := range axes {
				names = append(names, a.Name)
			}
			return nil, fmt.Errorf("search: method %q has no parameter %q to search; it has %s", w.method.Name(), name, strings.Join(names, ", "))
		}
		axes[at].Values = slices.Sorted(slices.Values(values))
		axes[at].Log = axes[at].Log && axes[at].Values[0] > 0
	}
	return axes, nil
}
