package pass_test

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/pass"
	"example.org/mercer/pass/passtest"
)

// numbers are rows of one number, that of the row.
func numbers(n int) data.Vectors {
	xs := data.MakeVectors(n, 1)
	for i := range n {
		xs.At(i)[0] = float64(i)
	}
	return xs
}

// Every row goes by once, in its block, and in order within a slab.
func TestEachVisitsEachRowOnce(t *testing.T) {
	for _, n := range []int{1, 255, 256, 257, 5000} {
		for _, slabs := range []int{1, 3, 16} {
			for _, workers := range []int{1, 2, 3, 8} {
				seen, last := make([]int32, n), make([]int, slabs)
				err := pass.Each(t.Context(), numbers(n), slabs, workers, func(_, slab, b int, rows data.Vectors) {
					from, to := pass.BlockRange(n, b)
					if first, end := pass.SlabBlocks(n, slab, slabs); b < first || b >= end || rows.Len() != to-from {
						t.Errorf("n = %d: block %d of %d rows in slab %d of blocks %d to %d", n, b, rows.Len(), slab, first, end)
					}
					for i := range rows.Len() {
						at := int(rows.At(i)[0])
						if at != from+i || at < last[slab] {
							t.Errorf("n = %d: row %d stands in block %d, behind row %d", n, at, b, last[slab])
						}
						last[slab] = at
						atomic.AddInt32(&seen[at], 1)
					}
				})
				if err != nil || slices.Min(seen) != 1 || slices.Max(seen) != 1 {
					t.Errorf("n = %d, %d slabs, %d workers: rows were seen %d to %d times; %v", n, slabs, workers, slices.Min(seen), slices.Max(seen), err)
				}
			}
		}
	}
}

// sums makes some passes, more for later searches, and returns what it has added up: the order of
// the rows tells in the result.
func sums(t *testing.T, i int, xs data.Rows) float64 {
	total := 0.0
	for step := range 2 + i {
		parts := make([]float64, 3)
		err := pass.Each(t.Context(), xs, 3, 2, func(_, slab, b int, rows data.Vectors) {
			for r := range rows.Len() {
				parts[slab] = 0.999*parts[slab] + rows.At(r)[0]*float64(i+step)
			}
		})
		if err != nil {
			t.Error(err)
		}
		total += parts[0] + 2*parts[1] + 3*parts[2]
	}
	return total
}

// Searches that go together find what they find alone, and the file is read for all of them.
func TestTogetherIsOneAfterAnother(t *testing.T) {
	const n, count = 3000, 7
	xs, blocks := numbers(n), int64(pass.Blocks(n))
	want := make([]float64, count)
	for i := range want {
		want[i] = sums(t, i, xs)
	}
	for _, c := range []struct {
		most   int
		passes int64
	}{{1, 2 + 3 + 4 + 5 + 6 + 7 + 8}, {count, 8}, {3, -1}, {100, 8}} {
		got, read := make([]float64, count), passtest.NewRows(xs)
		err := pass.Together(read, count, c.most, func(i int, xs data.Rows) error {
			got[i] = sums(t, i, xs)
			return nil
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d together: %v, want %v; %v", c.most, got, want, err)
		}
		if c.passes > 0 && read.Reads() != c.passes*blocks {
			t.Errorf("%d together: %d blocks were read, want %d times %d", c.most, read.Reads(), c.passes, blocks)
		}
		if c.passes < 0 && read.Reads() >= 35*blocks {
			t.Errorf("%d together read no less than one after another: %d blocks", c.most, read.Reads())
		}
	}
}

// Passes that are cut differently are made one after another.
func TestTogetherWithOtherSlabs(t *testing.T) {
	xs := passtest.NewRows(numbers(2000))
	counts := make([]int, 4)
	err := pass.Together(xs, 4, 4, func(i int, xs data.Rows) error {
		return pass.Each(t.Context(), xs, 1+i%2, 1, func(_, _, _ int, rows data.Vectors) { counts[i] += rows.Len() })
	})
	if err != nil || !slices.Equal(counts, []int{2000, 2000, 2000, 2000}) || xs.Reads() != 2*int64(pass.Blocks(2000)) {
		t.Errorf("the searches saw %v rows in %d reads; %v", counts, xs.Reads(), err)
	}
}

// The error is that of the first search that has one, and nobody waits for those that have failed.
func TestTogetherEnds(t *testing.T) {
	xs, failed := passtest.NewRows(numbers(1000)), errors.New("no luck")
	err := pass.Together(xs, 5, 5, func(i int, xs data.Rows) error {
		if i == 2 || i == 4 {
			return failed
		}
		sums(t, i, xs)
		return nil
	})
	if !errors.Is(err, failed) {
		t.Errorf("the error is %v, want %v", err, failed)
	}
	ctx, cancel := context.WithCancel(t.Context())
	err = pass.Together(xs, 3, 3, func(i int, xs data.Rows) error {
		for {
			if err := pass.Each(ctx, xs, 2, 2, func(_, _, b int, _ data.Vectors) {
				if i == 1 && b == 3 {
					cancel()
				}
			}); err != nil {
				return err
			}
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("after the end of the context: %v", err)
	}
}
