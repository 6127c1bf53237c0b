package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/learner"
	"example.org/mercer/learner/distance"
	"example.org/mercer/model"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// Metric asks a search for a learned metric of the kernel, see package mahalanobis. The zero
// value asks for none.
type Metric struct {
	Shape  mahalanobis.Shape
	Rounds int // 0: as many as package mahalanobis takes
}

// rounds is the largest number of metrics after the identity.
func (d Metric) rounds() int { return (&mahalanobis.Options{Rounds: d.Rounds}).MostRounds() }

// LearnedMetric is the metric that a search has found. Every round searches the kernel and the
// method anew, on four fifths of the rows, and is judged by the others.
type LearnedMetric struct {
	*mahalanobis.Report
	Columns []string    `json:"columns"` // of the relevances
	M       [][]float64 `json:"m"`       // LᵀL, whose unit is that of the width of the kernel
	Judged  int         `json:"judged"`  // the number of rows that judged
	Judge   string      `json:"judge"`   // the score of the rounds
	Larger  bool        `json:"larger_is_better"`
}

// Of returns the score of a round as the judge gives it.
func (d *LearnedMetric) Of(round int) float64 {
	if d.Larger {
		return -d.Rounds[round].Score
	}
	return d.Rounds[round].Score
}

// round is the best of one search: a problem with its kernel, the method with its
// parameters, and what the search tells.
type round struct {
	p     *task.Task
	m     learner.Learner
	tuned *Tuned
}

// metricSearch learns a distance by rounds of a search.
type metricSearch struct {
	tuning
	split tune.Split // who is learned from, and who judges
	judge tune.Judge
}

// round searches in a round, counted from 0.
func (s metricSearch) round(ctx context.Context, in task.PreparedTable, number int) (round, error) {
	w := s.tuning
	w.in, w.Search, w.steps = in, w.part(number), w.steps.Within(fmt.Sprint("round ", number))
	p, m, tuned, err := w.once(ctx)
	return round{p, m, tuned}, err
}

// learn returns the best of the rounds, with the kernel on the rows themselves.
func (s metricSearch) learn(ctx context.Context) (*task.Task, round, *LearnedMetric, error) {
	var rounds []round
	whole := s.in.Rows.X
	weights := make([]float64, whole.Len())
	for _, i := range s.split.Train {
		weights[i] = model.Weight(s.in.Rows.W, i)
	}
	fit := func(ctx context.Context, images data.Vectors) (mahalanobis.Fitted, error) {
		best, err := s.round(ctx, seenAs(s.in, images, s.split.Train), len(rounds))
		if err != nil {
			return mahalanobis.Fitted{}, err
		}
		rounds = append(rounds, best)
		return s.judged(ctx, best, images)
	}
	metric, report, err := mahalanobis.Learn(ctx, whole, fit, mahalanobis.Options{Shape: s.Metric.Shape, Rounds: s.Metric.Rounds, Weights: weights, Workers: s.Options.Compute.WorkerCount()})
	if err != nil {
		return nil, round{}, nil, err
	}
	best := rounds[report.Best]
	points, _ := best.p.Points.AsVectors()
	if report.Best > 0 {
		if points, err = distance.Under(metric, points); err != nil {
			return nil, best, nil, err
		}
	}
	l, err := task.BindTyped(ctx, task.VectorEncoding, points, s.in)
	if err != nil {
		return nil, best, nil, err
	}
	names, _ := s.in.Steps.Features()
	found := &LearnedMetric{Report: report, Columns: names, Judged: len(s.split.Test), Judge: s.judge.Name, Larger: s.judge.Larger}
	m := metric.M()
	for i := range names {
		row := make([]float64, len(names))
		for j := range row {
			row[j] = m.At(i, j)
		}
		found.M = append(found.M, row)
	}
	return s.in.Task(l), best, found, nil
}

// seenAs returns some of the task.PreparedTable rows with other vectors in the place of theirs.
func seenAs(in task.PreparedTable, as data.Vectors, rows []int) task.PreparedTable {
	all := *in.Rows
	all.X = as
	p := &task.Task{Prep: in.Steps, Rows: &all, Points: task.TypedPoints[[]float64]{Encoding: task.VectorEncoding, Set: as}.Any()}
	in.Rows = p.Part(rows).Rows
	return in
}

// judged learns what a search has found from the rows that it saw, and scores the others.
func (s metricSearch) judged(ctx context.Context, best round, images data.Vectors) (mahalanobis.Fitted, error) {
	none := mahalanobis.Fitted{}
	l, err := best.m.Fit(ctx, best.p)
	if err != nil {
		return none, err
	}
	f, _ := task.VectorEncoding.FunctionOf(l.Function)
	e, ok := f.Predictor.(*model.Expansion[[]float64])
	if !ok {
		return none, fmt.Errorf("search: method %q with the kernel %s learned a function of explicit features, which a change of the distance does not concern: take a kernel of the distance, such as rbf", best.m.Name(), best.p.Kernel())
	}
	slope, err := distance.Slope(e.Kernel)
	if err != nil {
		return none, fmt.Errorf("search: a distance is learned from gradients: %w", err)
	}
	values, err := e.Predict(ctx, images.Gather(s.split.Test), compute.Options{Workers: s.Options.Compute.Workers})
	if err != nil {
		return none, err
	}
	score, err := s.judge.Of(s.split.Test, values, l.Decision)
	if s.judge.Larger {
		score = -score
	}
	return mahalanobis.Fitted{F: e, Slope: slope, Score: score}, err
}

// learnable refuses what has no distance to learn: kernels on other points than vectors, and on
// chosen columns.
func (d Metric) learnable(k task.Parsed) error {
	if k.Kind != task.OnVectors {
		return fmt.Errorf("search: the kernel %s does not compare vectors: a distance is learned for those alone", k)
	}
	for _, p := range k.Node.Placeholders() {
		if p.Columns != nil {
			return fmt.Errorf("search: the kernel %s chooses columns, which a learned metric weighs itself: leave the others out of the table (--drop), or out of the kernel", k)
		}
	}
	return nil
}

// judging returns the split and the judge of the rounds: the last of five parts, in which
// labels and groups are as in the folds of the search.
func (w *tuning) judging() (tune.Split, tune.Judge, error) {
	p := &task.Task{Prep: w.in.Steps, Rows: w.in.Rows, Points: task.TypedPoints[[]float64]{Encoding: task.VectorEncoding, Set: w.in.Rows.X}.Any()}
	parts := Splits{Folds: 5, Group: w.Splits.Group, Forward: w.Splits.Forward}
	splits, err := parts.of(p, w.groups, w.Options.Seed+2, true) // other parts than those of the folds within, and of nested parts
	if err != nil {
		return tune.Split{}, tune.Judge{}, err
	}
	if _, path := w.method.(learner.ClosedForm); path && len(p.Prep.Targets()) == 1 && p.Prep.Targets()[0].Labels != nil {
		y, err := p.Targets() // the codes of the labels, as for the criterion of the path
		if err != nil {
			return tune.Split{}, tune.Judge{}, err
		}
		return splits[len(splits)-1], tune.Score(cmp.Or(w.Score, string(tune.RMSE))).Judge(y, w.in.Rows.W), nil
	}
	judge, err := judgeOf(p, w.method, w.Score)
	return splits[len(splits)-1], judge, err
}

// admitsMetric refuses what a search with a learned metric cannot be joined with.
func (w *tuning) admitsMetric() error {
	switch {
	case w.Approximation.Wanted():
		return errors.New("search: a learned metric with landmarks or features of any method: learn it with falkon or with the method itself, and give the kernel that is found to the other")
	case w.Splits.File != "":
		return errors.New("search: a learned metric leaves rows out of the search, and a file of splits names rows of all: give a number of folds")
	}
	return w.Metric.learnable(w.in.Kernel)
}

// withMetric searches with a learned metric.
func (w tuning) withMetric(ctx context.Context) (*task.Task, learner.Learner, *Tuned, error) {
	if err := w.admitsMetric(); err != nil {
		return nil, nil, nil, err
	}
	split, judge, err := w.judging()
	if err != nil {
		return nil, nil, nil, err
	}
	p, best, found, err := metricSearch{w, split, judge}.learn(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	best.tuned.Kernel, best.tuned.Metric = p.Kernel(), found
	best.tuned.Warnings = append(best.tuned.Warnings, found.Warnings...)
	return p, best.m, best.tuned, nil
}
