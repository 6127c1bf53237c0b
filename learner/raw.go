package learner

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/task"
)

// PredictRaw returns the raw predictions of prepared rows, of which it reads the points alone.
func (f *Fitted) PredictRaw(ctx context.Context, rows *prep.Prepared, a outcome.Asked, o compute.Options) (*outcome.Raw, error) {
	values, err := f.Function.Predict(ctx, rows, o)
	if err != nil {
		return nil, err
	}
	if f.Decision.Rule == outcome.Ordered {
		erm.Rearrange(values)
	}
	for i := range rows.Rows {
		for _, v := range values.RawRowView(i) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("learner: the prediction of row %s is %v: the kernel %s has no finite value between it and some training row", task.RowName(rows, i), v, f.Function.Text())
			}
		}
	}
	p := f.prediction(rows, values)
	if s, ok := StateOf[Averages](f); ok && len(rows.Rows) > 0 {
		if err := s.Average(ctx, f, p, o); err != nil {
			return nil, err
		}
	}
	raw := &outcome.Raw{Values: values, Averages: p.Averages}
	if s, ok := StateOf[Intervals](f); ok && a.Level > 0 {
		lo, hi, err := s.Intervals(ctx, f, p, a.Level, a.Method, o)
		if err != nil {
			return nil, err
		}
		raw.Intervals = &outcome.Intervals{Asked: a, Lo: lo, Hi: hi}
	}
	return raw, nil
}
