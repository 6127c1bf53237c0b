package search

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// Assessment is how well tuning and fitting can be expected to do: nested cross-validation. For
// every split, preparation, search and fit see the training rows alone and are tested on the
// others.
type Assessment struct {
	Score  string // of the means: that of the search; of a method with a path rmse, averaged over the targets
	Splits []AssessedSplit
	// Mean is that of the scores on the test rows, StandardError its standard error.
	Mean          float64
	StandardError float64
	Deviation     float64
	// Accuracy is, for a method with a path, that on the test rows of a target with labels.
	Accuracy *Spread
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

// AssessedSplit is one split of an assessment.
type AssessedSplit struct {
	Train      int
	Test       int
	Kernel     string
	Parameters []tune.Parameter
	Best       tune.Trial // on the training rows
	Score      float64    // on the test rows
	Scores     []outcome.Scores
	// Resumed are the trials or kernels that the journal of the split knew.
	Resumed int
}

// Assess takes given splits of the rows of a table, or where there are none divides them in the
// given number of parts, stratified by the labels of a target that has them. A kernel that no row
// can change, such as one on strings or graphs, is evaluated once for all splits.
// The search in split k = 1, 2, … has a journal of its own, where o has one: FILE.k. done is told
// of every split that is finished; it may be nil.
func Assess(ctx context.Context, t *data.Table, s prep.Spec, text string, m learner.Learner, o Search, folds int, splits []tune.Split, done func(k, of int, a AssessedSplit)) (*Assessment, error) {
	in, err := prepared(t, s, text)
	if err != nil {
		return nil, err
	}
	if err := checkTarget(in, m); err != nil {
		return nil, err
	}
	if splits == nil {
		outer := Splits{Folds: folds, Group: o.Splits.Group, Forward: o.Splits.Forward}
		if splits, err = splitsOf(t, in, outer, o.Options.Seed+1); err != nil { // other parts than those within
			return nil, err
		}
	}
	o.ids = task.NewIDLanguage(ctx, task.Files{}) // graphs are read and decomposed once for all splits
	on := task.Subject{Table: t, Spec: s, Text: text}
	if text != Auto { // whose kernels are known after each search
		if on, err = on.SharedGram(ctx, o.ids, o.Options.Compute); err != nil {
			return nil, err
		}
	}
	a := &Assessment{}
	var found, accuracies []float64
	for k, split := range splits {
		one, score, err := assessSplit(ctx, on, m, o.part(k+1), split)
		if err != nil {
			return nil, fmt.Errorf("split %d: %w", k+1, err)
		}
		a.Score = score
		a.Splits = append(a.Splits, *one)
		found = append(found, one.Score)
		if labels := one.Scores[0].LabelScores; labels != nil && len(one.Scores) == 1 {
			accuracies = append(accuracies, labels.Accuracy)
		}
		if done != nil {
			done(k, len(splits), *one)
		}
	}
	a.Mean, a.StandardError = tune.MeanAndError(found)
	a.Deviation = spreadOf(found).Deviation
	if _, path := m.(learner.ClosedForm); path && accuracies != nil {
		a.Accuracy = spreadOf(accuracies)
	}
	return a, nil
}

// assessSplit searches and fits on the training rows of a split, and tests on the others.
func assessSplit(ctx context.Context, on task.Subject, m learner.Learner, o Search, split tune.Split) (*AssessedSplit, string, error) {
	p, best, tuned, err := Tune(ctx, on.Table.Gather(split.Train), on.Spec, on.Text, m, o)
	if err != nil {
		return nil, "", err
	}
	f, err := learner.Fit(ctx, p, best)
	if err != nil {
		return nil, "", err
	}
	prediction, err := HeldOut(ctx, p, f, on.Table.Gather(split.Test), m.ComputeOptions())
	if err != nil {
		return nil, "", err
	}
	one := &AssessedSplit{Train: len(split.Train), Test: len(split.Test), Kernel: cmp.Or(on.Kernel, tuned.Kernel), Parameters: tuned.Parameters, Best: tuned.Best, Resumed: tuned.Resumed}
	if one.Scores, err = prediction.Scores(); err != nil {
		return nil, "", err
	}
	if _, path := m.(learner.ClosedForm); path {
		for _, score := range one.Scores {
			one.Score += score.RMSE / float64(len(one.Scores))
		}
		return one, string(tune.RMSE), nil
	}
	one.Score, err = scoreOf(tuned.Score, one.Scores[0])
	return one, tuned.Score, err
}

// HeldOut predicts rows of a table by what was learned from others.
func HeldOut(ctx context.Context, p *task.Task, f *learner.Fitted, tested *data.Table, how compute.Options) (*outcome.Prediction, error) {
	rows, err := p.Prep.Apply(tested)
	if err != nil {
		return nil, err
	}
	return f.Predict(ctx, task.PreparedTable{Table: tested, Blocks: tested, Steps: p.Prep, Rows: rows}, outcome.Asked{}, how)
}
