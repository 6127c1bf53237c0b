package simd

import (
	"math"
	"testing"

	"example.org/mercer/internal/testkit"
)

// Against exp in float64, whose own error is far below, over the range of results and
// down to subnormal ones, whose unit is added to the bound.
func TestDecay32AgainstExp(t *testing.T) {
	rng := testkit.Rand(t, 88)
	for _, l := range Supported() {
		worst := 0.0
		for range 60000 {
			x, rate := float32(math.Exp(6*rng.Float64()-3)), float32(math.Exp(6*rng.Float64()-3))
			y := float64(x) * float64(rate)
			got := []float32{0}
			decayAt(l, got, []float32{x}, rate)
			want := math.Exp(-y)
			off := math.Abs(float64(got[0])-want) / ((2+2*y)*0x1p-24*want + 0x1p-149)
			if worst = max(worst, off); off > 1 {
				t.Fatalf("%v: exp(−%v·%v) = %v, want %v: %.2f of the bound", l, rate, x, got[0], want, off)
			}
		}
		t.Logf("%v: at most %.2f of the bound", l, worst)
	}
}

func TestDecay32AtTheEdges(t *testing.T) {
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, l := range Supported() {
		for x, want := range map[float32]float32{0: 1, float32(math.Copysign(0, -1)): 1, inf: 0, 104: 0, 1e30: 0, math.MaxFloat32: 0, -100: inf} {
			got := []float32{7}
			if decayAt(l, got, []float32{x}, 1); got[0] != want {
				t.Errorf("%v: exp(−%v) = %v, want %v", l, x, got[0], want)
			}
		}
		got := []float32{7}
		if decayAt(l, got, []float32{nan}, 1); got[0] == got[0] {
			t.Errorf("%v: exp(NaN) = %v", l, got[0])
		}
	}
}

func TestDecay32Sweep(t *testing.T) { sweep32(t, decayAt) }
