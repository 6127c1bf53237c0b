package pipeline

import (
	"slices"

	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"gonum.org/v1/gonum/mat"
)

// part returns the problem on some of its rows, ascending.
func (p *Problem) part(rows []int) *Problem {
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
	q.Rows, q.points = &prepared, p.points.part(slices.Clone(rows))
	return &q
}

// gather returns the vectors of some rows.
func gather(from *prep.Prepared, rows []int) data.Vectors {
	if from.Streamed != nil {
		return from.Streamed.Gather(rows)
	}
	return from.X.Gather(rows)
}

// few returns the problem on an even sample of so many rows.
func (p *Problem) few(rows int) *Problem {
	n := p.points.size()
	some := make([]int, min(n, rows))
	for i := range some {
		some[i] = i * n / len(some)
	}
	return p.part(some)
}
