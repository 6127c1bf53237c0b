package pipeline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"

	"mercer/data"
	"mercer/gram"
	"mercer/kernel"
	"mercer/kernel/expr"
	"mercer/kernel/vec"
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
}

// Tune prepares a table and searches λ and the free parameters ("?") of a kernel for
// kernel ridge regression on its rows. It returns the problem with the best kernel,
// ready to be fitted at the best λ.
//
// A free width starts at the median heuristic of its kernel and columns, any other
// parameter at 1.
func Tune(ctx context.Context, t *data.Table, s prep.Spec, text string, search Search) (*Problem, *Tuned, error) {
	in, err := prepare(t, s)
	if err != nil {
		return nil, nil, err
	}
	if in.rows.Y == nil {
		return nil, nil, errors.New("pipeline: tuning needs a target")
	}
	o := search.Options
	o.Fit.Weights = in.rows.W
	if o.Splits, err = search.splits(in.rows.X.Len()); err != nil {
		return nil, nil, err
	}
	node, err := expr.Parse(text)
	if err != nil {
		return nil, nil, err
	}
	var points learner
	var tuned *Tuned
	if onIDs(node) {
		space := constant(func() (kernel.Kernel[string], error) { return idKernel(text, "") })
		points, tuned, err = searchOn(ctx, idSpace, space, in, o)
	} else {
		points, tuned, err = searchVectors(ctx, node, in, o, search.PerColumn)
	}
	if err != nil {
		return nil, nil, err
	}
	return in.problem(points), tuned, nil
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

func searchOn[T any](ctx context.Context, s space[T], free tune.Space[T], in prepared, o tune.Options) (learner, *Tuned, error) {
	points, err := s.of(in.rows)
	if err != nil {
		return nil, nil, err
	}
	r, err := tune.KRR(ctx, free, points, in.rows.Y, o)
	if err != nil {
		return nil, nil, err
	}
	best, err := learn(s, r.Kernel, in)
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

// constant is the space of one kernel: only λ is searched.
func constant[T any](build func() (kernel.Kernel[T], error)) tune.Space[T] {
	return tune.Space[T]{Build: func([]float64) (kernel.Kernel[T], error) { return build() }}
}

// widths are the arguments that have the unit of a coordinate: they start at the
// median heuristic and may have one value for each column.
var widths = []string{"sigma", "lengthscale"}

// free is one free parameter of an expression: where it stands, the columns that it
// has a value for (nil: one value), and where its values start.
type free struct {
	expr.Placeholder
	columns []string
	starts  []float64
}

// freeOf finds the free parameters of an expression without data words.
func freeOf(ctx context.Context, node expr.Node, xs data.Vectors, schema vec.Schema) ([]free, error) {
	var found []free
	for _, p := range node.Placeholders() {
		if p.Word != "?" {
			continue
		}
		start := 1.0
		if slices.Contains(widths, p.Argument) {
			var err error
			if start, err = medianOf(ctx, p, xs, schema); err != nil {
				return nil, err
			}
		}
		found = append(found, free{Placeholder: p, starts: []float64{start}})
	}
	return found, nil
}

// medianOf returns the median heuristic for a width, as sigma=median would give it.
func medianOf(ctx context.Context, p expr.Placeholder, xs data.Vectors, schema vec.Schema) (float64, error) {
	call := expr.Node{Op: expr.Call, Name: p.Kernel, Columns: p.Columns, Pos: p.Pos,
		Args: []expr.Arg{{Name: p.Argument, Kind: expr.WordArg, Text: "median", Pos: p.Pos}}}
	filled, err := vec.Fill(ctx, call, xs, schema)
	if err != nil {
		return 0, err
	}
	return filled.Args[0].Number, nil
}

// spread gives a width one value for each of its columns, all starting where one
// value for all ended.
func (f free) spread(at float64, schema vec.Schema) (free, error) {
	f.starts = []float64{at}
	if !slices.Contains(widths, f.Argument) {
		return f, nil
	}
	index := make([]int, len(schema.Names))
	for j := range index {
		index[j] = j
	}
	if f.Columns != nil {
		var err error
		if index, err = schema.Indices(f.Columns); err != nil {
			return f, err
		}
	}
	f.starts, f.columns = nil, nil
	for _, j := range index {
		f.starts, f.columns = append(f.starts, at), append(f.columns, schema.Names[j])
	}
	return f, nil
}

// spaceOf makes the space of kernels of an expression with free parameters.
func spaceOf(node expr.Node, parameters []free, dictionary expr.Dictionary[[]float64]) tune.Space[[]float64] {
	space := tune.Space[[]float64]{}
	for _, f := range parameters {
		for j, start := range f.starts {
			name := f.Name
			if f.columns != nil {
				name = fmt.Sprintf("%s[%s]", f.Name, f.columns[j])
			}
			space.Parameters = append(space.Parameters, tune.NewParameter(name, start, true))
		}
	}
	space.Build = func(values []float64) (kernel.Kernel[[]float64], error) {
		at, next := 0, 0
		return expr.Build(node.Fill(func(p expr.Placeholder) []float64 {
			if p.Word != "?" {
				return nil
			}
			from := at
			at += len(parameters[next].starts)
			next++
			return values[from:at]
		}), dictionary)
	}
	return space
}

// searchVectors tunes a kernel on vectors. With one value per column it first finds
// the best single value of each width, and starts there.
func searchVectors(ctx context.Context, node expr.Node, in prepared, o tune.Options, perColumn bool) (learner, *Tuned, error) {
	schema, xs := schemaOf(in.steps), in.rows.X
	dictionary := vec.Dictionary(schema)
	node, err := expr.Resolve(node, dictionary)
	if err != nil {
		return nil, nil, err
	}
	if node, err = vec.Fill(ctx, node, xs, schema); err != nil {
		return nil, nil, err
	}
	parameters, err := freeOf(ctx, node, xs, schema)
	if err != nil {
		return nil, nil, err
	}
	points, tuned, err := searchOn(ctx, vectorSpace, spaceOf(node, parameters, dictionary), in, o)
	if err != nil || !perColumn {
		return points, tuned, err
	}
	for i := range parameters {
		if parameters[i], err = parameters[i].spread(tuned.Values[i], schema); err != nil {
			return nil, nil, err
		}
	}
	return searchOn(ctx, vectorSpace, spaceOf(node, parameters, dictionary), in, o)
}

// Assessment is how well tuning and fitting can be expected to do: over given splits,
// the error on the test rows of a model that was prepared, tuned and fitted on the
// training rows alone.
type Assessment struct {
	Splits []AssessedSplit `json:"splits"`
	// Mean is the mean over the splits of the root mean squared test error (averaged
	// over numeric targets), StandardError its standard error.
	Mean          float64 `json:"mean_rmse"`
	StandardError float64 `json:"standard_error"`
}

// AssessedSplit is one split of an assessment.
type AssessedSplit struct {
	Train  int      `json:"train"`
	Test   int      `json:"test"`
	Kernel string   `json:"kernel"`
	Lambda float64  `json:"lambda"`
	Scores []Scores `json:"scores"`
}

// Assess tunes and fits on the training rows of every split, and tests on its test
// rows. Everything that is learned, preparation too, is learned on training rows.
// done is told of every split that is finished; it may be nil.
func Assess(ctx context.Context, t *data.Table, s prep.Spec, text string, search Search, splits []tune.Split, done func(k int, a AssessedSplit)) (*Assessment, error) {
	a := &Assessment{}
	var errs []float64
	for k, split := range splits {
		one, err := assess(ctx, t, s, text, search, split)
		if err != nil {
			return nil, fmt.Errorf("split %d: %w", k+1, err)
		}
		rmse := 0.0
		for _, score := range one.Scores {
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
	return a, nil
}

func assess(ctx context.Context, t *data.Table, s prep.Spec, text string, search Search, split tune.Split) (*AssessedSplit, error) {
	p, tuned, err := Tune(ctx, t.Gather(split.Train), s, text, search)
	if err != nil {
		return nil, err
	}
	o := search.Options.Fit
	m, err := p.Fit(ctx, krr.Options{Lambda: tuned.Lambda, NoIntercept: o.NoIntercept, Compute: o.Compute}, search.Options.Seed)
	if err != nil {
		return nil, err
	}
	prediction, err := m.Test(ctx, t.Gather(split.Test), gram.Options{Workers: o.Compute.Workers})
	if err != nil {
		return nil, err
	}
	scores, err := prediction.Scores()
	if err != nil {
		return nil, err
	}
	return &AssessedSplit{Train: len(split.Train), Test: len(split.Test), Kernel: tuned.Kernel, Lambda: tuned.Lambda, Scores: scores}, nil
}
