package gram_test

import (
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
)

// TestRestrict compares tiles of a restriction, with runs, repetitions and a turn, with
// the elements of the whole, bit for bit.
func TestRestrict(t *testing.T) {
	xs := data.MakeVectors(9, 2)
	for i := range 9 {
		xs.At(i)[0], xs.At(i)[1] = float64(i), float64(i*i%5)
	}
	bound := kernel.Bind[[]float64](vec.RBF{Sigma: 3}, xs, xs)
	matrix, err := gram.Dense(t.Context(), bound, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, whole := range []kernel.Pairs{bound, gram.FromMatrix(matrix).Pairs()} {
		checkRestrict(t, whole)
	}
}

func checkRestrict(t *testing.T, whole kernel.Pairs) {
	t.Helper()
	rows, cols := []int{8, 0, 0, 3}, []int{1, 2, 3, 7, 5, 6, 0}
	p := gram.Restrict(whole, rows, cols)
	if n, m := p.Dims(); n != 4 || m != 7 {
		t.Fatalf("%d×%d", n, m)
	}
	tile, one := kernel.NewTile(3, 6), kernel.NewTile(1, 1)
	p.Tile(tile, 1, 1)
	for i := range 3 {
		for j, got := range tile.Row(i) {
			if whole.Tile(one, rows[1+i], cols[1+j]); got != one.Data[0] {
				t.Errorf("element (%d, %d) is %v, of the whole %v", i, j, got, one.Data[0])
			}
		}
	}
	diagonal := make([]float64, 4)
	kernel.Diag(p, diagonal)
	for i, got := range diagonal {
		if whole.Tile(one, rows[i], cols[i]); got != one.Data[0] {
			t.Errorf("diagonal %d is %v, of the whole %v", i, got, one.Data[0])
		}
	}
}
