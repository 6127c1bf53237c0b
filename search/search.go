package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/learner/methods"
	"example.org/mercer/model"
	"example.org/mercer/supervised/dkl"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// Search says how to tune. The zero value is the default of each method: the exact leave-one-out
// error, or the evidence, of a method that has them in closed form, and five folds for all others.
type Search struct {
	// Options holds strategy, trials, seed and computing; its other fields are made here.
	Options tune.Options
	// Criterion is one of [tune.Criteria]. Methods without a closed form have [tune.CV] alone.
	Criterion krr.Criterion
	// Score is for cross-validation one of [ScoreNames], and for kernel ridge regression one of
	// [tune.Scores]; "": accuracy for labels, rmse for numbers and for kernel ridge regression.
	Score  string
	Splits Splits
	Ranges Ranges
	// Approximation, where it is wanted, moves the search into features, which for each kernel are
	// those of all rows and shared by the splits; see [task.Task.Reduced].
	Approximation task.Approximation
	// Metric, where it is wanted, is learned beside: every round of it is a search.
	Metric Metric
	// Network says how the network of a kernel deep(…) without weights is learned before the
	// search.
	Network dkl.Options
	// Rungs are, for the kernel [Auto], the rows on which all families are compared, and then the
	// best of them; zeros: 600 and 2,000.
	Rungs [2]int
	// Budget is, for the kernel [Auto] along a path of λ, the time after which no further candidate
	// is begun; 0: none. What is found within a budget depends on the machine.
	Budget time.Duration
	// Leaves is, for the kernel [Auto] along a path of λ, the number of rows beyond which a tree
	// divides all rows for the last step, and of a leaf at most; 0: nothing divides them. The
	// method that is found is then the tree, see package rfm.
	Leaves int
	// Journal is a file that keeps what was tried, from which a stopped search goes on; "":
	// none.
	Journal string

	ids *task.IDLanguage // shared by the splits of an assessment; nil: a new one
}

// Ranges say where parameters are searched.
type Ranges struct {
	// Grid replaces the values that are tried of a parameter of the method.
	Grid map[string][]float64
	// Lambda is the range of λ of a method that is followed along its path.
	Lambda tune.Range
	// Starts are where the free parameters of the kernel start; nil: as [Tune] says.
	Starts []float64
	// PerColumn gives, where λ is followed, every free sigma or lengthscale of a kernel on vectors
	// one value for each of its columns.
	PerColumn bool
}

// Tuned is the result of a search.
type Tuned struct {
	Method     string
	Kernel     string
	Parameters []tune.Parameter // of the kernel, then of the method, λ last
	Best       tune.Trial
	Criterion  krr.Criterion
	Score      string // what the scores are: that of cross-validation, or the criterion
	Larger     bool   // whether more is better
	Strategy   tune.Strategy
	Splits     int
	// Point is all that is known in closed form at the best λ, and Ridge is Nλ; of a method that
	// has a path.
	Point  *krr.Point
	Ridge  float64
	Trials []tune.Trial
	// Tie says that Best is the simplest of several that are as good; nil: there was one.
	Tie      *tune.Tie
	Resumed  int // trials, or along a path kernels, that a journal knew
	Warnings []string
	Seconds  float64
	// Approximation and FeatureMap are those of the best kernel where the search was in features.
	Approximation *task.LandmarkMap
	FeatureMap    *task.FeatureMap
	// Families are those that were tried where the kernel was [Auto], the best first.
	Families []FamilyScore
	// Baselines are then what these have to beat: a constant and the linear kernel.
	Baselines []FamilyScore
	// Network says how the network of the kernel was learned before the search; nil: there was
	// none.
	Network *dkl.Report
	// Metric is the one that was learned, where it was wanted; trials and scores are those of
	// its best round.
	Metric *LearnedMetric
	// Leaves is the most rows of a leaf where the method is a tree; 0: it is not.
	Leaves int
}

// Lambda is the best value of the last parameter, which along a path is λ.
func (t *Tuned) Lambda() float64 { return t.Best.Values[len(t.Best.Values)-1] }

// Tune prepares a table and searches the free parameters ("?") of a kernel and those of a method on
// its rows. It returns the problem with the best kernel and the method with its best parameters,
// ready to be fitted.
//
// A free width starts at the median heuristic of its kernel and columns, any other
// parameter at 1. The kernel [Auto] is the best of [task.Families].
//
// A table that stays in its file is read in passes, for methods that learn so: in landmarks or
// random features, or on landmarks of their own. A driver of the table makes the passes.
func Tune(ctx context.Context, t data.Blocks, s prep.Spec, text string, m learner.Learner, o Search) (*task.Task, learner.Learner, *Tuned, error) {
	if text == Auto {
		whole, err := inMemory(t, "the kernel auto tries families on a part of the rows")
		if err != nil {
			return nil, nil, nil, err
		}
		return tuneFamilies(ctx, whole, s, m, o)
	}
	w, err := o.prepare(ctx, t, s, text, m)
	if err != nil {
		return nil, nil, nil, err
	}
	kept, err := w.keepSteps()
	if err != nil {
		return nil, nil, nil, err
	}
	watching, read := task.CancelOnReadError(ctx, w.in.Rows)
	p, best, tuned, err := w.search(watching)
	err = read(err)
	if kept != nil {
		err = errors.Join(err, kept.Close(false)) // it stays: a fit may follow, and be stopped
	}
	if err != nil {
		return nil, nil, nil, err
	}
	if kept != nil {
		tuned.Resumed = kept.Known
	}
	return p, best, tuned, nil
}

// tuning is a search on task.PreparedTable rows.
type tuning struct {
	Search
	in     task.PreparedTable
	groups []string
	method learner.Tunable
	steps  compute.Options // the checkpoint alone
}

// prepare prepares the rows of a table for a search, with the groups that they are in.
func (o Search) prepare(ctx context.Context, t data.Blocks, s prep.Spec, text string, m learner.Learner) (tuning, error) {
	none := tuning{}
	method, ok := m.(learner.Tunable)
	if !ok {
		return none, fmt.Errorf("search: method %q has no parameters that cross-validation searches", m.Name())
	}
	_, path := m.(learner.ClosedForm)
	if o.Criterion != "" && o.Criterion != tune.CV && !path {
		return none, fmt.Errorf("search: criterion %q is known in closed form, which method %q has not: leave it out, or take %q", o.Criterion, m.Name(), tune.CV)
	}
	if !path && o.Approximation.Wanted() {
		if err := learner.CheckScorable(m, o.Approximation.Features != nil); err != nil {
			return none, err
		}
	}
	groups, err := groupsOf(t, o.Splits.Group)
	if err != nil {
		return none, err
	}
	if o.Splits.Group != "" {
		s.Drop = append(slices.Clone(s.Drop), o.Splits.Group)
	}
	in, err := task.PrepareBlocks(ctx, t, s, text)
	if err == nil {
		err = checkTarget(in, m)
	}
	if err == nil && in.Rows.Streamed != nil {
		err = o.checkPasses(m)
	}
	return tuning{Search: o, in: in, groups: groups, method: method}, err
}

// inMemory returns a table that is there, and refuses any other, as it is needed for something.
func inMemory(t data.Blocks, what string) (*data.Table, error) {
	if whole, ok := t.(*data.Table); ok {
		return whole, nil
	}
	return nil, fmt.Errorf("search: %s, and the table is read in passes: read it at once, with a larger --max-mem and without --out-of-core, or name a kernel", what)
}

// checkPasses refuses what a search does with rows in memory alone.
func (o Search) checkPasses(m learner.Learner) error {
	var what string
	_, onPoints := m.(learner.PointLearner)
	switch {
	case o.Metric.Shape != "":
		what = "with a metric (--metric) learns it from rows that are all in memory"
	case o.Approximation.Filters != nil:
		what = "with filters (--filters) learns them anew for every kernel, from rows that are all in memory"
	case !o.Approximation.Wanted() && !onPoints:
		what = learner.NeedsGram
	default:
		return nil
	}
	return fmt.Errorf("search: a search for %s %s, and the table is read in passes: read it at once, with a larger --max-mem and without --out-of-core, or search on a part of it", m.Name(), what)
}

// checkTarget refuses a target that the method cannot learn, before any work.
func checkTarget(in task.PreparedTable, m learner.Learner) error {
	if in.Rows.Y == nil {
		return errors.New("search: tuning needs a target")
	}
	return methods.CheckTargets(m.Name(), in.Steps.Targets())
}

// search searches on the rows, with a metric where that is wanted.
func (w tuning) search(ctx context.Context) (*task.Task, learner.Learner, *Tuned, error) {
	if w.Metric.Shape != "" {
		return w.withMetric(ctx)
	}
	return w.once(ctx)
}

// once searches with the distance as it is.
func (w tuning) once(ctx context.Context) (*task.Task, learner.Learner, *Tuned, error) {
	spoken, err := w.in.Resolve(ctx, w.ids)
	if err != nil {
		return nil, nil, nil, err
	}
	return searchExpression(ctx, spoken, w)
}

// searchOn searches on points of one type.
func searchOn[T any](ctx context.Context, s task.Encoding[T], free tune.Space[T], w tuning) (*task.Task, learner.Learner, *Tuned, error) {
	p, err := startOf(ctx, s, free, w.in)
	if err != nil {
		return nil, nil, nil, err
	}
	xs := s.SetOf(p.Points)
	criterion, err := criterionOn(p, xs, &free.Free, &w)
	if err != nil {
		return nil, nil, nil, err
	}
	defer w.Options.Journal.Close()
	r, err := tune.Search(ctx, free, xs, criterion, w.Options)
	if err != nil {
		return nil, nil, nil, err
	}
	best, err := task.BindTyped(ctx, s, r.Kernel, w.in)
	if err != nil {
		return nil, nil, nil, err
	}
	if p, err = w.in.Task(best).Reduced(ctx, w.Approximation, w.Options.Compute); err != nil {
		return nil, nil, nil, err
	}
	tuned := &Tuned{Method: w.method.Name(), Kernel: r.Kernel.String(), Parameters: r.Parameters, Best: r.Best, Criterion: w.Criterion, Score: r.Scale.Name, Larger: r.Scale.Larger,
		Strategy: r.Strategy, Splits: w.Splits.number(), Point: r.Point, Trials: r.Trials, Tie: r.Tie, Resumed: r.Resumed, Warnings: r.Warnings, Seconds: r.Seconds,
		Approximation: p.LandmarkMap, FeatureMap: p.FeatureMap}
	if free.Lambda != nil {
		tuned.Ridge = tuned.Lambda() * totalWeight(w.in.Rows)
	}
	return p, w.method.With(r.Best.Values[len(free.Parameters):]), tuned, nil
}

// startOf is the problem with the kernel where a search starts.
func startOf[T any](ctx context.Context, s task.Encoding[T], free tune.Space[T], in task.PreparedTable) (*task.Task, error) {
	starts := make([]float64, len(free.Parameters))
	for i, p := range free.Parameters {
		starts[i] = p.Start
	}
	k, err := free.Build(starts)
	if err != nil {
		return nil, err
	}
	points, err := task.BindTyped(ctx, s, k, in)
	if err != nil {
		return nil, err
	}
	return in.Task(points), nil
}

// totalWeight is N = Σ wᵢ.
func totalWeight(rows *prep.Prepared) float64 {
	total := 0.0
	for i := range rows.Vectors().Len() {
		total += model.Weight(rows.W, i)
	}
	return total
}
