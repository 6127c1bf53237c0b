package svm

import (
	"slices"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/vec"
)

// TestMatrixGrows extends a matrix by blocks of one row, of less and of more than a tile,
// in an order that is not that of the points: every element is the kernel of its rows, and
// what was there stays where it was.
func TestMatrixGrows(t *testing.T) {
	t.Run("single", func(t *testing.T) { testGrowth[float32](t, 1e-6) })
	t.Run("double", func(t *testing.T) { testGrowth[float64](t, 1e-14) })
}

func testGrowth[F float32 | float64](t *testing.T, within float64) {
	const n = 311
	rng := testkit.Rand(t, 41)
	xs := data.MakeVectors(n, 3)
	for i := range n {
		for c := range 3 {
			xs.At(i)[c] = rng.NormFloat64()
		}
	}
	k, order := vec.RBF{Sigma: 1.5}, rng.Perm(n)
	src := gram.On(k, xs)
	for _, workers := range []int{1, 2, 3, 8} {
		in, w := &arena[F]{most: n * n}, &storedMatrix[F]{}
		var before []F
		for _, size := range []int{1, 130, 131, 300, n} {
			if err := w.extendBy(t.Context(), src, order[:size], w.size(), workers, in); err != nil {
				t.Fatal(err)
			}
			first, err := w.row(t.Context(), 0, 0)
			if err != nil {
				t.Fatal(err)
			}
			if before != nil && &before[0] != &first[0] {
				t.Errorf("%d rows: the first row has moved", size)
			}
			before = first
		}
		for i := range n {
			var row []F
			for b := range w.blocks {
				part, err := w.row(t.Context(), i, b)
				if err != nil {
					t.Fatal(err)
				}
				row = slices.Concat(row, part)
			}
			for j, v := range row {
				testkit.Close(t, "element", float64(v), k.Eval(xs.At(order[i]), xs.At(order[j])), within)
			}
			if len(row) != n {
				t.Fatalf("row %d has %d columns, want %d", i, len(row), n)
			}
		}
		in.leave()
	}
}
