package linalg

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/internal/testkit"
)

// Q is orthonormal and QS is Y to rounding, whatever the columns are: dependent, nearly so to many
// degrees, zero, or of sizes from 1e-150 to 1e150. The number of columns of Q is the rank.
func TestOrthonormal(t *testing.T) {
	const n = 90
	rng := testkit.Rand(t, 21)
	base := randomDense(rng, n, 6)
	column := func(f func(row []float64) float64) func(i int) float64 {
		return func(i int) float64 { return f(base.RawRowView(i)) }
	}
	columns := []func(i int) float64{
		column(func(r []float64) float64 { return 1e150 * r[0] }),
		column(func(r []float64) float64 { return 1e-150 * r[1] }),
		column(func(r []float64) float64 { return r[0] + 1e-3*r[2] }),
		column(func(r []float64) float64 { return r[0] + r[2] + 1e-7*r[3] }),
		column(func(r []float64) float64 { return r[1] - r[3] + 1e-11*r[4] }),
		column(func(r []float64) float64 { return r[5] - r[0] }),
		column(func(r []float64) float64 { return 0 }),
		column(func(r []float64) float64 { return r[5] }),
	}
	y := newGeneral(n, len(columns))
	for j, f := range columns {
		for i := range n {
			row(y, i)[j] = f(i)
		}
	}
	q, s := tallSkinny{serial}.orthonormal(y, 0)
	if q.Cols != 6 {
		t.Errorf("%d columns, the rank is 6", q.Cols)
	}
	var gram, back mat.Dense
	gram.Mul(asDense(q).T(), asDense(q))
	for i := range q.Cols {
		gram.Set(i, i, gram.At(i, i)-1)
	}
	if off := maxAbs(&gram); off > 1e-14 {
		t.Errorf("QᵀQ − I is %g", off)
	}
	back.Mul(asDense(q), asDense(s))
	length := columnLengths(y)
	for j := range y.Cols {
		worst := 0.0
		for i := range n {
			worst = max(worst, math.Abs(back.At(i, j)-row(y, i)[j]))
		}
		if worst > 1e-14*length[j] {
			t.Errorf("column %d of QS is off by %g of its length", j, worst/length[j])
		}
	}
	if q, _ := (tallSkinny{serial}).orthonormal(newGeneral(5, 2), 0); q.Cols != 0 {
		t.Errorf("zeros span %d columns", q.Cols)
	}
}
