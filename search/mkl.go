package search

import (
	"context"
	"errors"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/kernel/record"
	"example.org/mercer/supervised/mkl"
	"example.org/mercer/task"
)

// Weigh finds weights for the terms of the problem's kernel by its targets and row
// weights, and returns the weighted kernel as an expression; see [mkl.Weigh]. Numbers
// are targets for the alignments alone.
func Weigh(ctx context.Context, p *task.Task, o mkl.Options) (string, *mkl.Report, error) {
	y, err := p.Targets()
	if err != nil {
		return "", nil, err
	}
	if o.Method == mkl.EasyMKL {
		if _, _, err := p.Classes(); err != nil {
			return "", nil, errors.Join(errors.New("search: EasyMKL weighs kernels that tell classes apart; use an alignment for numbers"), err)
		}
	}
	o.Weights = p.Rows.W
	return weighTerms(ctx, p.Points, y, o)
}

func weighOn[T any](ctx context.Context, l task.TypedPoints[T], y *mat.Dense, o mkl.Options) (string, *mkl.Report, error) {
	k, r, err := mkl.Weigh(ctx, l.Kernel, l.Set, y, o)
	if err != nil {
		return "", nil, err
	}
	return k.String(), r, nil
}

// weighTerms is [weighOn] for points of any type.
func weighTerms(ctx context.Context, rows task.Points, y *mat.Dense, o mkl.Options) (text string, report *mkl.Report, err error) {
	rows.Visit(task.Visitor{
		Vectors: func(l task.TypedPoints[[]float64]) { text, report, err = weighOn(ctx, l, y, o) },
		IDs:     func(l task.TypedPoints[string]) { text, report, err = weighOn(ctx, l, y, o) },
		Records: func(l task.TypedPoints[record.Record]) { text, report, err = weighOn(ctx, l, y, o) },
	})
	return text, report, err
}
