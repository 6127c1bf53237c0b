package pipeline

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/passes"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// tunable is a method whose own parameters cross-validation can search.
type tunable interface {
	indexed
	// axes are these parameters with the values that a grid tries on a problem.
	axes(p *task.Task) []tune.Axis
	// with returns the method with values of them.
	with(values []float64) tunable
}

// CrossSearch says how to tune a method by cross-validation. The zero value is a grid
// and five folds, stratified by the labels of a target that has them.
type CrossSearch struct {
	// Folds is the number of parts, 0: 5. With Group the parts never divide the rows
	// that have the same value in that column; with Forward rows are in the order of
	// time, and each part is tested by what was learned from the rows before it.
	Folds   int
	Group   string
	Forward bool
	// SplitsFile gives the splits instead, see [ReadSplits].
	SplitsFile string
	// Score is one of [ScoreNames]; "": accuracy for labels, rmse for numbers.
	Score string
	// Grid replaces the values that are tried of a parameter of the method.
	Grid map[string][]float64
	// Journal is a file that keeps the trials, from which a stopped search goes on; "":
	// none.
	Journal string
	// Reduction, where it is wanted, moves the search into features, which for each kernel are
	// those of all rows and shared by the splits; see [task.Task.Reduced].
	Reduction task.Approximation
	// Metric, where it is wanted, is learned beside: every round of it is a search.
	Metric Metric
	// Options holds strategy, trials, seed and computing; its other fields are made here.
	Options tune.CrossOptions

	ids *task.IDLanguage // shared by the splits of an assessment; nil: a new one
}

// CrossTuned is the result of a search by cross-validation.
type CrossTuned struct {
	Method     string            `json:"method"`
	Kernel     string            `json:"kernel"`
	Parameters []tune.Parameter  `json:"parameters"`
	Best       tune.CrossTrial   `json:"best"`
	Score      string            `json:"score"`
	Larger     bool              `json:"larger_is_better"`
	Strategy   tune.Method       `json:"strategy"`
	Splits     int               `json:"splits"`
	Trials     []tune.CrossTrial `json:"trials"`
	Resumed    int               `json:"resumed,omitempty"`
	Warnings   []string          `json:"warnings,omitempty"`
	Seconds    float64           `json:"seconds"`
	// Approximation and FeatureMap are those of the best kernel where the search was in features.
	Approximation *task.LandmarkMap `json:"approximation,omitempty"`
	FeatureMap    *task.FeatureMap  `json:"feature_map,omitempty"`
	// Metric is the one that was learned, where it was wanted; trials and scores are those of
	// its best round.
	Metric *LearnedMetric `json:"metric,omitempty"`
}

// CrossTune prepares a table and searches the free parameters ("?") of a kernel and the
// parameters of a method by cross-validation on its rows. It returns the problem with
// the best kernel and the method with its best parameters, ready to be fitted.
func CrossTune(ctx context.Context, t *data.Table, s prep.Spec, text string, m Method, o CrossSearch) (*task.Task, Method, *CrossTuned, error) {
	in, groups, method, err := o.prepare(t, s, text, m)
	if err != nil {
		return nil, nil, nil, err
	}
	if o.Metric.Shape != "" {
		return crossMetric(ctx, in, text, groups, method, o)
	}
	spoken, err := in.Resolve(ctx, text, o.ids)
	if err != nil {
		return nil, nil, nil, err
	}
	return crossExpression(ctx, spoken, groups, method, o)
}

// prepare prepares the rows of a table for a search, with the groups that they are in.
func (o CrossSearch) prepare(t *data.Table, s prep.Spec, text string, m Method) (task.PreparedTable, []string, tunable, error) {
	method, ok := m.(tunable)
	if !ok {
		return task.PreparedTable{}, nil, nil, fmt.Errorf("pipeline: method %q has no parameters that cross-validation searches", m.Name())
	}
	if o.Reduction.Wanted() {
		if err := scorable(m, o.Reduction.Features != nil); err != nil {
			return task.PreparedTable{}, nil, nil, err
		}
	}
	groups, err := groupsOf(t, o.Group)
	if err != nil {
		return task.PreparedTable{}, nil, nil, err
	}
	if o.Group != "" {
		s.Drop = append(slices.Clone(s.Drop), o.Group)
	}
	in, err := task.Prepare(t, s, text)
	if err != nil {
		return task.PreparedTable{}, nil, nil, err
	}
	return in, groups, method, nil
}

// groupsOf returns the value of a column in every row, as text.
func groupsOf(t *data.Table, column string) ([]string, error) {
	if column == "" {
		return nil, nil
	}
	at, err := t.Find(column)
	if err != nil {
		return nil, fmt.Errorf("group: %w", err)
	}
	c := &t.Columns[at]
	out := make([]string, t.Rows())
	for i := range out {
		if c.Kind == data.Numeric {
			out[i] = fmt.Sprint(c.Numbers[i])
		} else {
			out[i] = c.Strings[i]
		}
	}
	return out, nil
}

// crossOn searches on points of one type.
func crossOn[T any](ctx context.Context, s task.Encoding[T], free tune.Space[T], in task.PreparedTable, groups []string, m tunable, o CrossSearch) (*task.Task, Method, *CrossTuned, error) {
	starts := make([]float64, len(free.Parameters))
	for i, p := range free.Parameters {
		starts[i] = p.Start
	}
	k, err := free.Build(starts)
	if err != nil {
		return nil, nil, nil, err
	}
	points, err := task.BindTyped(ctx, s, k, in)
	if err != nil {
		return nil, nil, nil, err
	}
	p := in.Task(points)
	c := o.Options
	if c.Splits, err = o.splits(p, in, groups); err != nil {
		return nil, nil, nil, err
	}
	if c.Judge, err = judgeOf(p, m, o.Score); err != nil {
		return nil, nil, nil, err
	}
	axes, err := o.axes(p, m)
	if err != nil {
		return nil, nil, nil, err
	}
	if o.Journal != "" {
		if c.Journal, err = tune.OpenJournal(o.Journal, searchKey(p, m, c, axes, free.Parameters, o.Reduction)); err != nil {
			return nil, nil, nil, err
		}
		defer c.Journal.Close()
	}
	xs, err := s.Of(in.Rows)
	if err != nil {
		return nil, nil, nil, err
	}
	learner, err := learnerOf(p, m, xs, o)
	if err != nil {
		return nil, nil, nil, err
	}
	r, err := tune.Cross(ctx, free, axes, learner, xs, c)
	if err != nil {
		return nil, nil, nil, err
	}
	best, err := task.BindTyped(ctx, s, r.Kernel, in)
	if err != nil {
		return nil, nil, nil, err
	}
	tuned := &CrossTuned{Method: m.Name(), Kernel: r.Expression, Parameters: r.Parameters, Best: r.Best, Score: r.Score, Larger: r.Larger, Strategy: r.Strategy,
		Splits: len(c.Splits), Trials: r.Trials, Resumed: r.Resumed, Warnings: r.Warnings, Seconds: r.Seconds}
	if p, err = in.Task(best).Reduced(ctx, o.Reduction, c.Compute); err != nil {
		return nil, nil, nil, err
	}
	tuned.Approximation, tuned.FeatureMap = p.LandmarkMap, p.FeatureMap
	return p, m.with(r.Best.Values[len(free.Parameters):]), tuned, nil
}

// learnerOf returns the method as the search sees it: in features, on points, or in index space.
func learnerOf[T any](p *task.Task, m tunable, xs data.Set[T], o CrossSearch) (tune.Learner, error) {
	plain := foldLearner{p, m}
	f, own := m.(Falkon)
	switch {
	case o.Reduction.Wanted() && own:
		return nil, errors.New("pipeline: falkon chooses landmarks itself: its own options say how many")
	case o.Reduction.Wanted():
		return featureLearner[T]{plain, xs, task.Featuring[T](o.Reduction, o.Options.Compute), o.Options.Compute}, o.Reduction.Admit(xs.Len(), o.Options.Compute)
	case own && p.Indefinite == "":
		return landmarkLearner[T]{plain, f, xs}, nil
	}
	return plain, nil
}

// axes returns the parameters of the method with the values that the search gives them.
func (o CrossSearch) axes(p *task.Task, m tunable) ([]tune.Axis, error) {
	axes := m.axes(p)
	for name, values := range o.Grid {
		at := slices.IndexFunc(axes, func(a tune.Axis) bool { return a.Name == name })
		if at < 0 {
			var names []string
			for _, a := range axes {
				names = append(names, a.Name)
			}
			return nil, fmt.Errorf("pipeline: method %q has no parameter %q to search; it has %s", m.Name(), name, strings.Join(names, ", "))
		}
		axes[at].Values = slices.Sorted(slices.Values(values))
		axes[at].Log = axes[at].Log && axes[at].Values[0] > 0
	}
	return axes, nil
}

// splits reads or draws the splits of the rows of a problem.
func (o CrossSearch) splits(p *task.Task, in task.PreparedTable, groups []string) ([]tune.Split, error) {
	n, folds := p.Points.Size(), o.Folds
	if folds == 0 {
		folds = 5
	}
	given := 0
	for _, is := range []bool{o.Group != "", o.Forward, o.SplitsFile != ""} {
		if is {
			given++
		}
	}
	switch {
	case given > 1 || o.SplitsFile != "" && o.Folds != 0:
		return nil, errors.New("pipeline: groups, splits in the order of time, and a file of splits exclude each other, and a file says how many there are")
	case o.SplitsFile != "":
		return ReadSplits(o.SplitsFile, n)
	case o.Forward:
		return tune.Forward(n, folds)
	case o.Group != "":
		return tune.GroupKFold(data.Pick(groups, in.Rows.Rows), folds, o.Options.Seed)
	}
	if _, classes, err := p.Classes(); err == nil {
		return tune.StratifiedKFold(classes, folds, o.Options.Seed)
	}
	return tune.KFold(n, folds, o.Options.Seed)
}

// foldLearner learns on some rows of a problem.
type foldLearner struct {
	p *task.Task
	m tunable
}

// Learn solves for every set of values.
func (l foldLearner) Learn(ctx context.Context, k gram.Operator, rows []int, values [][]float64) ([]*tune.Function, []error, error) {
	part := l.p.Part(rows)
	functions, failed := make([]*tune.Function, len(values)), make([]error, len(values))
	if m, ok := l.m.(pathed); ok && len(values) > 1 {
		solutions, err := m.along(ctx, k, part, values)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err == nil { // else each for itself: one may fail where others do not
			for i, s := range solutions {
				functions[i] = s.function()
			}
			return functions, failed, nil
		}
	}
	for i, v := range values {
		s, err := l.m.with(v).solve(ctx, k, part)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err != nil {
			failed[i] = err
			continue
		}
		functions[i] = s.function()
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
func judgeOf(p *task.Task, m Method, name string) (tune.Judge, error) {
	targets := p.Prep.Targets()
	if len(targets) != 1 {
		return tune.Judge{}, fmt.Errorf("pipeline: cross-validation judges one target, and there are %d: name one", len(targets))
	}
	if name == "" {
		name = "rmse"
		if targets[0].Labels != nil {
			name = "accuracy"
		}
		switch m.(type) {
		case Quantiles:
			name = "pinball"
		case Structured:
			name = "loss"
		}
	}
	at := slices.IndexFunc(scores, func(s score) bool { return s.name == name })
	if at < 0 {
		return tune.Judge{}, fmt.Errorf("pipeline: score %q is not known; there are %s", name, strings.Join(ScoreNames(), ", "))
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

// searchKey says what is searched on what data, so that a journal is never taken for
// that of another search.
func searchKey(p *task.Task, m tunable, o tune.CrossOptions, axes []tune.Axis, kernel []tune.Parameter, r task.Approximation) string {
	h := sha256.New()
	digest(h, p.Rows)
	start := make([]float64, len(axes))
	for i, a := range axes {
		start[i] = a.Values[0]
	}
	what := fmt.Sprintf("%s %q %q %v %v %s %s %d %d", m.Name(), p.Kernel(), p.Rows.IDs, kernel, axes, o.Judge.Name, o.Strategy, o.Trials, o.Seed)
	fmt.Fprint(h, what, r)
	_ = json.NewEncoder(h).Encode(o.Splits)
	fmt.Fprint(h, describeMethod(m.with(start)))
	return hex.EncodeToString(h.Sum(nil))[:32]
}

// digest hashes prepared rows.
func digest(h hash.Hash, rows *prep.Prepared) {
	numbers := func(xs []float64) {
		_ = binary.Write(h, binary.LittleEndian, xs) // a hash does not fail
	}
	// Rows that cannot be read end the fit that follows.
	_ = passes.Each(context.Background(), rows.Vectors(), 1, 1, func(_, _, _ int, rows data.Vectors) { numbers(rows.Raw()) })
	if rows.Y != nil {
		numbers(rows.Y.RawMatrix().Data)
	}
	numbers(rows.W)
	_ = json.NewEncoder(h).Encode(rows.Cells)
}

// describeMethod returns the options of a method without how they are computed.
func describeMethod(m Method) string {
	switch o := m.(type) {
	case Calibrated:
		inner := describeMethod(o.Method)
		o.Method = nil
		return fmt.Sprintf("%s %+v", inner, o)
	case Falkon:
		o.Landmarks.Compute = compute.Options{} // is made that of the method
		m = o
	}
	return fmt.Sprintf("%s %+v", m.Name(), computing(m, compute.Options{}))
}
