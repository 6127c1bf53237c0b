package simd

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
)

// pairCase is the input of the two loops, with NaN around every slice and some variables
// blocked.
type pairCase struct {
	g, blocked, diag []float64
	ki, kj           []float32
}

func newPairCase(rng interface {
	NormFloat64() float64
	IntN(int) int
}, n int) pairCase {
	from := rng.IntN(5)
	guarded := func(draw func() float64) []float64 {
		v := slices.Repeat([]float64{math.NaN()}, from+n+9)
		for i := range n {
			v[from+i] = draw()
		}
		return v[from : from+n]
	}
	single := func() []float32 {
		v := slices.Repeat([]float32{float32(math.NaN())}, from+n+9)
		for i := range n {
			v[from+i] = float32(rng.NormFloat64())
		}
		return v[from : from+n]
	}
	return pairCase{
		g: guarded(rng.NormFloat64), diag: guarded(func() float64 { return 1 + math.Abs(rng.NormFloat64()) }),
		blocked: guarded(func() float64 {
			if rng.IntN(3) == 0 {
				return math.Inf(1)
			}
			return 0
		}),
		ki: single(), kj: single(),
	}
}

// TestAdvance compares the assembly of every level with plain Go, on all lengths around
// the registers: the gradient to one rounding of its terms, the place exactly, as random
// numbers have no ties.
func TestAdvance(t *testing.T) {
	rng := testkit.Rand(t, 31)
	for _, l := range Supported() {
		t.Run(l.String(), func(t *testing.T) {
			for n := range 70 {
				c := newPairCase(rng, n)
				want := slices.Clone(c.g)
				at, least := advancePlain(want, c.blocked, c.ki, c.kj, 0.7)
				gotAt, got := advanceAt(l, c.g, c.blocked, c.ki, c.kj, 0.7)
				if gotAt != at || !(math.Abs(got-least) <= 1e-14 || got == least) {
					t.Fatalf("n = %d: least %v at %d, want %v at %d", n, got, gotAt, least, at)
				}
				for i, w := range want {
					if !(math.Abs(c.g[i]-w) <= 1e-14) {
						t.Fatalf("n = %d: g[%d] = %v, want %v", n, i, c.g[i], w)
					}
				}
			}
		})
	}
}

// TestFindPartner compares the assembly of every level with plain Go.
func TestFindPartner(t *testing.T) {
	rng := testkit.Rand(t, 32)
	for _, l := range Supported() {
		t.Run(l.String(), func(t *testing.T) {
			for n := range 70 {
				c := newPairCase(rng, n)
				want := partnerPlain(c.ki, c.g, c.blocked, c.diag, -0.3, 1.2, 1e-12)
				got := partnerAt(l, c.ki, c.g, c.blocked, c.diag, -0.3, 1.2, 1e-12)
				if got.At != want.At || !(math.Abs(got.Gain-want.Gain) <= 1e-14*want.Gain) ||
					!(math.Abs(got.Curvature-want.Curvature) <= 1e-14*want.Curvature) || got.Violation != want.Violation {
					t.Fatalf("n = %d: %+v, want %+v", n, got, want)
				}
			}
		})
	}
}

// TestPairsBlocked wants no variable where none can move, and the first of equal ones.
func TestPairsBlocked(t *testing.T) {
	for _, l := range Supported() {
		for _, n := range []int{1, 8, 19} {
			inf, zero := slices.Repeat([]float64{math.Inf(1)}, n), make([]float64, n)
			k := make([]float32, n)
			if at, least := advanceAt(l, slices.Clone(zero), inf, k, k, 1); at != -1 || !math.IsInf(least, 1) {
				t.Errorf("%v, n = %d: %v at %d, want none", l, n, least, at)
			}
			if p := partnerAt(l, k, zero, inf, zero, -1, 1, 1e-12); p.At != -1 || p.Violation != 0 {
				t.Errorf("%v, n = %d: %+v, want none", l, n, p)
			}
			if at, _ := advanceAt(l, slices.Clone(zero), zero, k, k, 1); at != 0 {
				t.Errorf("%v, n = %d: the least of equal ones is at %d, want 0", l, n, at)
			}
			if p := partnerAt(l, k, zero, zero, zero, -1, 1, 1e-12); p.At != 0 || p.Gain != 1 || p.Curvature != 1 {
				t.Errorf("%v, n = %d: %+v, want the first of equal ones", l, n, p)
			}
		}
	}
}

func BenchmarkPairs(b *testing.B) {
	rng := testkit.Rand(b, 33)
	const n = 16384
	c := newPairCase(rng, n)
	for _, l := range Supported() {
		b.Run(fmt.Sprintf("advance/level=%v/n=%d", l, n), func(b *testing.B) {
			b.SetBytes(n)
			for b.Loop() {
				advanceAt(l, c.g, c.blocked, c.ki, c.kj, 1e-9)
			}
		})
		b.Run(fmt.Sprintf("partner/level=%v/n=%d", l, n), func(b *testing.B) {
			b.SetBytes(n)
			for b.Loop() {
				partnerAt(l, c.ki, c.g, c.blocked, c.diag, -0.3, 1.2, 1e-12)
			}
		})
	}
}
