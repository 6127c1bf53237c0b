package learner

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/dkl"
	"example.org/mercer/task"
)

// Fitted is what a method makes of a task.
type Fitted struct {
	Function task.Function
	// Decision says how the outputs of the function answer the targets.
	Decision outcome.Decision
	Report   Report
	// NoIntercept says that the fit had no free constant.
	NoIntercept bool
	// States are what is kept beside the function.
	States []State
	// Weights are those of the training rows, where a state needs them; nil: all 1.
	Weights []float64

	Rows  []int    // the training rows that the function stands on; nil: all
	Names []string // of what it stands on where these are no rows
	// Exact says that the function is of the kernel itself, although landmarks or features stood
	// for it.
	Exact bool
	// Landmarks is the approximation by landmarks of a kernel that the method found; nil: that of
	// the task.
	Landmarks *task.LandmarkMap
	// Network says how the network of the kernel was learned before; nil: there was none to learn.
	Network *dkl.Report
}

// RowNoise is a state of rows that have noise of their own.
type RowNoise interface {
	State
	// NoiseColumn is the column of the table that has its variances; "": there is none.
	NoiseColumn() string
	// NoiseOf returns the variances of some rows of a table; nil where it does not have them.
	NoiseOf(t *data.Table, rows []int) ([]float64, error)
}

// Averages is a state of a method whose outcome is averaged over a posterior.
type Averages interface {
	State
	// Average puts the Averages in a prediction.
	Average(ctx context.Context, f *Fitted, p *outcome.Prediction, o compute.Options) error
}

// Predict applies the function to prepared rows of a table. Targets that are learned by functions
// of them come in the units of their columns.
func (f *Fitted) Predict(ctx context.Context, in task.PreparedTable, a outcome.Asked, o compute.Options) (*outcome.Prediction, error) {
	raw, err := f.PredictRaw(ctx, in.Rows, a, o)
	if err != nil {
		return nil, in.Placed(err, f.Function.Text(), f.Function.Kind())
	}
	return f.Interpret(in, raw)
}

// Interpret returns the prediction that numbers of prepared rows of a table make.
func (f *Fitted) Interpret(in task.PreparedTable, raw *outcome.Raw) (*outcome.Prediction, error) {
	rows := in.Rows
	note, err := in.DegenerateRows(f.Function.Kind(), f.Function.Text(), func() (kernel.Pairs, error) { return f.Function.BindRows(rows) })
	if err != nil {
		return nil, err
	}
	if note != "" {
		rows.Notes = append(rows.Notes, note)
	}
	p := f.prediction(rows, raw.Values)
	p.Targets, p.Averages, p.Intervals = in.Steps.Targets(), raw.Averages, raw.Intervals
	if n, ok := StateOf[RowNoise](f); ok {
		if p.Noise, err = n.NoiseOf(in.Table, rows.Rows); err != nil {
			return nil, err
		}
	}
	return p.InUnits(), nil
}

// prediction is one of values alone.
func (f *Fitted) prediction(rows *prep.Prepared, values *mat.Dense) *outcome.Prediction {
	return &outcome.Prediction{Rows: rows, Values: values, Outputs: f.Decision.Outputs, Decision: f.Decision}
}

// crossRows is the number of rows of a prediction whose kernel values against the training rows
// are in memory at a time.
const crossRows = 1024

// Cross returns the kernel values of some rows of a prediction with the training rows.
func (f *Fitted) Cross(ctx context.Context, p *outcome.Prediction, rows []int, o compute.Options) (*mat.Dense, error) {
	pairs, err := f.Function.Cross(p.Rows, rows)
	if err != nil {
		return nil, err
	}
	var cross mat.Dense
	return &cross, gram.Rect(ctx, &cross, pairs, o)
}

// EachCross calls use for a part of the rows of a prediction after the other, with their
// k(x, x) and their kernel values against the training rows.
func (f *Fitted) EachCross(ctx context.Context, p *outcome.Prediction, o compute.Options, use func(from, to int, prior []float64, cross *mat.Dense) error) error {
	for from := 0; from < len(p.Rows.Rows); from += crossRows {
		rows := data.Range(from, min(from+crossRows, len(p.Rows.Rows)))
		cross, err := f.Cross(ctx, p, rows, o)
		if err != nil {
			return err
		}
		prior := make([]float64, len(rows))
		if err := f.Function.Diagonal(prior, p.Rows, rows); err != nil {
			return err
		}
		if err := use(from, from+len(rows), prior, cross); err != nil {
			return err
		}
	}
	return nil
}
