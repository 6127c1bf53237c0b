package gram

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Every block occurs once in a round, so that workers of a round never meet; and the
// rounds hold every pair once.
func TestRoundsCoverTheTriangle(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := triangle(rapid.IntRange(1, 60).Draw(t, "blocks"))
		var all [][2]int
		for r := range int(b) {
			seen := make([]int, b)
			for _, p := range b.round(r) {
				seen[p[0]]++
				if p[1] != p[0] {
					seen[p[1]]++
				}
				all = append(all, p)
			}
			for block, times := range seen {
				if times != 1 {
					t.Fatalf("round %d of %d blocks: block %d occurs %d times", r, b, block, times)
				}
			}
		}
		slices.SortFunc(all, func(x, y [2]int) int { return slices.Compare(x[:], y[:]) })
		if want := b.list(); !slices.Equal(all, want) || len(want) != b.count() {
			t.Fatalf("the rounds of %d blocks hold the pairs %v, want %v", b, all, want)
		}
	})
}

func TestBlocksCoverTheIndices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cut := blocks{rapid.IntRange(0, 1000).Draw(t, "n"), rapid.IntRange(1, 200).Draw(t, "side")}
		next := 0
		for i := range cut.count() {
			first, length := cut.at(i)
			if first != next || length < 1 || length > cut.side {
				t.Fatalf("block %d of %+v has %d indices from %d, want at least 1 from %d", i, cut, length, first, next)
			}
			next += length
		}
		if next != cut.n {
			t.Fatalf("the blocks of %+v end at %d", cut, next)
		}
	})
}
