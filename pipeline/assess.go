package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// Assessment is how well tuning and fitting can be expected to do: over given splits,
// the error on the test rows of a model that was prepared, tuned and fitted on the
// training rows alone.
type Assessment struct {
	Splits []AssessedSplit `json:"splits"`
	// Mean is the mean over the splits of the root mean squared test error (averaged
	// over numeric targets), StandardError its standard error.
	Mean          float64 `json:"mean_rmse"`
	StandardError float64 `json:"standard_error"`
	// Accuracy is that on the test rows of a target with labels.
	Accuracy *Spread `json:"accuracy,omitempty"`
}

// Spread is the mean over splits and the standard deviation (divisor n − 1).
type Spread struct {
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"standard_deviation"`
}

func spreadOf(values []float64) *Spread {
	mean, standardError := tune.MeanAndError(values)
	return &Spread{Mean: mean, Deviation: standardError * math.Sqrt(float64(len(values)))}
}

// PerClassSplits draws splits of the rows of a table with the given number of training rows
// of every label of its target; the others are for testing. Rows that preparation drops
// are in none.
func PerClassSplits(t *data.Table, s prep.Spec, text string, each, draws int, seed uint64) ([]tune.Split, error) {
	in, err := task.Prepare(t, s, text)
	if err != nil {
		return nil, err
	}
	p := &task.Task{Prep: in.Steps, Rows: in.Rows, Points: task.TypedPoints[[]float64]{Encoding: task.VectorEncoding, Set: in.Rows.X}.Any()}
	_, classes, err := p.Classes()
	if err != nil {
		return nil, err
	}
	splits, err := tune.PerClass(classes, each, draws, seed)
	return inTable(splits, in), err
}

// inTable turns splits of prepared rows into splits of the rows of the table.
func inTable(splits []tune.Split, in task.PreparedTable) []tune.Split {
	for k, split := range splits {
		splits[k] = tune.Split{Train: data.Pick(in.Rows.Rows, split.Train), Test: data.Pick(in.Rows.Rows, split.Test)}
	}
	return splits
}

// AssessedSplit is one split of an assessment.
type AssessedSplit struct {
	Train  int              `json:"train"`
	Test   int              `json:"test"`
	Kernel string           `json:"kernel"`
	Lambda float64          `json:"lambda"`
	Scores []outcome.Scores `json:"scores"`
	// Resumed are the kernels that the journal of the split knew.
	Resumed int `json:"resumed,omitempty"`
}

// Assess tunes and fits on the training rows of every split, and tests on its test
// rows. Everything that is learned, preparation too, is learned on training rows.
// The search in split k = 1, 2, … has a journal of its own, where there is one: FILE.k. done is
// told of every split that is finished; it may be nil.
func Assess(ctx context.Context, t *data.Table, s prep.Spec, text string, search Search, splits []tune.Split, done func(k int, a AssessedSplit)) (*Assessment, error) {
	a := &Assessment{}
	var errs, accuracies []float64
	search.ids = task.NewIDLanguage(ctx, task.Files{}) // graphs are read and decomposed once for all splits
	on, err := task.Subject{Table: t, Spec: s, Text: text}.SharedGram(ctx, search.ids, search.Options.Fit.Compute)
	if err != nil {
		return nil, err
	}
	for k, split := range splits {
		one, err := assess(ctx, on, search.ofSplit(k), split)
		if err != nil {
			return nil, fmt.Errorf("split %d: %w", k+1, err)
		}
		rmse := 0.0
		for _, score := range one.Scores {
			if score.LabelScores != nil && len(one.Scores) == 1 {
				accuracies = append(accuracies, score.Accuracy)
			}
			rmse += score.RMSE / float64(len(one.Scores))
		}
		errs = append(errs, rmse)
		a.Splits = append(a.Splits, *one)
		if done != nil {
			done(k, *one)
		}
	}
	a.Mean = mean(errs)
	variance := 0.0
	for _, e := range errs {
		variance += (e - a.Mean) * (e - a.Mean)
	}
	if n := float64(len(errs)); n > 1 {
		a.StandardError = math.Sqrt(variance / (n - 1) / n)
	}
	if accuracies != nil {
		a.Accuracy = spreadOf(accuracies)
	}
	return a, nil
}

// ofSplit returns the search in a split of an assessment.
func (search Search) ofSplit(k int) Search {
	search.Journal = journalOf(search.Journal, k)
	return search
}

func assess(ctx context.Context, on task.Subject, search Search, split tune.Split) (*AssessedSplit, error) {
	p, tuned, err := Tune(ctx, on.Table.Gather(split.Train), on.Spec, on.Text, search)
	if err != nil {
		return nil, err
	}
	o := search.Options.Fit
	m, err := Fit(ctx, p, KRR{Options: krr.Options{Lambda: tuned.Lambda, NoIntercept: o.NoIntercept, Compute: o.Compute}}, search.Options.Seed)
	if err != nil {
		return nil, err
	}
	prediction, err := m.Test(ctx, on.Table.Gather(split.Test), compute.Options{Workers: o.Compute.Workers})
	if err != nil {
		return nil, err
	}
	scores, err := prediction.Scores()
	if err != nil {
		return nil, err
	}
	return &AssessedSplit{Train: len(split.Train), Test: len(split.Test), Kernel: cmp.Or(on.Kernel, tuned.Kernel), Lambda: tuned.Lambda, Scores: scores, Resumed: tuned.Resumed}, nil
}
