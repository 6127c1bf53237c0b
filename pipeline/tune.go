package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"mercer/data"
	"mercer/krr"
	"mercer/prep"
	"mercer/tune"
)

// Search says how to tune.
type Search struct {
	Options tune.Options // its Fit.Weights are those of the table
	// Folds asks for cross-validation with that many random parts, SplitsFile for the
	// splits of a file; at most one of them, and only with the criterion [tune.CV].
	Folds      int
	SplitsFile string
	// PerColumn gives every free sigma or lengthscale of a kernel on vectors one value
	// for each of its columns.
	PerColumn bool
	// Reduction, where it is wanted, moves the search into features; see [Problem.Reduced].
	Reduction Reduction
	// Metric, where it is wanted, is learned beside: every round of it is a search.
	Metric Metric

	ids *idLanguage // shared by the splits of an assessment; nil: a new one
}

// Tuned is the result of a search.
type Tuned struct {
	Kernel     string           `json:"kernel"`
	Lambda     float64          `json:"lambda"`
	Ridge      float64          `json:"ridge"`
	Criterion  tune.Criterion   `json:"criterion"`
	Method     tune.Method      `json:"method"`
	Score      float64          `json:"score"`
	Scored     tune.Score       `json:"scored,omitempty"` // what Score is, with the criterion [tune.CV]
	Parameters []tune.Parameter `json:"parameters"`
	Values     []float64        `json:"values"`
	Point      *krr.Point       `json:"point,omitempty"`
	Trials     []tune.Trial     `json:"trials"`
	Warnings   []string         `json:"warnings,omitempty"`
	Seconds    float64          `json:"seconds"`
	// Approximation and FeatureMap are those of the best kernel where the search was in features.
	Approximation *Approximation `json:"approximation,omitempty"`
	FeatureMap    *FeatureMap    `json:"feature_map,omitempty"`
	// Metric is the one that was learned, where it was wanted; trials and scores are those of
	// its best round.
	Metric *LearnedMetric `json:"metric,omitempty"`
}

// Tune prepares a table and searches λ and the free parameters ("?") of a kernel for
// kernel ridge regression on its rows. It returns the problem with the best kernel,
// ready to be fitted at the best λ.
//
// A free width starts at the median heuristic of its kernel and columns, any other
// parameter at 1.
func Tune(ctx context.Context, t *data.Table, s prep.Spec, text string, search Search) (*Problem, *Tuned, error) {
	in, err := prepare(t, s, text)
	if err != nil {
		return nil, nil, err
	}
	if in.rows.Y == nil {
		return nil, nil, errors.New("pipeline: tuning needs a target")
	}
	if search.Metric.Shape != "" {
		return ridgeMetric(ctx, in, text, search)
	}
	return search.on(ctx, in, text)
}

// on searches on prepared rows.
func (search Search) on(ctx context.Context, in prepared, text string) (*Problem, *Tuned, error) {
	o, err := search.Options, error(nil)
	o.Fit.Weights = in.rows.W
	if o.Splits, err = search.splits(in.rows.X.Len()); err != nil {
		return nil, nil, err
	}
	spoken, err := in.understand(ctx, text, search.ids)
	if err != nil {
		return nil, nil, err
	}
	if err := search.Reduction.admit(in.rows.X.Len(), o.Fit.Compute); err != nil {
		return nil, nil, err
	}
	points, tuned, err := spoken.search(ctx, o, search.PerColumn, search.Reduction)
	if err != nil {
		return nil, nil, err
	}
	p, err := in.problem(points).Reduced(ctx, search.Reduction, o.Fit.Compute)
	if err != nil {
		return nil, nil, err
	}
	tuned.Approximation, tuned.FeatureMap = p.Approximation, p.FeatureMap
	return p, tuned, nil
}

// splits reads or draws the splits for cross-validation.
func (s Search) splits(n int) ([]tune.Split, error) {
	switch {
	case s.Folds != 0 && s.SplitsFile != "":
		return nil, errors.New("pipeline: a number of folds and a file of splits exclude each other")
	case s.Folds != 0:
		return tune.KFold(n, s.Folds, s.Options.Seed)
	case s.SplitsFile != "":
		return ReadSplits(s.SplitsFile, n)
	}
	return s.Options.Splits, nil
}

// ReadSplits reads a file of splits of n rows, see [tune.ReadSplits].
func ReadSplits(path string, n int) ([]tune.Split, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("splits: %w", err)
	}
	defer file.Close()
	return tune.ReadSplits(file, path, n)
}

func searchOn[T any](ctx context.Context, s space[T], free tune.Space[T], in prepared, o tune.Options, reduction Reduction) (learner, *Tuned, error) {
	points, err := s.of(in.rows)
	if err != nil {
		return nil, nil, err
	}
	free.Features = featuring[T](reduction, o.Fit.Compute)
	r, err := tune.KRR(ctx, free, points, in.rows.Y, o)
	if err != nil {
		return nil, nil, err
	}
	best, err := learn(ctx, s, r.Kernel, in)
	if err != nil {
		return nil, nil, err
	}
	var scored tune.Score
	if r.Criterion == tune.CV {
		scored = cmp.Or(o.Score, tune.RMSE)
	}
	return best, &Tuned{Scored: scored, Kernel: r.Expression, Lambda: r.Lambda, Ridge: r.Ridge, Criterion: r.Criterion, Method: r.Method, Score: r.Score,
		Parameters: r.Parameters, Values: r.Values, Point: r.Point, Trials: r.Trials, Warnings: r.Warnings, Seconds: r.Seconds}, nil
}
