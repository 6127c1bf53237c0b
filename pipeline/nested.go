package pipeline

import (
	"cmp"
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// CrossAssessment is how well tuning by cross-validation and fitting can be expected to
// do: nested cross-validation.
type CrossAssessment struct {
	Score  string               `json:"score"`
	Splits []CrossAssessedSplit `json:"splits"`
	// Mean is that of the scores on the test rows, StandardError its standard error.
	Mean          float64 `json:"mean"`
	StandardError float64 `json:"standard_error"`
	Deviation     float64 `json:"standard_deviation"`
}

// CrossAssessedSplit is one outer split.
type CrossAssessedSplit struct {
	Train  int              `json:"train"`
	Test   int              `json:"test"`
	Kernel string           `json:"kernel"`
	Values []float64        `json:"values"` // the best on the training rows
	Inner  float64          `json:"inner"`  // their score by cross-validation there
	Score  float64          `json:"score"`  // on the test rows
	Scores []outcome.Scores `json:"scores"`
	Names  []tune.Parameter `json:"-"`
	// Resumed are the trials that the journal of the split knew.
	Resumed int `json:"resumed,omitempty"`
}

// CrossAssess divides the rows of a table in the given number of parts (stratified by
// the labels of a target that has them), or takes given splits of its rows. Preparation,
// search and fit see the training rows of a split alone, and are tested on the others; a
// kernel that no row can change, such as one on strings or graphs, is evaluated once for
// all splits.
// The search in split k = 1, 2, … has a journal of its own, where o has one: FILE.k. done is told
// of every split that is finished; it may be nil.
func CrossAssess(ctx context.Context, t *data.Table, s prep.Spec, text string, m Method, o CrossSearch, folds int, splits []tune.Split, done func(k, of int, a CrossAssessedSplit)) (*CrossAssessment, error) {
	if splits == nil {
		var err error
		if splits, err = outerSplits(t, s, text, o, folds); err != nil {
			return nil, err
		}
	}
	o.ids = task.NewIDLanguage(ctx, task.Files{}) // graphs are read and decomposed once for all splits
	on, err := task.Subject{Table: t, Spec: s, Text: text}.SharedGram(ctx, o.ids, m.compute())
	if err != nil {
		return nil, err
	}
	a := &CrossAssessment{}
	var found []float64
	for k, split := range splits {
		one, score, err := crossAssess(ctx, on, m, o.ofSplit(k), split)
		if err != nil {
			return nil, fmt.Errorf("split %d: %w", k+1, err)
		}
		a.Score = score
		a.Splits = append(a.Splits, *one)
		found = append(found, one.Score)
		if done != nil {
			done(k, len(splits), *one)
		}
	}
	a.Mean, a.StandardError = tune.MeanAndError(found)
	a.Deviation = spreadOf(found).Deviation
	return a, nil
}

// outerSplits returns splits of the rows of a table.
func outerSplits(t *data.Table, s prep.Spec, text string, o CrossSearch, folds int) ([]tune.Split, error) {
	in, err := task.Prepare(t, s, text)
	if err != nil {
		return nil, err
	}
	outer := CrossSearch{Folds: folds, Group: o.Group, Forward: o.Forward}
	outer.Options.Seed = o.Options.Seed + 1 // other parts than those within
	groups, err := groupsOf(t, o.Group)
	if err != nil {
		return nil, err
	}
	p := &task.Task{Prep: in.Steps, Rows: in.Rows, Points: task.TypedPoints[[]float64]{Encoding: task.VectorEncoding, Set: in.Rows.X}.Any()}
	splits, err := outer.splits(p, in, groups)
	if err != nil {
		return nil, err
	}
	return inTable(splits, in), nil
}

// ofSplit returns the search in an outer split.
func (o CrossSearch) ofSplit(k int) CrossSearch {
	o.Journal = journalOf(o.Journal, k)
	return o
}

// journalOf names the journal of one of several searches; "" where there is none.
func journalOf(file string, k int) string {
	if file == "" {
		return ""
	}
	return fmt.Sprintf("%s.%d", file, k+1)
}

// crossAssess searches and fits on the training rows of a split, and tests on the others.
func crossAssess(ctx context.Context, on task.Subject, m Method, o CrossSearch, split tune.Split) (*CrossAssessedSplit, string, error) {
	p, best, tuned, err := CrossTune(ctx, on.Table.Gather(split.Train), on.Spec, on.Text, m, o)
	if err != nil {
		return nil, "", err
	}
	f, err := Fit(ctx, p, best, o.Options.Seed)
	if err != nil {
		return nil, "", err
	}
	prediction, err := f.Test(ctx, on.Table.Gather(split.Test), m.compute())
	if err != nil {
		return nil, "", err
	}
	one := &CrossAssessedSplit{Train: len(split.Train), Test: len(split.Test), Kernel: cmp.Or(on.Kernel, tuned.Kernel), Values: tuned.Best.Values, Inner: tuned.Best.Score, Names: tuned.Parameters, Resumed: tuned.Resumed}
	if one.Scores, err = prediction.Scores(); err != nil {
		return nil, "", err
	}
	if one.Score, err = scoreOf(tuned.Score, one.Scores[0]); err != nil {
		return nil, "", err
	}
	return one, tuned.Score, nil
}
