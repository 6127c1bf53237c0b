package pipeline

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/linalg"
	"example.org/mercer/model"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/task"
)

// Method is one way to learn, with its options: one of the types of this package that
// wrap the options of a method package, such as [KRR].
type Method interface {
	// Name is what the command and the model file call the method.
	Name() string
	// fit learns from a problem.
	fit(ctx context.Context, p *task.Task) (*learned, error)
	// plan predicts memory and time of fit on this machine.
	plan(ctx context.Context, p *task.Task) (compute.Plan, error)
	// compute returns how the method computes.
	compute() compute.Options
}

// Report is what a method tells of a fit: a *[krr.Report], a *[svm.Report], …
type Report interface {
	// Ran returns the stages and the warnings.
	Ran() *model.Run
	// Lines returns what people read of it.
	Lines() []model.Line
}

// learned is what a method makes of a problem.
type learned struct {
	f        task.Function
	decision outcome.Decision
	report   Report
	trained  []int    // the rows that f stands on; nil: all
	names    []string // what f stands on where these are no rows
	// What a removal of rows needs, see removal.go.
	noIntercept bool
	loo         *mat.Dense
	// scores are the conformal scores of the rows; nil: not wanted.
	scores   *mat.Dense
	weighted bool // the weights of the rows are needed, too
	// What rows that come and go need, see update.go.
	targets *mat.Dense
	factor  *linalg.UpdatableFactor
	summed  *summed
	noise   rowNoise
	// cache of the variances of a process; nil: none.
	cache *gp.LowRankCache
	// latent is the covariance of the decision Averaged.
	latent *gp.LaplaceCovariance
	// inWeights is the same in the weights of features.
	inWeights *latentWeights
	exact     bool // f is of the kernel itself, although landmarks or features stood for it
	// sparse is what a process on landmarks needs for its variances.
	sparse *sparseProcess
}

// readReport reads the report of a method from a model file, for a function with a
// number of outputs.
type readReport func(text json.RawMessage, outputs int) (Report, error)

// reports has the reader of every method that a model file may name.
var reports = map[string]readReport{}

// register makes the models of a method readable. It is called from the file of the
// method, so that all that is special about a method stands there.
func register(read readReport, names ...string) struct{} {
	for _, name := range names {
		reports[name] = read
	}
	return struct{}{}
}

// plainReport reads a report of which nothing has to be checked.
func plainReport[R any, P interface {
	*R
	Report
}](text json.RawMessage, _ int) (Report, error) {
	r := P(new(R))
	return r, json.Unmarshal(text, r)
}

// decodeReport reads the report of a method.
func decodeReport(method string, text json.RawMessage, outputs int) (Report, error) {
	read, known := reports[method]
	if !known {
		return nil, fmt.Errorf("the model was made by method %q, which this version (%s) does not know", method, model.Version)
	}
	r, err := read(text, outputs)
	if err != nil {
		return nil, fmt.Errorf("the report of the model: %w", err)
	}
	return r, nil
}

// timeless returns the JSON of a report without the times, so that the same fit gives
// the same bytes.
func timeless(r Report) (json.RawMessage, error) {
	copied := reflect.New(reflect.TypeOf(r).Elem())
	copied.Elem().Set(reflect.ValueOf(r).Elem())
	run := copied.Interface().(Report).Ran()
	run.Stages, run.Seconds = nil, 0
	return json.Marshal(copied.Interface())
}

// allAmong returns an error unless all labels of a target are among the rows that a method
// was given, of which it found the first m: without the others it has fewer outputs.
func allAmong(t prep.Target, m int) error {
	if m != len(t.Labels) {
		return fmt.Errorf("pipeline: %d of the %d labels of target %s are among these rows, and all are needed: take fewer folds, or leave rare labels out", m, len(t.Labels), t.Name)
	}
	return nil
}
