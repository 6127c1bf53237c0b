package simd

import (
	"testing"

	"example.org/mercer/internal/testkit"
)

// Inner products over the coordinates that any row point has are those over all, to the
// bit, at every level, for every number of rows, columns and coordinates.
func TestInnerListedHasTheBitsOfPanels(t *testing.T) {
	for _, l := range Supported() {
		for d := 1; d <= 130; d++ {
			for _, share := range []float64{0, 0.2, 0.6, 1} {
				innerListedCase[float64](t, l, d, share)
				innerListedCase[float32](t, l, d, share)
			}
		}
	}
}

func innerListedCase[F Float](t *testing.T, l Level, d int, share float64) {
	t.Helper()
	width, rng := panelWidth[F](), testkit.Rand(t, uint64(d))
	rows, count := 1+d%8, d%5
	stride := count*width + d%3
	a, b := make([]F, width*d), make([]F, count*width*d)
	for i := range b {
		b[i] = F(rng.NormFloat64())
	}
	var index []int32
	for j := range d {
		if rng.Float64() >= share {
			continue
		}
		index = append(index, int32(j))
		for i := range rows {
			if rng.Float64() < 0.7 {
				a[j*width+i] = F(rng.NormFloat64())
			}
		}
	}
	want, got := make([]F, rows*stride), make([]F, rows*stride)
	for i := range want {
		want[i], got[i] = -7, -7
	}
	panelsOf(l, Inner, want, stride, rows, a, b, nil, d, count)
	innerListedOf(l, got, stride, rows, a, b, index, d, count)
	for i, v := range got {
		if v != want[i] {
			t.Fatalf("%v, width %d, d=%d, share %g, element %d: %v, want %v", l, width, d, share, i, v, want[i])
		}
	}
}

func TestInnerListedRefusesCoordinatesBeyondTheLast(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("coordinate 2 of 2 is read")
		}
	}()
	n := 2 * PanelWidth
	InnerListed(make([]float64, PanelWidth), PanelWidth, 1, make([]float64, n), make([]float64, n), []int32{2}, 2, 1)
}
