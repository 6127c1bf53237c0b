package seq

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"example.org/mercer/kernel"
)

// TestCover counts: every set of most places is in one of the cover, whose sets have the size.
func TestCover(t *testing.T) {
	for _, c := range []struct{ l, size, most, sets int }{{11, 3, 3, 165}, {11, 4, 3, 54}, {11, 5, 3, 26}, {10, 5, 3, 19}, {6, 6, 2, 1}, {5, 2, 0, 1}, {7, 0, 0, 1}, {4, 4, 4, 1}} {
		sets := cover(c.l, c.size, c.most)
		if len(sets) != c.sets {
			t.Errorf("cover(%d, %d, %d) has %d sets, had %d", c.l, c.size, c.most, len(sets), c.sets)
		}
		for places := range uint32(1) << c.l {
			if bits.OnesCount32(places) == c.most && !slices.ContainsFunc(sets, func(set uint32) bool {
				return bits.OnesCount32(set) == c.size && places&^set == 0
			}) {
				t.Fatalf("cover(%d, %d, %d) = %b lacks %b", c.l, c.size, c.most, sets, places)
			}
		}
	}
}

// TestWaysOfCounting counts the pairs of random and of similar words by sieves of every size, by
// hashed sets of places, and one by one.
func TestWaysOfCounting(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	sifted, hashed := 0, 0
	for _, k := range []kernel.Kernel[string]{
		GKM{Alphabet: DNA}, GKM{L: 8, K: 5, D: 2, Alphabet: DNA, Both: true}, GKM{L: 4, K: 2, D: 4, Filter: FullFilter, Alphabet: DNA}, GKM{L: 16, K: 10, D: 3, Alphabet: RNA},
		GKM{L: 20, K: 18, D: 2, Alphabet: DNA}, GKM{L: 6, K: 4, D: 1, Alphabet: Protein}, Mismatch{K: 5, M: 1, Alphabet: Protein}, Mismatch{K: 3}, Mismatch{K: 6},
	} {
		p := k.(interface{ profile() *profile }).profile()
		c := newCounter(p)
		c.sets = nil
		c.leave(0, len(p.h)-1, 0)
		points := func(n int) [][]uint64 {
			out := make([][]uint64, n)
			for i := range out {
				for range r.IntN(60) {
					var word uint64
					for range p.l {
						word = word<<c.width | r.Uint64N(1+r.Uint64N(4))
					}
					out[i] = append(out[i], word)
				}
			}
			return out
		}
		rows, cols := points(9), points(17)
		want, w := make([]uint64, len(rows)*len(cols)*c.slots), new(workroom)
		for i, x := range rows {
			for j, y := range cols {
				c.compare(want[(i*len(cols)+j)*c.slots:], x, y)
			}
		}
		check := func(way string) {
			for i := range w.pairs {
				if i%c.slots < len(p.h) && w.pairs[i] != want[i] {
					t.Fatalf("%v by %s, pair %d of points, distance %d: %d, one by one %d", k, way, i/c.slots, i%c.slots, w.pairs[i], want[i])
				}
			}
			clear(w.pairs)
		}
		w.pairs = make([]uint64, len(want))
		for _, sieves := range p.allSieves() {
			for i := range sieves {
				w.sift(&sieves[i], c.slots, rows, cols, total(cols))
			}
			check(fmt.Sprint(len(sieves), " sieves"))
			sifted++
		}
		for _, set := range c.sets {
			c.agree(w, set, rows, cols, total(cols))
		}
		check(fmt.Sprint(len(c.sets), " sets"))
		hashed += len(c.sets)
	}
	if sifted < 10 || hashed < 100 {
		t.Errorf("%d groups of sieves and %d sets", sifted, hashed)
	}
}
