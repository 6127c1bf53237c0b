package mercer

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/outcome"
	"example.org/mercer/task"
)

// selfTestTolerance bounds how far a self-test prediction may be from the stored one,
// relative to the largest prediction: other machines round exp and sums differently,
// an error of the file or of the program is not that small.
const selfTestTolerance = 1e-9

// predictSelfTest predicts the self-test rows and keeps them with the model.
func (m *Model) predictSelfTest(ctx context.Context, t *task.SelfTestTable, o compute.Options) error {
	g := &task.SelfTest{Headed: t.Headed, Names: t.Names}
	for _, c := range t.Columns {
		g.Columns = append(g.Columns, task.SelfTestColumn{Name: c.Name, Kind: c.Kind.String(), Numbers: c.Numbers, Strings: c.Strings})
	}
	if t.Rows() > 0 {
		p, err := m.predictDouble(ctx, t.Table, o)
		if err != nil {
			return fmt.Errorf("mercer: predicting the self-test rows: %w", err)
		}
		for i := range t.Rows() {
			g.Values = append(g.Values, append([]float64(nil), p.Values.RawRowView(i)...))
		}
	}
	m.selfTest = g
	return nil
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
	p, err := m.predictDouble(ctx, m.selfTest.Table().Table, o)
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
