package search

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// score is a way to judge predictions.
type score struct {
	name   string
	larger bool
	of     func(outcome.Scores) *float64
}

// scores are all that a search can judge by.
var scores = []score{
	{"accuracy", true, ofLabels(func(s *outcome.LabelScores) *float64 { return &s.Accuracy })},
	{"balanced", true, ofLabels(func(s *outcome.LabelScores) *float64 { return &s.Balanced })},
	{"f1", true, ofLabels(func(s *outcome.LabelScores) *float64 { return &s.MacroF1 })},
	{"auc", true, ofLabels(func(s *outcome.LabelScores) *float64 { return s.AUC })},
	{"log-loss", false, ofLabels(func(s *outcome.LabelScores) *float64 { return s.LogLoss })},
	{"brier", false, ofLabels(func(s *outcome.LabelScores) *float64 { return s.Brier })},
	{"rmse", false, ofNumbers(func(s *outcome.NumberScores) *float64 { return &s.RMSE })},
	{"mae", false, ofNumbers(func(s *outcome.NumberScores) *float64 { return &s.MAE })},
	{"pinball", false, func(s outcome.Scores) *float64 {
		if s.QuantileScores == nil {
			return nil
		}
		v := mean(s.Pinball)
		return &v
	}},
	{"loss", false, func(s outcome.Scores) *float64 {
		if s.StructuredScores == nil {
			return nil
		}
		return &s.StructuredScores.Loss
	}},
	{"r2", true, ofNumbers(func(s *outcome.NumberScores) *float64 { return &s.R2 })},
}

func ofLabels(of func(*outcome.LabelScores) *float64) func(outcome.Scores) *float64 {
	return func(s outcome.Scores) *float64 {
		if s.LabelScores == nil {
			return nil
		}
		return of(s.LabelScores)
	}
}

func ofNumbers(of func(*outcome.NumberScores) *float64) func(outcome.Scores) *float64 {
	return func(s outcome.Scores) *float64 {
		if s.NumberScores == nil {
			return nil
		}
		return of(s.NumberScores)
	}
}

// ScoreNames returns the names of the scores that cross-validation can judge by.
func ScoreNames() []string {
	var names []string
	for _, s := range scores {
		names = append(names, s.name)
	}
	return names
}

// judgeOf returns the judge of a name on the rows of the problem.
func judgeOf(p *task.Task, m learner.Learner, name string) (tune.Judge, error) {
	targets := p.Prep.Targets()
	if len(targets) != 1 {
		return tune.Judge{}, fmt.Errorf("search: cross-validation judges one target, and there are %d: name one", len(targets))
	}
	if name == "" {
		name = "rmse"
		if targets[0].Labels != nil {
			name = "accuracy"
		}
		if own, ok := m.(interface{ DefaultScore() string }); ok {
			name = own.DefaultScore()
		}
	}
	at := slices.IndexFunc(scores, func(s score) bool { return s.name == name })
	if at < 0 {
		return tune.Judge{}, fmt.Errorf("search: score %q is not known; there are %s", name, strings.Join(ScoreNames(), ", "))
	}
	return tune.Judge{Name: name, Larger: scores[at].larger, Of: func(test []int, outputs *mat.Dense, tag any) (float64, error) {
		d := tag.(outcome.Decision)
		prediction := &outcome.Prediction{Rows: p.Part(test).Rows, Values: outputs, Outputs: d.Outputs, Targets: targets, Decision: d}
		all, err := prediction.Scores()
		if err != nil {
			return 0, err
		}
		return scoreOf(name, all[0])
	}}, nil
}

// scoreOf takes the score of a name, which is known, from all of them.
func scoreOf(name string, all outcome.Scores) (float64, error) {
	for _, s := range scores {
		if s.name != name {
			continue
		}
		if v := s.of(all); v != nil {
			return *v, nil
		}
	}
	return 0, fmt.Errorf("the score %s is not defined for this method and these rows", name)
}

// mean returns the mean of some numbers.
func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += x
	}
	return sum / float64(len(xs))
}
