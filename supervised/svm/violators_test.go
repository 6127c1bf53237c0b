package svm

import (
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
)

// TestAlong: rows in violation join with a tenth more that are next, and never more than a
// twentieth of the rows or leastJoin.
func TestAlong(t *testing.T) {
	descending := func(n int) []float64 {
		lacks := make([]float64, n)
		for i := range lacks {
			lacks[i] = float64(n - i)
		}
		return lacks
	}
	for _, tc := range []struct {
		n          int
		rest, want float64
	}{
		{100, 81, 78},         // 20 in violation and 2 more
		{100, 1000, 100},      // none, but the next
		{3000, 1, 2000},       // all: 1000 join
		{40000, 1, 38000},     // a twentieth
		{40000, 39001, 38900}, // 1000 in violation, a tenth more
	} {
		if got := admission(descending(tc.n), tc.rest); got != tc.want {
			t.Errorf("%d rows, rest %g: from %g, want %g", tc.n, tc.rest, got, tc.want)
		}
	}
}

// TestLargest compares the largest of some numbers, of which many are equal, with those of all
// sorted.
func TestLargest(t *testing.T) {
	rng := testkit.Rand(t, 46)
	for _, n := range []int{1, 2, 7, 100, 1000} {
		of := make([]float64, n)
		for i := range of {
			of[i] = float64(rng.IntN(n/3 + 1))
		}
		sorted := slices.Sorted(slices.Values(of))
		slices.Reverse(sorted)
		for _, k := range []int{1, 2, 5, 99, 5000} {
			if got := largest(of, k); !slices.Equal(got, sorted[:min(k, n)]) {
				t.Errorf("the %d largest of %d: %v, want %v", k, n, got, sorted[:min(k, n)])
			}
		}
	}
}
