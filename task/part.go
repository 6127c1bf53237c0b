package task

import (
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"gonum.org/v1/gonum/mat"
)

// Part returns the problem on some of its rows, ascending.
func (p *Task) Part(rows []int) *Task {
	q := *p
	prepared := *p.Rows
	prepared.X, prepared.Streamed, prepared.Rows = gather(p.Rows, rows), nil, data.Pick(p.Rows.Rows, rows)
	if p.Rows.Y != nil {
		_, m := p.Rows.Y.Dims()
		prepared.Y = mat.NewDense(len(rows), m, nil)
		for to, from := range rows {
			prepared.Y.SetRow(to, p.Rows.Y.RawRowView(from))
		}
	}
	if p.Rows.W != nil {
		prepared.W = data.Pick(p.Rows.W, rows)
	}
	if p.Rows.IDs != nil {
		prepared.IDs = data.Pick(p.Rows.IDs, rows)
	}
	q.Rows, q.Points = &prepared, p.Points.part(slices.Clone(rows))
	return &q
}

// gather returns the vectors of some rows.
func gather(from *prep.Prepared, rows []int) data.Vectors {
	if from.Streamed != nil {
		return from.Streamed.Gather(rows)
	}
	return from.X.Gather(rows)
}

// EvenSample returns the problem on an even sample of so many rows.
func (p *Task) EvenSample(rows int) *Task {
	n := p.Points.Size()
	some := make([]int, min(n, rows))
	for i := range some {
		some[i] = i * n / len(some)
	}
	return p.Part(some)
}
