package pass_test

import (
	"slices"
	"sync/atomic"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/pass"
	"example.org/mercer/pass/passtest"
)

// images makes rows (x, first, count) of points: which block a row was made in tells in it. made
// counts the blocks.
func images(xs data.Rows, made *atomic.Int64) data.Rows {
	return pass.Map(xs, 3, func(dst data.Vectors, of data.Set[[]float64]) {
		made.Add(1)
		for i := range dst.Len() {
			copy(dst.At(i), []float64{of.At(i)[0], of.At(0)[0], float64(of.Len())})
		}
	})
}

// However a row is asked for, it is made with the whole of its block.
func TestMapMakesWholeBlocks(t *testing.T) {
	const n = 1000
	made := new(atomic.Int64)
	rows := images(passtest.NewRows(numbers(n)), made)
	want := func(i int) []float64 {
		from, to := pass.BlockRange(n, i/pass.BlockRows)
		return []float64{float64(i), float64(from), float64(to - from)}
	}
	all, err := pass.Read(t.Context(), rows, 3)
	if err != nil || made.Load() != int64(pass.Blocks(n)) || all.Len() != n || all.Dim() != 3 || pass.InMemory(rows) || !pass.InMemory(all) {
		t.Fatalf("%d × %d rows of %d blocks; %v", all.Len(), all.Dim(), made.Load(), err)
	}
	for i := range n {
		if !slices.Equal(all.At(i), want(i)) || !slices.Equal(rows.At(i), want(i)) {
			t.Fatalf("row %d is %v and %v, want %v", i, all.At(i), rows.At(i), want(i))
		}
	}
	if blocks := made.Load(); blocks != 2*int64(pass.Blocks(n)) {
		t.Errorf("%d blocks were made for all rows, twice", blocks)
	}
	for _, run := range [][2]int{{0, 256}, {768, 1000}, {3, 9}, {200, 700}, {256, 1000}, {999, 1000}} {
		some := data.Run(rows, run[0], run[1])
		for i := run[0]; i < run[1]; i++ {
			if got := some.At(i - run[0]); some.Len() != run[1]-run[0] || !slices.Equal(got, want(i)) {
				t.Fatalf("row %d of the run %v is %v, want %v", i, run, got, want(i))
			}
		}
	}
}
