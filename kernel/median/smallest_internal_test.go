package median

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSmallestIsThatOfSorted: with few and many equal numbers, in any order.
func TestSmallestIsThatOfSorted(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	for n := 1; n < 60; n++ {
		for _, values := range []int{1, 3, 1000} {
			v := make([]float64, n)
			for i := range v {
				v[i] = float64(rng.IntN(values))
			}
			switch n % 3 {
			case 1:
				slices.Sort(v)
			case 2:
				slices.SortFunc(v, func(a, b float64) int { return int(b - a) })
			}
			sorted := slices.Sorted(slices.Values(v))
			for place := range n {
				w := slices.Clone(v)
				if got := smallest(w, place); got != sorted[place] {
					t.Fatalf("%v at %d: %v, not %v", v, place, got, sorted[place])
				}
				if !slices.Equal(slices.Sorted(slices.Values(w)), sorted) || place > 0 && slices.Max(w[:place]) > w[place] || slices.Min(w[place:]) < w[place] {
					t.Fatalf("%v at %d leaves %v", v, place, w)
				}
			}
		}
	}
}
