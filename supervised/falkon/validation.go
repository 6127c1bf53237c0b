package falkon

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/gram"
	"example.org/mercer/model"
)

// validation follows the mean loss of rows that are not learned from.
type validation struct {
	rows   []int
	w      []float64 // of all rows, as they were given
	k      *gram.TallSkinny
	values []float64
	best   *point
	bestAt int
	ended  bool
}

// leaveOut takes the rows for validation, whose kernel values are k, out of the weights.
func (j *job) leaveOut(n int, k *gram.TallSkinny) *validation {
	v := &validation{rows: j.o.Stop.Validation, w: j.w, k: k}
	j.w = make([]float64, n)
	for i := range j.w {
		j.w[i] = model.Weight(v.w, i)
	}
	for _, i := range v.rows {
		j.w[i] = 0
	}
	return v
}

// try measures a function, and says whether the last ones were no better than an earlier
// one.
func (v *validation) try(ctx context.Context, j *job, pt *point) (enough bool, err error) {
	beta, err := j.s.beta(ctx, pt.gamma)
	if err != nil {
		return false, err
	}
	f := new(mat.Dense)
	if err := v.k.Mul(ctx, f, beta); err != nil {
		return false, err
	}
	sum, total := 0.0, 0.0
	for at, i := range v.rows {
		w := model.Weight(v.w, i)
		total += w
		eta := f.RawRowView(at)
		for c, b := range pt.bias {
			eta[c] += b
		}
		sum += w * j.lossAt(i, eta)
	}
	value := sum / math.Max(total, math.SmallestNonzeroFloat64)
	if v.best == nil || value < v.values[v.bestAt] {
		v.best, v.bestAt = pt, len(v.values)
	}
	v.values = append(v.values, value)
	v.ended = len(v.values)-1-v.bestAt >= j.o.Stop.patience()
	return v.ended, nil
}
