package mercer

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
)

const (
	// predictedBytes is what the features of the rows that are predicted at a time may take.
	predictedBytes = 32 << 20
	// predictedRuns is how many times as many rows one worker predicts.
	predictedRuns = 4
)

// PredictBlocks is [Model.Predict] of a table of which a block at a time is in memory: use is given
// the predictions of runs of rows, in their order, with the intervals that are asked for where the
// method has its own. It returns what the user should know of the rows.
func (m *Model) PredictBlocks(ctx context.Context, b data.Blocks, a outcome.Asked, o compute.Options, use func(*outcome.Prediction) error) (notes []string, err error) {
	rows, err := m.Prep.ApplyBlocks(ctx, b, false)
	if err != nil {
		return nil, err
	}
	err = m.eachRun(ctx, b, rows, m.answered(a), o, use)
	return rows.Notes, err
}

// TestBlocks is [Model.Test] of a table of which a block at a time is in memory: the predictions
// and the targets of all rows, without their features.
func (m *Model) TestBlocks(ctx context.Context, b data.Blocks, o compute.Options) (*outcome.Prediction, error) {
	rows, err := m.Prep.ApplyBlocks(ctx, b, true)
	if err != nil {
		return nil, err
	}
	return m.onAll(ctx, b, rows, o)
}

// onAll puts the predictions of all runs of rows together.
func (m *Model) onAll(ctx context.Context, b data.Blocks, rows *prep.Prepared, o compute.Options) (*outcome.Prediction, error) {
	var all *outcome.Prediction
	first := 0
	err := m.eachRun(ctx, b, rows, outcome.Asked{}, o, func(p *outcome.Prediction) error {
		if all == nil {
			whole := *p.Learned()
			all = &whole
			all.Rows, all.Values, all.Averages = rows, grown(p.Values, len(rows.Rows)), grown(p.Averages, len(rows.Rows))
		}
		n, _ := p.Values.Dims()
		into(all.Values, p.Learned().Values, first)
		into(all.Averages, p.Averages, first)
		first += n
		return nil
	})
	if err != nil || all == nil {
		return nil, err
	}
	return all.InUnits(), nil
}

// grown returns a matrix of n rows as wide as another; nil for nil.
func grown(like *mat.Dense, n int) *mat.Dense {
	if like == nil {
		return nil
	}
	_, cols := like.Dims()
	return mat.NewDense(n, cols, nil)
}

// into copies a matrix into the rows of another, from one on.
func into(dst, src *mat.Dense, first int) {
	if src == nil {
		return
	}
	n, cols := src.Dims()
	dst.Slice(first, first+n, 0, cols).(*mat.Dense).Copy(src)
}

// eachRun predicts the rows of a table run by run.
func (m *Model) eachRun(ctx context.Context, b data.Blocks, rows *prep.Prepared, a outcome.Asked, o compute.Options, use func(*outcome.Prediction) error) error {
	if n, ok := learner.StateOf[learner.RowNoise](m.Fitted); ok && n.NoiseColumn() != "" {
		return fmt.Errorf("mercer: the model reads the noise of every row in column %s, and the table is read in passes: read it at once", n.NoiseColumn())
	}
	ctx, read := task.CancelOnReadError(ctx, rows)
	n := len(rows.Rows)
	step := max(256, min(outcome.RunRows, predictedBytes/8/max(1, rows.Streamed.Dim())))
	one := func(from, to int, raw *outcome.Raw) (err error) {
		run := rows.Between(from, to)
		run.X = rows.Streamed.Run(from, to).(data.Vectors)
		var p *outcome.Prediction
		if raw == nil {
			p, err = m.Fitted.Predict(ctx, m.prepared(b, run), a, o)
		} else {
			p, err = m.Interpret(m.prepared(b, run), raw)
		}
		rows.Notes = append(rows.Notes, run.Notes...)
		if err == nil && rows.Streamed.Err() == nil {
			err = use(p)
		}
		return err
	}
	sent, err := m.elsewhere(ctx, b, rows, a, step, one)
	for from := 0; from < n && err == nil && !sent; from += step {
		err = one(from, min(n, from+step), nil)
	}
	return read(err)
}

// On applies a model to the rows that it was learned from.
func (m *Model) On(ctx context.Context, p *task.Task, o compute.Options) (*outcome.Prediction, error) {
	if p.Streamed() {
		return m.onAll(ctx, p.Blocks, p.Rows, o)
	}
	return m.apply(ctx, p.Blocks, p.Rows, o)
}

// OnEach passes on what [Model.On] returns, in runs of rows, in their order; of rows that are read
// in passes those of one run at a time are in memory.
func (m *Model) OnEach(ctx context.Context, p *task.Task, o compute.Options, use func(*outcome.Prediction) error) error {
	if p.Streamed() {
		return m.eachRun(ctx, p.Blocks, p.Rows, outcome.Asked{}, o, use)
	}
	all, err := m.On(ctx, p, o)
	if err != nil {
		return err
	}
	return all.Runs(use)
}
