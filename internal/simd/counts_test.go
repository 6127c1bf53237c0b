package simd

import (
	"math"
	"testing"

	"example.org/mercer/internal/testkit"
)

// A function of the number of bits that differ is that of Go at every level, for every
// number of rows, columns and words.
func TestCountProfileHasTheBitsOfGo(t *testing.T) {
	for _, l := range Supported() {
		for size := 1; size <= 5; size++ {
			for rows := 1; rows <= 8; rows++ {
				countProfileCase[float64](t, l, size, rows)
				countProfileCase[float32](t, l, size, rows)
			}
		}
	}
}

func countProfileCase[F Float](t *testing.T, l Level, size, rows int) {
	t.Helper()
	rng := testkit.Rand(t, uint64(10*size+rows))
	count := (size + rows) % 4
	stride := count*PanelWidth + size%3
	words := func(n int) []float64 { // at most 15 bits of a point
		out := make([]float64, n)
		for at := 0; at < n; at += size * PanelWidth {
			for lane := range PanelWidth {
				for range rng.IntN(16) {
					w := &out[at+rng.IntN(size)*PanelWidth+lane]
					*w = math.Float64frombits(math.Float64bits(*w) | 1<<rng.IntN(64))
				}
			}
		}
		return out
	}
	a, b := words(size*PanelWidth), words(count*size*PanelWidth)
	var table [Counts]F
	for i := range table {
		table[i] = F(rng.NormFloat64())
	}
	want, got := make([]F, rows*stride), make([]F, rows*stride)
	for i := range want {
		want[i], got[i] = -7, -7
	}
	countProfilePlain(want, stride, rows, a, b, size, count, &table)
	countProfileOf(l, got, stride, rows, a, b, size, count, &table)
	for i, v := range got {
		if v != want[i] {
			t.Fatalf("%v, %d words, %d rows, element %d: %v, want %v", l, size, rows, i, v, want[i])
		}
	}
}
