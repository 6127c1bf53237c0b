package testkit

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Close fails the test unless |got − want| ≤ tol·max(1, |want|). It is two-sided and
// a NaN on either side fails.
func Close(t testing.TB, what string, got, want, tol float64) {
	t.Helper()
	if d := math.Abs(got - want); !(d <= tol*math.Max(1, math.Abs(want))) && got != want {
		t.Errorf("%s = %.17g, want %.17g: off by %.3g, more than %.3g relative", what, got, want, d, tol)
	}
}

// CloseSlice compares two slices in the relative maximum norm:
// max|got−want| ≤ tol·max|want|.
func CloseSlice(t testing.TB, what string, got, want []float64, tol float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has length %d, want %d", what, len(got), len(want))
	}
	scale, worst, at := 0.0, 0.0, 0
	for i, w := range want {
		scale = math.Max(scale, math.Abs(w))
		d := math.Abs(got[i] - w)
		if math.IsNaN(d) && got[i] != w {
			t.Fatalf("%s[%d] = %v, want %v", what, i, got[i], w)
		}
		if d > worst {
			worst, at = d, i
		}
	}
	if worst > tol*scale {
		t.Errorf("%s[%d] = %.17g, want %.17g: off by %.3g, more than %.3g of the largest entry %.3g", what, at, got[at], want[at], worst, tol, scale)
	}
}

// Rand returns a generator with a fixed seed, which it logs so that a failure can be
// repeated.
func Rand(t testing.TB, seed uint64) *rand.Rand {
	t.Helper()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c15))
}
