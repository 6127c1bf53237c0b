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
	"example.org/mercer/learner"
	"example.org/mercer/pass"
	"example.org/mercer/task"
)

func init() { gob.Register(valuesJob{}) }

// valuesJob computes the values of a model's function at rows, Step of them at a time.
type valuesJob struct {
	Model sentModel
	Step  int
}

// Run returns the values of each row.
func (j valuesJob) Run(ctx context.Context, _ kernel.Kernel[[]float64], rows data.Rows, p pass.Piece, _ []float64, o compute.Options) (r pass.Result, err error) {
	for from := p.From; from < p.To; from += j.Step {
		to := min(from+j.Step, p.To)
		xs, ok := data.Run(rows, from, to).(data.Vectors)
		if !ok {
			return r, fmt.Errorf("mercer: rows of %T have no run of vectors", rows)
		}
		values, err := j.Model.Function.Predict(ctx, &prep.Prepared{X: xs, Rows: data.Range(from, to)}, o)
		if err != nil {
			return r, fmt.Errorf("rows %d to %d: %w", from+1, to, err)
		}
		r.Rows = append(r.Rows, values.RawMatrix().Data...)
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

// elsewhere has the values of the rows of a table computed where these are, and passes them on in
// runs of so many rows, in their order. ok is false where that is here, or where more than the
// values of a row needs the kernel.
func (m *Model) elsewhere(ctx context.Context, b data.Blocks, rows *prep.Prepared, step int, use func(from, to int, values *mat.Dense) error) (ok bool, err error) {
	table, ok := b.(pass.Table)
	if _, averaged := learner.StateOf[learner.Averages](m.Fitted); !ok || averaged || len(rows.Rows) == 0 {
		return false, nil
	}
	driver, err := table.Driver(m.Prep, rows.Streamed)
	if err != nil {
		return true, err
	}
	sender := pass.Elsewhere(pass.Over(rows.Streamed, driver))
	outputs := len(m.Decision.Outputs)
	_, err = sender.Run(ctx, valuesJob{sentModel{m}, step}, pass.Pieces(len(rows.Rows), step, predictedRuns), nil, func(p pass.Piece, values []float64) error {
		if len(values) != outputs*(p.To-p.From) {
			return fmt.Errorf("mercer: %d values of %d rows, and the model has %d outputs", len(values), p.To-p.From, outputs)
		}
		for from := p.From; from < p.To; from += step {
			to := min(from+step, p.To)
			if err := use(from, to, mat.NewDense(to-from, outputs, values[(from-p.From)*outputs:(to-p.From)*outputs])); err != nil {
				return err
			}
		}
		return nil
	})
	return true, err
}
