//go:build amd64 && !purego && !noasm

package simd

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
)

// The loops with the instruction that counts bits and those without it agree.
func TestBothWaysToCountBits(t *testing.T) {
	if !hasCounts(detect()) {
		t.Skip("this machine has no VPOPCNTDQ of AVX-512")
	}
	const size, count = 3, 2
	rng := testkit.Rand(t, 9)
	words := func(n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = math.Float64frombits(rng.Uint64())
		}
		return out
	}
	a, b := words(size*PanelWidth), words(count*size*PanelWidth)
	for n, loop := range countedLoops {
		got, want := make([]float64, count*PanelWidth<<n), make([]float64, count*PanelWidth<<n)
		loop(&got[0], count*PanelWidth, &a[0], &b[0], &b[0], size, count)
		panelLoops[AVX512][Common][n](&want[0], count*PanelWidth, &a[0], &b[0], &b[0], size, count)
		if !slices.Equal(got, want) {
			t.Errorf("%d rows: %v, want %v", 1<<n, got, want)
		}
	}
}
