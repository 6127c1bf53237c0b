package svm

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
)

// updateInactive adds to the gradients of the rows outside of the working set what they owe to the
// coefficients that have changed since they were as given.
func (s *search[F]) updateInactive(ctx context.Context, known [][]float64) error {
	j := s.j
	in := s.inside()
	var outside []int
	for row, is := range in {
		if !is {
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
	shift, err := s.gradientUpdate(ctx, outside, moved, steps)
	if err != nil {
		return err
	}
	for i, m := range j.problems {
		m.shift(func(row int) float64 {
			if in[row] {
				return 0
			}
			return shift(row, i)
		})
	}
	j.watch.Lap(&j.report.Run, "outside")
	return nil
}

// gradientUpdate returns what steps of the coefficients of the rows that moved add to the function
// of a problem at a row outside: the products of the columns that all rows are packed as, where
// there are such, or of a matrix that is bound for this time.
func (s *search[F]) gradientUpdate(ctx context.Context, outside, moved []int, steps *mat.Dense) (func(row, problem int) float64, error) {
	j := s.j
	if c := s.columns(); c.bind != nil {
		c.bound = c.bind(j.rows(moved), c.bound)
		_, n := c.bound.Dims()
		j.report.Evaluations += int64(len(moved)) * int64(n)
		f, err := transposedProduct(ctx, c.bound, steps, j.o.Compute.WorkerCount())
		return func(row, problem int) float64 { return f[problem][c.place(row)] }, err
	}
	o := j.o.Compute
	o.Precision = compute.Single
	f, err := multiplierOf(j.src).product(ctx, j.rows(outside), j.rows(moved), false, steps, o)
	j.report.Evaluations += int64(len(outside)) * int64(len(moved))
	place := make([]int, len(j.order))
	for at, row := range outside {
		place[row] = at
	}
	return func(row, problem int) float64 { return f.At(place[row], problem) }, err
}

// coefs returns the coefficients of all problems.
func (j *job) coefs() [][]float64 {
	out := make([][]float64, len(j.problems))
	for i, m := range j.problems {
		out[i] = m.coef()
	}
	return out
}

// changes returns the rows whose coefficients in any problem are not the known ones any
// more, and by how much.
func (j *job) changes(known [][]float64) (moved []int, steps *mat.Dense) {
	in, by := make([]bool, len(j.order)), j.coefs()
	for i, m := range j.problems {
		for local, row := range m.each() {
			by[i][local] -= known[i][local]
			in[row] = in[row] || by[i][local] != 0
		}
	}
	return j.columns(by, in)
}

// columns returns the rows that are marked, and the given numbers of each problem at them.
func (j *job) columns(of [][]float64, in []bool) (rows []int, x *mat.Dense) {
	if rows = chosenRows(in); len(rows) == 0 {
		return nil, nil
	}
	place := make([]int, len(j.order))
	for at, row := range rows {
		place[row] = at
	}
	x = mat.NewDense(len(rows), len(j.problems), nil)
	for i, m := range j.problems {
		for local, row := range m.each() {
			if in[row] {
				x.Set(place[row], i, of[i][local])
			}
		}
	}
	return rows, x
}

// shift adds by(row) to the gradient of the variables of every row.
func (m *binaryProblem) shift(by func(row int) float64) {
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
