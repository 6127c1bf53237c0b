package simd

import (
	"math"
	"slices"
	"testing"

	"mercer/internal/testkit"
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

// DecayFromInner32 has the bits of the two loops it replaces and gives up where the first
// would, whichever lane it is in.
func TestDecayFromInner32IsBothLoops(t *testing.T) {
	rng := testkit.Rand(t, 89)
	const row, kept, rate = 3.5, 0.125, 0.3
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, l := range Supported() {
		for n := 0; n <= 288; n += PanelWidth32 {
			inner, cols := make([]float32, n), make([]float32, n)
			for j := range n {
				cols[j] = 1 + 30*rng.Float32()
				inner[j] = 0.4 * (cols[j] + row) * (2*rng.Float32() - 1)
				if j%9 == 0 {
					cols[j] = 1e4 // exp is 0
				}
			}
			for bad := -1; bad < n; bad++ {
				for _, doubt := range []float32{1e5, nan, inf} { // 10⁵ is more than the norms
					s := slices.Clone(inner)
					if bad >= 0 {
						s[bad] = doubt
					}
					got, want, before := make([]float32, n), slices.Clone(s), slices.Clone(s)
					fine := squaredFromInner(l, want, cols, row, kept)
					if decayFromInnerOf(l, got, s, cols, row, kept, rate) != fine || fine != (bad < 0) {
						t.Fatalf("%v, n=%d, lane %d, %v: fine is not %v", l, n, bad, doubt, fine)
					}
					if decayAt(l, want, want, rate); fine && !slices.Equal(got, want) {
						t.Fatalf("%v, n=%d: other bits than the two loops", l, n)
					}
					if bad < 0 && !slices.Equal(s, before) {
						t.Fatalf("%v, n=%d: the inner products were changed", l, n)
					}
				}
			}
		}
	}
}
