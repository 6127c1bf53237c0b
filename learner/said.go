package learner

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data/prep"
	"example.org/mercer/outcome"
	"example.org/mercer/supervised/erm"
	"example.org/mercer/task"
)

// Said is what a model says of rows by its kernel, in the units in which it has learned: numbers of
// each row. What a prediction has beside them needs no kernel.
type Said struct {
	Values    *mat.Dense         // of the function, rows × outputs
	Averages  *mat.Dense         // over a posterior, rows × classes; nil: the model has none
	Intervals *outcome.Intervals // nil: none are asked for
}

// Say says it of prepared rows, of which it reads the points alone.
func (f *Fitted) Say(ctx context.Context, rows *prep.Prepared, a outcome.Asked, o compute.Options) (*Said, error) {
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
	said := &Said{Values: values, Averages: p.Averages}
	if s, ok := StateOf[Intervals](f); ok && a.Level > 0 {
		lo, hi, err := s.Intervals(ctx, f, p, a.Level, a.Method, o)
		if err != nil {
			return nil, err
		}
		said.Intervals = &outcome.Intervals{Asked: a, Lo: lo, Hi: hi}
	}
	return said, nil
}

// Numbers returns those of each row, one row after the other: values, lower and upper bounds, and
// averages, as far as there are such.
func (s *Said) Numbers() []float64 {
	parts := []*mat.Dense{s.Values}
	if s.Intervals != nil {
		parts = append(parts, s.Intervals.Lo, s.Intervals.Hi)
	}
	if s.Averages != nil {
		parts = append(parts, s.Averages)
	}
	rows, _ := s.Values.Dims()
	var out []float64
	for i := range rows {
		for _, p := range parts {
			out = append(out, p.RawRowView(i)...)
		}
	}
	return out
}

// SaidBy returns what the numbers of some rows say, of which a model with so many outputs was asked.
func SaidBy(numbers *mat.Dense, outputs int, a outcome.Asked) *Said {
	rows, columns := numbers.Dims()
	next := 0
	take := func(width int) *mat.Dense {
		next += width
		return mat.DenseCopyOf(numbers.Slice(0, rows, next-width, next))
	}
	s := &Said{Values: take(outputs)}
	if a.Level > 0 {
		s.Intervals = &outcome.Intervals{Asked: a, Lo: take(outputs), Hi: take(outputs)}
	}
	if next < columns {
		s.Averages = take(columns - next)
	}
	return s
}
