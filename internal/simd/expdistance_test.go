package simd

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
)

// ExpDistances has the bits of the three loops that it replaces, and gives up where the second
// would: points that are equal, norms that overflow and numbers that are none.
func TestExpDistancesIsThreeLoops(t *testing.T) {
	rng := testkit.Rand(t, 99)
	for _, l := range Supported() {
		if !hasExpDistances(l) {
			continue
		}
		for _, d := range []int{1, 2, 17, 40} {
			for rows := 1; rows <= 9; rows++ {
				count := 1 + (rows+d)%4
				for _, bad := range []float64{0, 1, math.Inf(1), math.NaN(), 1e200} {
					expDistancesAgree(t, l, rng, rows, d, count, bad)
				}
			}
		}
	}
}

func expDistancesAgree(t *testing.T, l Level, rng interface{ Float64() float64 }, rows, d, count int, bad float64) {
	t.Helper()
	const rate, width = 0.7, PanelWidth
	stride := count*width + rows%2
	a, b := make([]float64, d*width), make([]float64, count*d*width)
	for _, p := range [][]float64{a, b} {
		for i := range p {
			p[i] = 2*rng.Float64() - 1
		}
	}
	near := rows * 7 % (count * width)
	at := func(k int) *float64 { return &b[near/width*d*width+k*width+near%width] }
	switch {
	case bad == 1: // a pair of equal points
		for k := range d {
			*at(k) = a[k*width+rows-1]
		}
	case bad != 0:
		*at(d - 1) = bad
	}
	norms := func(p []float64, n int) []float64 {
		out := make([]float64, n)
		for i := range out {
			for k := range d {
				v := p[i/width*d*width+k*width+i%width]
				out[i] += v * v
			}
		}
		return out
	}
	rowNorms, colNorms := norms(a, rows), norms(b, count*width)
	got, want := make([]float64, rows*stride), make([]float64, rows*stride)
	fine := expDistancesOf(l, got, stride, a, b, rowNorms, colNorms, d, count, rate)
	panelsOf(l, Inner, want, stride, rows, a, b, nil, d, count)
	all := true
	for i, row := range rowNorms {
		line := want[i*stride:][:count*width]
		all = squaredFromInner(l, line, colNorms, row, KeptShare) && all
		expAt(l, line, line, -rate)
	}
	if fine != all && !math.IsNaN(bad) {
		t.Fatalf("%v, d=%d, rows=%d, count=%d, %v: fine is %v, and %v by three loops", l, d, rows, count, bad, fine, all)
	}
	if fine && !slices.EqualFunc(got, want, func(x, y float64) bool { return x == y || x != x && y != y }) {
		t.Fatalf("%v, d=%d, rows=%d, count=%d: other bits than three loops", l, d, rows, count)
	}
}
