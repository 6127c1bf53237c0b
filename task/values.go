package task

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/model"
	"example.org/mercer/pass"
)

// Values returns f(xᵢ) of the rows, n×m. Rows that stay in their file are read in one pass, which
// their driver makes, if they have one.
func (p *Task) Values(ctx context.Context, f Function, o compute.Options) (values *mat.Dense, err error) {
	p.Points.Visit(Visitor{
		Vectors: func(l TypedPoints[[]float64]) { values, err = valuesOn(ctx, l, f, o) },
		IDs:     func(l TypedPoints[string]) { values, err = valuesOn(ctx, l, f, o) },
		Records: func(l TypedPoints[record.Record]) { values, err = valuesOn(ctx, l, f, o) },
	})
	return values, err
}

// valuesOn is [Task.Values] for points of one type.
func valuesOn[T any](ctx context.Context, l TypedPoints[T], f Function, o compute.Options) (*mat.Dense, error) {
	found, ok := l.FunctionOf(f)
	if !ok {
		return nil, errors.New("task: the function is one of other points")
	}
	if rows, ok := any(l.Set).(data.Rows); !ok || pass.InMemory(rows) {
		return found.Predictor.Predict(ctx, l.Set, o)
	}
	switch f := found.Predictor.(type) {
	case *model.Expansion[T]:
		out := new(mat.Dense)
		err := gram.Columns(f.Kernel, f.Points, kernel.BindColumns(f.Kernel, f.Points), l.Set, o).Mul(ctx, out, f.Coef)
		return plus(out, f.Bias), err
	case *model.Primal[T]:
		phi, ok := design.Of[T](f.Kernel, l.Set)
		if !ok {
			return nil, fmt.Errorf("task: the kernel %s has no features here", f.Kernel)
		}
		out := mat.NewDense(phi.Rows, f.W.RawMatrix().Cols, nil)
		err := phi.Blocks().Multiply(ctx, out, f.W, o)
		return plus(out, f.Bias), err
	}
	return found.Predictor.Predict(ctx, l.Set, o)
}

// plus adds constants to the columns of values; nil are zeros.
func plus(values *mat.Dense, bias []float64) *mat.Dense {
	if bias == nil {
		return values
	}
	for i := range values.RawMatrix().Rows {
		floats.Add(values.RawRowView(i), bias)
	}
	return values
}
