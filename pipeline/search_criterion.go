package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// criterionOn returns what a search minimises. It completes what is free with the parameters of the
// method, and the options with splits and journal.
func criterionOn[T any](p *task.Task, xs data.Set[T], free *tune.Free, w *tuning) (tune.Criterion[T], error) {
	if m, ok := w.method.(followed); ok {
		return pathCriterion[T](p, free, w, m.path())
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
	solver, err := solverOn(p, xs, w)
	return tune.CrossValidation[T]{Solver: solver, Splits: splits, Judge: judge}, err
}

// pathCriterion returns that of kernel ridge regression along its path.
func pathCriterion[T any](p *task.Task, free *tune.Free, w *tuning, o krr.PathOptions) (tune.Criterion[T], error) {
	w.Criterion = cmp.Or(w.Criterion, tune.CriterionFor(len(free.Parameters)))
	splits, err := w.splits(p)
	if err != nil {
		return nil, err
	}
	if err := w.Reduction.Admit(p.Points.Size(), w.Options.Compute); err != nil {
		return nil, err
	}
	free.Lambda = &w.Ranges.Lambda
	features := task.Featuring[T](w.Reduction, w.Options.Compute)
	w.Options.Compute.Checkpoint = w.steps.Checkpoint // landmarks belong to the step of their kernel
	o.Weights, o.Compute = p.Rows.W, w.Options.Compute
	return tune.Ridge[T]{Y: p.Rows.Y, Fit: o, Features: features}.Criterion(w.Criterion, splits, tune.Score(w.Score))
}

// solverOn returns the method as cross-validation sees it: in features, on points, or in index
// space.
func solverOn[T any](p *task.Task, xs data.Set[T], w *tuning) (tune.FoldSolver[T], error) {
	plain := foldSolver{p, w.method}
	f, own := w.method.(Falkon)
	switch {
	case w.Reduction.Wanted() && own:
		return nil, errors.New("pipeline: falkon chooses landmarks itself: its own options say how many")
	case w.Reduction.Wanted():
		return featureSolver[T]{plain, xs, task.Featuring[T](w.Reduction, w.Options.Compute), w.Options.Compute}, w.Reduction.Admit(xs.Len(), w.Options.Compute)
	case own && p.Indefinite == "":
		return landmarkSolver[T]{plain, f, xs}, nil
	}
	return tune.OnGram[T](plain, w.Options.Compute), nil
}

// axes returns the parameters of the method with the values that the search gives them.
func (w *tuning) axes(p *task.Task) ([]tune.Axis, error) {
	axes := w.method.axes(p)
	for name, values := range w.Ranges.Grid {
		at := slices.IndexFunc(axes, func(a tune.Axis) bool { return a.Name == name })
		if at < 0 {
			var names []string
			for _, a := range axes {
				names = append(names, a.Name)
			}
			return nil, fmt.Errorf("pipeline: method %q has no parameter %q to search; it has %s", w.method.Name(), name, strings.Join(names, ", "))
		}
		axes[at].Values = slices.Sorted(slices.Values(values))
		axes[at].Log = axes[at].Log && axes[at].Values[0] > 0
	}
	return axes, nil
}

// foldSolver learns on some rows of a problem.
type foldSolver struct {
	p *task.Task
	m tunable
}

// Solve solves for every set of values.
func (s foldSolver) Solve(ctx context.Context, k gram.Operator, rows []int, values [][]float64) ([]*tune.Function, []error, error) {
	part := s.p.Part(rows)
	functions, failed := make([]*tune.Function, len(values)), make([]error, len(values))
	if m, ok := s.m.(pathed); ok && len(values) > 1 {
		solutions, err := m.along(ctx, k, part, values)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err == nil { // else each for itself: one may fail where others do not
			for i, found := range solutions {
				functions[i] = found.function()
			}
			return functions, failed, nil
		}
	}
	for i, v := range values {
		found, err := s.m.with(v).solve(ctx, k, part)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			failed[i] = err
			continue
		}
		functions[i] = found.function()
	}
	return functions, failed, nil
}

// pathed is a method that solves for several sets of values faster than one by one.
type pathed interface {
	along(ctx context.Context, k gram.Operator, p *task.Task, values [][]float64) ([]*solution, error)
}

// errNoPath says that a method has no path for these options.
var errNoPath = errors.New("pipeline: no path")

// function is the solution as a search sees it.
func (s *solution) function() *tune.Function {
	return &tune.Function{Coef: s.coef, Bias: s.bias, Tag: s.decision.HeldOut(), Link: s.link}
}
