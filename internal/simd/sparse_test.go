package simd

import (
	"fmt"
	"testing"

	"example.org/mercer/internal/testkit"
)

// Inner products of sparse points are those of the same points in panels, to the bit, at
// every level, for every number of rows, columns and coordinates.
func TestSparseInnerHasTheBitsOfPanels(t *testing.T) {
	for _, l := range Supported() {
		for _, d := range lengths(0) {
			for _, share := range []float64{0, 0.02, 0.15, 1} {
				sparseInnerCase[float64](t, l, d, share)
				sparseInnerCase[float32](t, l, d, share)
			}
		}
	}
}

func sparseInnerCase[F Float](t *testing.T, l Level, d int, share float64) {
	t.Helper()
	width, rng := panelWidth[F](), testkit.Rand(t, uint64(d))
	rows, count := 1+d%width, d%7
	stride := count*width + d%3
	few := func() F {
		if rng.Float64() < share {
			return F(rng.NormFloat64())
		}
		return 0
	}
	a, b := make([]F, width*d), make([]F, count*width*d)
	for i := range b {
		b[i] = few()
	}
	var s Sparse[F]
	s.Reset(d, 0)
	x := make([]F, d)
	for i := range rows {
		for j := range x {
			x[j] = few()
			a[j*width+i] = x[j]
		}
		s.Append(x)
	}
	want, got := make([]F, rows*stride), make([]F, rows*stride)
	for i := range want {
		want[i], got[i] = -7, -7
	}
	panelsOf(l, Inner, want, stride, rows, a, b, nil, d, count)
	half := rows / 2
	s.innerAt(l, got, stride, 0, half, b, count)
	s.innerAt(l, got[half*stride:], stride, half, rows, b, count)
	for i, v := range got {
		if v != want[i] {
			t.Fatalf("%v, width %d, d=%d, share %g, element %d: %v, want %v", l, width, d, share, i, v, want[i])
		}
	}
}

// A product that underflows to −0 leaves no trace of which of the points was the sparse one.
func TestSparseInnerIsNeverNegativeZero(t *testing.T) {
	var s Sparse[float64]
	s.Reset(1, 1)
	s.Append([]float64{-1e-300})
	for _, l := range Supported() {
		b, out := make([]float64, PanelWidth), make([]float64, PanelWidth)
		b[0] = 1e-300
		s.innerAt(l, out, PanelWidth, 0, 1, b, 1)
		if text := fmt.Sprint(out[0]); text != "0" {
			t.Errorf("%v: −10⁻³⁰⁰·10⁻³⁰⁰ is %s, want 0", l, text)
		}
	}
}

func TestSparseRefusesPointsOfOtherLengths(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a point of two coordinates among those of three")
		}
	}()
	var s Sparse[float64]
	s.Reset(3, 0)
	s.Append([]float64{1, 2})
}
