package svm

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"mercer/gram"
)

// refresh adds to the gradients of the rows outside of the part what they owe to the
// coefficients that have changed since they were as given.
func (s *search[F]) refresh(ctx context.Context, known [][]float64) error {
	j := s.j
	in, place := s.inside(), make([]int, len(j.order))
	var outside []int
	for row := range place {
		if place[row] = len(outside); !in[row] {
			outside = append(outside, row)
		}
	}
	if len(outside) == 0 {
		return nil
	}
	moved, steps := j.changes(known)
	if len(moved) == 0 {
		return nil
	}
	o := j.o.Compute
	o.Precision = gram.Single
	f, err := j.src.product(ctx, j.rows(outside), j.rows(moved), false, steps, o)
	if err != nil {
		return err
	}
	j.report.Evaluations += int64(len(outside)) * int64(len(moved))
	for i, m := range j.machines {
		m.shift(func(row int) float64 {
			if in[row] {
				return 0
			}
			return f.At(place[row], i)
		})
	}
	j.watch.Lap(&j.report.Run, "outside")
	return nil
}

// coefs returns the coefficients of all machines.
func (j *job) coefs() [][]float64 {
	out := make([][]float64, len(j.machines))
	for i, m := range j.machines {
		out[i] = m.coef()
	}
	return out
}

// changes returns the rows whose coefficients in any machine are not the known ones any
// more, and by how much.
func (j *job) changes(known [][]float64) (moved []int, steps *mat.Dense) {
	in, by := make([]bool, len(j.order)), j.coefs()
	for i, m := range j.machines {
		for local, row := range m.each() {
			by[i][local] -= known[i][local]
			in[row] = in[row] || by[i][local] != 0
		}
	}
	return j.columns(by, in)
}

// columns returns the rows that are marked, and the given numbers of each machine at them.
func (j *job) columns(of [][]float64, in []bool) (rows []int, x *mat.Dense) {
	if rows = chosenRows(in); len(rows) == 0 {
		return nil, nil
	}
	place := make([]int, len(j.order))
	for at, row := range rows {
		place[row] = at
	}
	x = mat.NewDense(len(rows), len(j.machines), nil)
	for i, m := range j.machines {
		for local, row := range m.each() {
			if in[row] {
				x.Set(place[row], i, of[i][local])
			}
		}
	}
	return rows, x
}

// shift adds by(row) to the gradient of the variables of every row.
func (m *machine) shift(by func(row int) float64) {
	moves := make([]float64, rowsOf(m.spans))
	for local, row := range m.each() {
		moves[local] = by(row)
	}
	for _, s := range m.p.segments {
		for t := s.from; t < s.to; t++ {
			m.g[t] += moves[s.row+t-s.from]
		}
	}
}
