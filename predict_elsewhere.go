package mercer

import (
	"bytes"
	"context"
	"encoding/gob"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/kernel"
	"example.org/mercer/outcome"
	"example.org/mercer/pass"
	"example.org/mercer/task"
)

func init() { gob.Register(rawJob{}) }

// rawJob are the raw predictions of rows, Step of them at a time.
type rawJob struct {
	Model sentModel
	Asked outcome.Asked
	Step  int
}

// Run returns the numbers of each row.
func (j rawJob) Run(ctx context.Context, _ kernel.Kernel[[]float64], rows data.Rows, p pass.Piece, _ []float64, o compute.Options) (r pass.Result, err error) {
	for from := p.From; from < p.To; from += j.Step {
		to := min(from+j.Step, p.To)
		xs, ok := data.Run(rows, from, to).(data.Vectors)
		if !ok {
			return r, fmt.Errorf("mercer: rows of %T have no run of vectors", rows)
		}
		raw, err := j.Model.PredictRaw(ctx, &prep.Prepared{X: xs, Rows: data.Range(from, to)}, j.Asked, o)
		if err != nil {
			return r, fmt.Errorf("rows %d to %d: %w", from+1, to, err)
		}
		r.Rows = append(r.Rows, raw.Numbers()...)
	}
	return r, nil
}

// sentModel is a model that is sent as its file.
type sentModel struct{ *Model }

// GobEncode writes the model.
func (s sentModel) GobEncode() ([]byte, error) {
	var out bytes.Buffer
	err := s.Write(&out)
	return out.Bytes(), err
}

// GobDecode reads it.
func (s *sentModel) GobDecode(content []byte) (err error) {
	s.Model, err = Decode("the model of a pass", content, task.Files{})
	return err
}

// featuresOf returns prepared rows of a table, with the driver of that if it has one.
func (m *Model) featuresOf(b data.Blocks, rows *prep.Prepared) (data.Rows, error) {
	table, ok := b.(pass.Table)
	if !ok || rows.Streamed == nil {
		return rows.Vectors(), nil
	}
	driver, err := table.Driver(m.Prep, rows.Streamed)
	if err != nil {
		return nil, err
	}
	return pass.Over(rows.Streamed, driver), nil
}

// elsewhere has the model applied to the rows of a table where these are, and passes the raw
// predictions of runs of so many rows on, in their order. ok is false where that is here.
func (m *Model) elsewhere(ctx context.Context, b data.Blocks, rows *prep.Prepared, a outcome.Asked, step int, use func(from, to int, raw *outcome.Raw) error) (ok bool, err error) {
	if len(rows.Rows) == 0 {
		return false, nil
	}
	xs, err := m.featuresOf(b, rows)
	sender := pass.Elsewhere(xs)
	if err != nil || sender == nil {
		return err != nil, err
	}
	outputs := len(m.Decision.Outputs)
	_, err = sender.Run(ctx, rawJob{sentModel{m}, a, step}, pass.Pieces(len(rows.Rows), step, predictedRuns), nil, func(p pass.Piece, numbers []float64) error {
		each := len(numbers) / (p.To - p.From)
		if each < outputs || each*(p.To-p.From) != len(numbers) {
			return fmt.Errorf("mercer: %d numbers of %d rows, and the model has %d outputs", len(numbers), p.To-p.From, outputs)
		}
		for from := p.From; from < p.To; from += step {
			to := min(from+step, p.To)
			run := mat.NewDense(to-from, each, numbers[(from-p.From)*each:(to-p.From)*each])
			if err := use(from, to, outcome.RawOf(run, outputs, a)); err != nil {
				return err
			}
		}
		return nil
	})
	return true, err
}
