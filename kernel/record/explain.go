package record

import (
	"context"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/construction"
	"example.org/mercer/kernel/explanation"
)

// Explain returns the explanation of the kernel on the cells, with the column of the part.
func (k Part[T]) Explain(ctx context.Context, points data.Set[Record], coef []float64) (explanation.Function[Record], error) {
	e, ok := k.Of.(kernel.Explainable[T])
	if !ok {
		return nil, explanation.NoFeatures(k)
	}
	g, err := e.Explain(ctx, k.cells(points), coef)
	if err != nil {
		return nil, err
	}
	return explanation.Mapping[Record, T]{Of: g, By: k.By, Edit: func(s *explanation.Split) {
		s.Term, s.Column = s.Term+k.selection(), k.Column
	}}, nil
}

// Occludes returns the column, if the kernel knows how to make a place of a cell unknown.
func (k Part[T]) Occludes() (string, error) {
	_, err := kernel.Occludes(k.Of)
	return k.Column, err
}

// Places returns those of the cell.
func (k Part[T]) Places(x Record) []explanation.Place {
	return k.Of.(kernel.Occludable[T]).Places(k.By(x))
}

// Occlude returns the record with another cell.
func (k Part[T]) Occlude(x Record, place int) Record {
	cells := append([]any(nil), x.Cells...)
	cells[k.Slot] = k.Of.(kernel.Occludable[T]).Occlude(k.By(x), place)
	return Record{Numbers: x.Numbers, Cells: cells}
}

// Explain returns the explanation of the kernel on the numbers.
func (k Numbers) Explain(ctx context.Context, points data.Set[Record], coef []float64) (explanation.Function[Record], error) {
	e, ok := k.Of.(kernel.Explainable[[]float64])
	if !ok {
		return nil, explanation.NoFeatures(k)
	}
	var numbers data.Set[[]float64]
	if r, ok := points.(*Records); ok {
		numbers = r.Numbers
	} else {
		list := make(data.Slice[[]float64], points.Len())
		for i := range list {
			list[i] = points.At(i).Numbers
		}
		numbers = list
	}
	g, err := e.Explain(ctx, numbers, coef)
	if err != nil {
		return nil, err
	}
	return explanation.Mapping[Record, []float64]{Of: g, By: k.By, Edit: func(*explanation.Split) {}}, nil
}

// FeatureConstruction is that of the kernel on the cell, with the column.
func (k Part[T]) FeatureConstruction(like Record) (construction.Features[Record], error) {
	made, err := k.Composed.FeatureConstruction(like)
	if err != nil {
		return nil, err
	}
	return construction.OfColumn(made, k.Column), nil
}
