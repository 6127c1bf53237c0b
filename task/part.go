package task

import (
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/pass"
	"gonum.org/v1/gonum/mat"
)

// Part returns the problem on some of its rows, ascending. Rows in a file stay there.
func (p *Task) Part(rows []int) *Task {
	points := p.Points.part(slices.Clone(rows))
	if !p.Streamed() {
		return p.withRows(rows, points, p.Rows.X.Gather(rows), nil)
	}
	vectors, _ := VectorPoints(points)
	return p.withRows(rows, points, data.Vectors{}, pass.Here(vectors.Set.(data.Rows)).(*prep.Streamed))
}

// withRows returns the problem on some of its rows, whose points and vectors these are.
func (p *Task) withRows(rows []int, points Points, x data.Vectors, streamed *prep.Streamed) *Task {
	q := *p
	prepared := *p.Rows
	prepared.X, prepared.Streamed, prepared.Rows = x, streamed, data.Pick(p.Rows.Rows, rows)
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
	q.Rows, q.Points = &prepared, points
	return &q
}

// EvenSample returns the problem on an even sample of so many rows, in memory.
func (p *Task) EvenSample(rows int) *Task {
	some := data.Even(p.Points.Size(), rows)
	if !p.Streamed() {
		return p.Part(some)
	}
	vectors, _ := VectorPoints(p.Points)
	x := p.Rows.Streamed.Gather(some)
	vectors.Set = x
	return p.withRows(some, vectors.Any(), x, nil)
}
