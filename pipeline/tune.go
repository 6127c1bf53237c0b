package pipeline

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/internal/checkpoint"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
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
	// Reduction, where it is wanted, moves the search into features; see [task.Task.Reduced].
	Reduction task.Approximation
	// Metric, where it is wanted, is learned beside: every round of it is a search.
	Metric Metric
	// Journal is a file that keeps the scores of every kernel, from which a stopped search goes on;
	// "": none.
	Journal string

	ids *task.IDLanguage // shared by the splits of an assessment; nil: a new one
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
	Resumed    int              `json:"resumed,omitempty"` // kernels that a journal knew
	Warnings   []string         `json:"warnings,omitempty"`
	Seconds    float64          `json:"seconds"`
	// Approximation and FeatureMap are those of the best kernel where the search was in features.
	Approximation *task.LandmarkMap `json:"approximation,omitempty"`
	FeatureMap    *task.FeatureMap  `json:"feature_map,omitempty"`
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
func Tune(ctx context.Context, t *data.Table, s prep.Spec, text string, search Search) (*task.Task, *Tuned, error) {
	in, err := task.Prepare(t, s, text)
	if err != nil {
		return nil, nil, err
	}
	if in.Rows.Y == nil {
		return nil, nil, errNoTarget
	}
	if search.Journal == "" {
		return search.over(ctx, in, text, compute.Options{})
	}
	kept, err := checkpoint.Open(search.Journal, func() map[string]string { return search.key(in, text) }, true, 0)
	if err != nil {
		return nil, nil, err
	}
	p, tuned, err := search.over(ctx, in, text, compute.Options{Checkpoint: kept})
	if err = errors.Join(err, kept.Close(false)); err != nil { // it stays: a fit may follow, and be stopped
		return nil, nil, err
	}
	tuned.Resumed = kept.Known
	return p, tuned, nil
}

var errNoTarget = errors.New("pipeline: tuning needs a target")

// key says what is searched on what rows.
func (search Search) key(in task.PreparedTable, text string) map[string]string {
	o := search.Options
	splits, _ := search.splits(in.Rows.X.Len()) // whose error ends the search
	h := sha256.New()
	_ = json.NewEncoder(h).Encode(splits)
	all := rowsAndMachine(in.Rows, o.Fit.Compute)
	all["the kernel"], all["the splits"] = text, hex.EncodeToString(h.Sum(nil))[:32]
	o.Splits, o.Fit.Weights, o.Fit.Compute = nil, nil, compute.Options{}
	all["the search"] = fmt.Sprintf("%+v %v %v %+v", o, search.PerColumn, search.Reduction, search.Metric)
	return all
}

// over searches on prepared rows, with a metric where that is wanted; steps has the checkpoint
// alone.
func (search Search) over(ctx context.Context, in task.PreparedTable, text string, steps compute.Options) (*task.Task, *Tuned, error) {
	if search.Metric.Shape != "" {
		return ridgeMetric(ctx, in, text, search, steps)
	}
	return search.on(ctx, in, text, steps)
}

// on searches on prepared rows, with the distance as it is.
func (search Search) on(ctx context.Context, in task.PreparedTable, text string, steps compute.Options) (*task.Task, *Tuned, error) {
	o, err := search.Options, error(nil)
	o.Fit.Weights = in.Rows.W
	if o.Splits, err = search.splits(in.Rows.X.Len()); err != nil {
		return nil, nil, err
	}
	spoken, err := in.Resolve(ctx, text, search.ids)
	if err != nil {
		return nil, nil, err
	}
	if err := search.Reduction.Admit(in.Rows.X.Len(), o.Fit.Compute); err != nil {
		return nil, nil, err
	}
	o.Fit.Compute.Checkpoint = steps.Checkpoint
	points, tuned, err := searchExpression(ctx, spoken, o, search.PerColumn, search.Reduction)
	if err != nil {
		return nil, nil, err
	}
	p, err := in.Task(points).Reduced(ctx, search.Reduction, search.Options.Fit.Compute)
	if err != nil {
		return nil, nil, err
	}
	tuned.Approximation, tuned.FeatureMap = p.LandmarkMap, p.FeatureMap
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

func searchOn[T any](ctx context.Context, s task.Encoding[T], free tune.Space[T], in task.PreparedTable, o tune.Options, reduction task.Approximation) (task.Points, *Tuned, error) {
	points, err := s.Of(in.Rows)
	if err != nil {
		return task.Points{}, nil, err
	}
	how := o.Fit.Compute
	how.Checkpoint = nil // landmarks belong to the step of their kernel
	free.Features = task.Featuring[T](reduction, how)
	r, err := tune.KRR(ctx, free, points, in.Rows.Y, o)
	if err != nil {
		return task.Points{}, nil, err
	}
	best, err := task.BindTyped(ctx, s, r.Kernel, in)
	if err != nil {
		return task.Points{}, nil, err
	}
	var scored tune.Score
	if r.Criterion == tune.CV {
		scored = cmp.Or(o.Score, tune.RMSE)
	}
	return best, &Tuned{Scored: scored, Kernel: r.Expression, Lambda: r.Lambda, Ridge: r.Ridge, Criterion: r.Criterion, Method: r.Method, Score: r.Score,
		Parameters: r.Parameters, Values: r.Values, Point: r.Point, Trials: r.Trials, Warnings: r.Warnings, Seconds: r.Seconds}, nil
}
