package svm

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
)

// TestTransposedProductIsTheProduct compares what steps of coefficients add to the functions of two
// problems with sums of kernel values in double precision, for points in the order of the job, for
// a part of them, and for a matrix that is bound: to single precision, 2⁻²⁴ for an element and for
// each of 16 sums, and with the same bits for any number of workers.
func TestTransposedProductIsTheProduct(t *testing.T) {
	const n = 1100
	rng := testkit.Rand(t, 45)
	xs := data.MakeVectors(n, 3)
	for i := range xs.Raw() {
		xs.Raw()[i] = rng.NormFloat64()
	}
	k, perm := vec.RBF{Sigma: 1.5}, rng.Perm(n)
	bound := gram.RowsOf(gram.On(k, xs).Bind(nil, nil))
	for name, tc := range map[string]struct {
		src   gram.Source
		order []int
	}{"all": {gram.On(k, xs), perm}, "some": {gram.On(k, xs), perm[:900]}, "matrix": {bound, perm[:700]}} {
		t.Run(name, func(t *testing.T) {
			moved := tc.order[5:150]
			steps := mat.NewDense(len(moved), 2, nil)
			for i := range moved {
				steps.Set(i, 0, 100*rng.NormFloat64()) // the second problem did not move
			}
			c := columnsOf(tc.src, tc.order, math.MaxInt64)
			var first [][]float64
			for _, workers := range []int{1, 2, 3, 8} {
				c.bound = c.bind(moved, c.bound)
				f, err := transposedProduct(t.Context(), c.bound, steps, workers)
				if err != nil {
					t.Fatal(err)
				}
				if first == nil {
					first = f
				}
				for at, row := range tc.order {
					want, size := 0.0, 0.0
					for i, r := range moved {
						v := steps.At(i, 0) * k.Eval(xs.At(row), xs.At(r))
						want, size = want+v, size+math.Abs(v)
					}
					got := f[0][c.place(at)]
					if math.Abs(got-want) > 20*0x1p-24*size+1e-30 {
						t.Fatalf("row %d: %g, want %g", row, got, want)
					}
					if other := f[1][c.place(at)]; other != 0 || got != first[0][c.place(at)] {
						t.Fatalf("row %d: %g without a step, %g with %d workers, %g with one", row, other, got, workers, first[0][c.place(at)])
					}
				}
			}
		})
	}
}

func consecutiveRows(n int) []int {
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
	}
	return rows
}

// TestColumnsBeyondTheMemory: vectors whose packed columns would take more than they may are not
// bound, and one number less is enough.
func TestColumnsBeyondTheMemory(t *testing.T) {
	p := gram.On(vec.RBF{}, data.MakeVectors(10, 7))
	if columnsOf(p, consecutiveRows(10), 10*7*12-1).bind != nil || columnsOf(p, consecutiveRows(10), 10*7*12).bind == nil {
		t.Error("the limit is not 12 bytes a number")
	}
}
