package simd

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
)

// gaussianCase is row points, panels of column points and their norms. Column near, unless it is
// negative, is the last row point.
func gaussianCase(rng interface{ NormFloat64() float64 }, rows, d, count, near int, spread float64) (a, b, rowNorms, colNorms []float32) {
	const width = PanelWidth32
	a, b = make([]float32, d*width+3), make([]float32, count*d*width)
	for i := range a {
		a[i] = float32(spread * rng.NormFloat64())
	}
	for i := range b {
		b[i] = float32(spread * rng.NormFloat64())
	}
	for k := range d {
		if near >= 0 {
			b[near/width*d*width+k*width+near%width] = a[k*width+rows-1]
		}
	}
	norm := func(p []float32) float32 {
		sum := 0.0
		for k := range d {
			sum += float64(p[k*width]) * float64(p[k*width]) / 2
		}
		return float32(sum)
	}
	for i := range rows {
		rowNorms = append(rowNorms, norm(a[i:]))
	}
	for c := range count * width {
		colNorms = append(colNorms, norm(b[c/width*d*width+c%width:]))
	}
	return a, b, rowNorms, colNorms
}

// Every number of rows that has a loop of its own, beside the two steps that it replaces: the
// inner products, of which GaussianFromInner has the same bits, and math.Exp2 of what they make.
func TestGaussians32Sweep(t *testing.T) {
	const width = PanelWidth32
	rng := testkit.Rand(t, 95)
	for _, l := range Supported() {
		for _, d := range []int{1, 2, 16, 17, 18, 40} {
			for rows := 1; rows <= 9; rows++ {
				count, spread := 1+(rows+d)%3, math.Exp(3*rng.NormFloat64()-2)
				for _, near := range []int{-1, 0, count*width/2 + d%7, count*width - 1} {
					what := fmt.Sprintf("%v, d=%d, rows=%d, count=%d, spread=%g, near=%d", l, d, rows, count, spread, near)
					a, b, rowNorms, colNorms := gaussianCase(rng, rows, d, count, near, spread)
					gaussiansAgree(t, what, l, a, b, rowNorms, colNorms, d, count)
				}
			}
		}
	}
}

func gaussiansAgree(t *testing.T, what string, l Level, a, b, rowNorms, colNorms []float32, d, count int) {
	t.Helper()
	const u, width = 0x1p-24, PanelWidth32
	stride := count*width + len(rowNorms)%2
	got, inner, line := make([]float32, len(rowNorms)*stride), make([]float32, len(rowNorms)*stride), make([]float32, count*width)
	fine := gaussiansOf(l, got, stride, a, b, rowNorms, colNorms, d, count)
	panelsOf(l, Inner, inner, stride, len(rowNorms), a, b, nil, d, count)
	all, doubtful := true, false
	for i, row := range rowNorms {
		from := inner[i*stride:][:count*width]
		all = gaussianFromInnerOf(l, line, from, colNorms, row) && all
		if !slices.Equal(got[i*stride:][:count*width], line) {
			t.Fatalf("%s: row %d has other bits than the two steps", what, i)
		}
		for j, c := range colNorms {
			norms := row + c
			s := norms - from[j]
			doubtful = doubtful || !(s >= KeptShare*norms)
			want := math.Exp2(-float64(s))
			bound := 2*u*want + 0x1p-126
			if l != AVX512 {
				bound += 2 * math.Abs(float64(s)) * u * want
			}
			if off := math.Abs(float64(line[j]) - want); !(off <= bound) {
				t.Fatalf("%s: 2^−%v = %v, want %v within %.3g", what, s, line[j], want, bound)
			}
		}
	}
	if fine != all || fine == doubtful {
		t.Fatalf("%s: fine is %v, by rows %v, and doubtful %v", what, fine, all, doubtful)
	}
}

// One lane in doubt is enough, wherever it is, and none is where s is exactly an eighth.
func TestGaussianFromInnerGivesUp(t *testing.T) {
	for _, l := range Supported() {
		givesUp(t, l)
	}
}

func givesUp(t *testing.T, l Level) {
	n := 3 * PanelWidth32
	inner, cols, dst := make([]float32, n), make([]float32, n), make([]float32, n)
	for j := range n {
		cols[j], inner[j] = float32(j), float32(7*(float64(j)+1)/8) // norms j + 1
	}
	if !gaussianFromInnerOf(l, dst, inner, cols, 1) {
		t.Errorf("%v: an eighth is in doubt", l)
	}
	for bad := range n {
		kept := inner[bad]
		inner[bad] += float32(float64(bad)+1) / 1024
		if gaussianFromInnerOf(l, dst, inner, cols, 1) {
			t.Errorf("%v: lane %d is not in doubt", l, bad)
		}
		inner[bad] = kept
	}
	clear(inner)
	clear(cols)
	if !gaussianFromInnerOf(l, dst, inner, cols, 0) || dst[0] != 1 || dst[n-1] != 1 {
		t.Errorf("%v: equal points at the origin are in doubt, or 2^−0 = %v", l, dst[0])
	}
}

func TestGaussianAtTheEdges(t *testing.T) {
	for _, l := range Supported() {
		gaussianEdges(t, l, 151)
	}
}

func gaussianEdges(t *testing.T, l Level, end float32) {
	inner, cols, dst := make([]float32, PanelWidth32), make([]float32, PanelWidth32), make([]float32, PanelWidth32)
	cols[1], cols[2], cols[3] = end, 1e30, float32(math.Inf(1))
	inner[4], cols[5] = float32(math.NaN()), float32(math.NaN())
	gaussianFromInnerOf(l, dst, inner, cols, 0)
	for j, want := range []float32{1, 0, 0, 0} {
		if dst[j] != want {
			t.Errorf("%v: 2^−%v = %v, want %v", l, cols[j], dst[j], want)
		}
	}
	if dst[4] == dst[4] || dst[5] == dst[5] {
		t.Errorf("%v: NaN becomes %v and %v", l, dst[4], dst[5])
	}
}
