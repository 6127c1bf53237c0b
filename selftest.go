package mercer

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
)

// selfTestTolerance bounds how far a self-test prediction may be from the stored one,
// relative to the largest prediction: other machines round exp and sums differently,
// an error of the file or of the program is not that small.
const selfTestTolerance = 1e-9

// inventSelfTest makes up rows that resemble prepared ones, predicts them, and keeps both with
// the model.
func (m *Model) inventSelfTest(ctx context.Context, like *prep.Prepared, o compute.Options) error {
	m.selfTest = &task.SelfTest{Invented: true}
	tables, shuffled, err := task.Invented(m.Function.Kind(), m.Kernel(), m.Prep, like, m.Trained)
	if err != nil {
		return fmt.Errorf("mercer: making up rows for the self-test: %w", err)
	}
	for i, t := range tables {
		if t.Rows() == 0 {
			continue
		}
		g, err := m.testedOn(ctx, t, o)
		if err == nil {
			g.Shuffled = i >= shuffled
		}
		switch {
		case ctx.Err() != nil:
			return fmt.Errorf("mercer: predicting the self-test rows: %w", context.Cause(ctx))
		case err != nil: // the kernel is not defined for such rows
		case g.Telling():
			m.selfTest = g
			return nil
		case len(m.selfTest.Values) == 0:
			m.selfTest = g
		}
	}
	return nil
}

// keepSelfTest predicts the rows of the self-test of another model. Those of files that hold rows
// of the training table are not kept: others are made up, like the points of the function; those
// of a kernel on row ids are looked up by its points, too.
func (m *Model) keepSelfTest(ctx context.Context, of *task.SelfTest, o compute.Options) error {
	m.selfTest = &task.SelfTest{Invented: true}
	if len(of.Values) == 0 {
		return nil
	}
	if of.Invented && m.Function.Kind() != task.OnRowIDs {
		t := of.Table()
		m.Prep.Relevel(t)
		g, err := m.testedOn(ctx, t, o)
		if err != nil {
			return fmt.Errorf("mercer: predicting the self-test rows: %w", err)
		}
		g.Shuffled = of.Shuffled
		m.selfTest = g
		return nil
	}
	if like, ok := m.Function.Prepared(m.Prep); ok || m.Function.Kind() == task.OnRowIDs {
		return m.inventSelfTest(ctx, like, o)
	}
	return nil
}

// testedOn returns a self-test on the rows of a table.
func (m *Model) testedOn(ctx context.Context, t *data.Table, o compute.Options) (*task.SelfTest, error) {
	g := task.NewSelfTest(t)
	p, err := m.predictDouble(ctx, t, o)
	if err != nil {
		return nil, err
	}
	for i := range t.Rows() {
		g.Values = append(g.Values, append([]float64(nil), p.Values.RawRowView(i)...))
	}
	return g, nil
}

// predictDouble predicts in double precision, whatever that of the fit was: single
// precision deviates by more than [selfTestTolerance].
func (m *Model) predictDouble(ctx context.Context, t *data.Table, o compute.Options) (*outcome.Prediction, error) {
	o.Precision = compute.Double
	return m.Predict(ctx, t, o)
}

// Verification is the outcome of a self-test.
type Verification struct {
	Rows  int     `json:"rows"`  // self-test rows predicted again
	Worst float64 `json:"worst"` // largest deviation relative to the largest prediction
	Bound float64 `json:"bound"` // what is allowed
}

// Verify predicts the self-test rows again and compares: an error means that this file
// does not say on this machine what it said when it was made.
func (m *Model) Verify(ctx context.Context, o compute.Options) (*Verification, error) {
	v := &Verification{Rows: len(m.selfTest.Values), Bound: selfTestTolerance}
	if v.Rows == 0 {
		return v, nil
	}
	p, err := m.predictDouble(ctx, m.selfTest.Table(), o)
	if err != nil {
		return nil, fmt.Errorf("mercer: the model cannot predict its own self-test rows: %w", err)
	}
	if rows, outputs := p.Values.Dims(); rows != v.Rows || outputs != len(m.selfTest.Values[0]) {
		return nil, fmt.Errorf("mercer: the model predicts %d×%d self-test values and holds %d×%d", rows, outputs, v.Rows, len(m.selfTest.Values[0]))
	}
	largest := 0.0
	for i, want := range m.selfTest.Values {
		for j, w := range want {
			largest = math.Max(largest, math.Abs(w))
			v.Worst = math.Max(v.Worst, math.Abs(w-p.Values.At(i, j)))
		}
	}
	if largest > 0 {
		v.Worst /= largest
	}
	if !(v.Worst <= v.Bound) {
		return v, fmt.Errorf("mercer: self-test rows are predicted with a relative deviation of %.3g, more than %.3g: the file or the program has changed; fit the model again", v.Worst, v.Bound)
	}
	return v, nil
}
