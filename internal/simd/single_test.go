package simd

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"example.org/mercer/internal/bigmath"
	"example.org/mercer/internal/testkit"
)

var singleNames = map[Statistic]string{
	Inner: "inner", Squared: "squared", Manhattan: "manhattan", Minima: "minima",
	SquaredSplit: "squared of two parts", ManhattanSplit: "manhattan of two parts",
}

// fma32 is x·y + z rounded once: the product is exact in float64, and the sum is rounded
// to odd there, so that rounding it again to float32 is rounding it once.
func fma32(x, y, z float32) float32 {
	p := float64(x) * float64(y)
	s := p + float64(z)
	t := s - p
	rest := (p - (s - t)) + (float64(z) - t)
	if rest != 0 && math.Float64bits(s)&1 == 0 {
		s = math.Nextafter(s, s+math.Copysign(math.MaxFloat64/4, rest))
	}
	return float32(s)
}

// sum32 is the statistic of two points of float32 as assembly computes it, or with every
// operation rounded.
func sum32(s Statistic, a, b []float32, d int, fuse bool) float32 {
	sum := float32(0)
	square := func(x, y float32) {
		if fuse {
			sum = fma32(x, y, sum)
		} else {
			sum += float32(x * y)
		}
	}
	for j := range d {
		if s.parts() == 2 {
			at := 2 * j * PanelWidth32
			diff := (a[at] - b[at]) + (a[at+PanelWidth32] - b[at+PanelWidth32])
			if s == SquaredSplit {
				square(diff, diff)
			} else {
				sum += abs(diff)
			}
			continue
		}
		x, y := a[j*PanelWidth32], b[j*PanelWidth32]
		switch s {
		case Inner:
			square(x, y)
		case Squared:
			square(x-y, x-y)
		case Manhattan:
			sum += abs(x - y)
		default:
			sum += min(x, y)
		}
	}
	return sum
}

func random32(rng interface{ NormFloat64() float64 }, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(rng.NormFloat64())
	}
	return x
}

// TestPanels32Sweep is TestPanelsSweep for float32.
func TestPanels32Sweep(t *testing.T) {
	testkit.SkipUnderRace(t)
	rng := testkit.Rand(t, 80)
	const guard = -12345.25
	for _, d := range lengths(0) {
		lane, count := d*5%PanelWidth32, d*7%11
		rows := min(1+d%17, PanelWidth32-lane)
		stride := count*PanelWidth32 + d%3
		a := random32(rng, 2*d*PanelWidth32+d%3)[d%3:] // not aligned
		b := random32(rng, 2*count*d*PanelWidth32+1)[1:]
		for _, l := range Supported() {
			for s, name := range singleNames {
				what := fmt.Sprintf("%v, %s, d=%d, rows=%d, lane=%d, count=%d, stride=%d", l, name, d, rows, lane, count, stride)
				dst := slices.Repeat([]float32{guard}, 5+rows*stride+5)
				from := a[min(lane, len(a)):]
				panelsOf(l, s, dst[5:5+rows*stride], stride, rows, from, b, nil, d, count)
				for k, v := range dst {
					want, i, c := float32(guard), 0, 0
					if stride > 0 {
						i, c = (k-5)/stride, (k-5)%stride
					}
					if k >= 5 && stride > 0 && i < rows && c < count*PanelWidth32 {
						want = 0
						if d > 0 {
							y := b[c/PanelWidth32*d*s.parts()*PanelWidth32+c%PanelWidth32:]
							want = sum32(s, from[i:], y, d, l != Portable)
						}
					}
					if math.Float32bits(v) != math.Float32bits(want) {
						t.Fatalf("%s: element %d (%d,%d) is %v, want %v", what, k-5, i, c, v, want)
					}
				}
			}
		}
	}
}

// Two points near 10⁶ whose difference is far below the last place of a float32 there.
func TestPartsKeepTheDigitsOfDifferences(t *testing.T) {
	a, b := make([]float32, 2*PanelWidth32), make([]float32, 2*PanelWidth32)
	split := func(p []float32, v float64) {
		p[0] = float32(v)
		p[PanelWidth32] = float32(v - float64(p[0]))
	}
	x, y := 1e6+1./3, 1e6+1./3+1e-3
	split(a, x)
	split(b, y)
	for _, l := range Supported() {
		got := make([]float32, PanelWidth32)
		panelsOf(l, ManhattanSplit, got, PanelWidth32, 1, a, b, nil, 1, 1)
		// Each part was rounded at 2⁻⁴⁹ of 10⁶, their difference at 2⁻²⁴ of itself.
		testkit.Close(t, l.String(), float64(got[0]), y-x, 2*1e6*0x1p-48+1e-3*0x1p-23)
	}
}

func TestSquaredFromInner32Sweep(t *testing.T) {
	rng := testkit.Rand(t, 81)
	const guard, kept = -12345.25, 0.125
	inf, nan := float32(math.Inf(1)), float32(math.NaN())
	for _, l := range Supported() {
		for n := PanelWidth32; n <= 224; n += PanelWidth32 {
			for _, spoil := range []float32{0, 1, inf, nan} {
				s := slices.Repeat([]float32{guard}, n+10)
				cols, want := make([]float32, n+1)[1:], make([]float32, n)
				for j := range n {
					cols[j] = 1 + rng.Float32()
					s[5+j] = rng.Float32() - 0.5
				}
				at := rng.IntN(n)
				switch {
				case spoil == 1: // a distance of almost 0
					s[5+at] = (2 + cols[at]) / 2 * 0.999
				case spoil != 0:
					cols[at] = spoil
				}
				for j := range want {
					want[j] = 2 + cols[j] - 2*s[5+j]
				}
				if fine := squaredFromInner(l, s[5:5+n], cols, 2, kept); fine != (spoil == 0) {
					t.Fatalf("%v, n=%d, spoiled by %v at %d: reports %v", l, n, spoil, at, fine)
				}
				for k, v := range s {
					w := float32(guard)
					if k >= 5 && k < 5+n {
						w = want[k-5]
					}
					if v != w && spoil == spoil {
						t.Fatalf("%v, n=%d: element %d is %v, want %v", l, n, k-5, v, w)
					}
				}
			}
		}
	}
	if !SquaredFromInner32(nil, nil, 1, kept) {
		t.Error("no columns: one is doubtful")
	}
}

// Against 60-bit values over the whole range, subnormal results and seams included.
func TestExp32AgainstExact(t *testing.T) {
	rng := testkit.Rand(t, 82)
	n := 40000
	if testing.Short() {
		n = 6000
	}
	xs := []float32{88.72283, 88.72284, -87.33654, -87.33655, -103.27892, -103.27893, -103.97208, 5e-45, -5e-45}
	for i := range n {
		switch x := 2*rng.Float64() - 1; i % 6 {
		case 0:
			xs = append(xs, float32(-104+17*rng.Float64())) // subnormal results
		case 1:
			xs = append(xs, float32(x*math.Pow(10, -9*rng.Float64())))
		case 2: // the seams between two powers of 2, where |r| is largest
			xs = append(xs, float32((math.Round(120*x)+0.5)*math.Ln2))
		default:
			xs = append(xs, float32(88.8*x))
		}
	}
	for _, l := range Supported() {
		got, worst, where := make([]float32, len(xs)), 0.0, float32(0)
		exp32At(l, got, xs, 1)
		for i, x := range xs {
			exact, err := bigmath.Exp(big.NewFloat(float64(x)), 60)
			if err != nil {
				t.Fatal(err)
			}
			want, _ := exact.Float64()
			nearest := float32(want)
			if math.IsInf(float64(nearest), 1) || math.IsInf(float64(got[i]), 1) {
				if nearest != got[i] && want < math.MaxFloat32 {
					t.Errorf("%v: exp(%v) = %v, want %v", l, x, got[i], nearest)
				}
				continue
			}
			unit := float64(math.Nextafter32(nearest, float32(math.Inf(1))) - nearest)
			if e := math.Abs(float64(got[i])-want) / unit; e > worst {
				worst, where = e, x
			}
		}
		if t.Logf("%v: worst error %.3f units, at %v", l, worst, where); worst > 2 {
			t.Errorf("%v: error of %.2f units in the last place at %v", l, worst, where)
		}
	}
}

func TestExp32AtTheEdges(t *testing.T) {
	inf := float32(math.Inf(1))
	for _, l := range Supported() {
		for x, want := range map[float32]float32{
			0: 1, float32(math.Copysign(0, -1)): 1, inf: inf, -inf: 0, 89: inf, 1e30: inf, -104: 0, -1e30: 0, math.MaxFloat32: inf, -math.MaxFloat32: 0,
		} {
			got := []float32{7}
			if exp32At(l, got, []float32{x}, 1); got[0] != want {
				t.Errorf("%v: exp(%v) = %v, want %v", l, x, got[0], want)
			}
		}
		got := []float32{7}
		if exp32At(l, got, []float32{float32(math.NaN())}, 1); got[0] == got[0] {
			t.Errorf("%v: exp(NaN) = %v", l, got[0])
		}
	}
}

// sweep32 runs a function over all lengths at every offset from alignment, in place and
// not: an element has the bits that it has alone, and nothing else is touched.
func sweep32(t *testing.T, f func(l Level, dst, x []float32, scale float32)) {
	t.Helper()
	rng := testkit.Rand(t, 83)
	const guard, guards = -12345.25, 17
	for _, l := range Supported() {
		for n := range 201 {
			x := slices.Repeat([]float32{guard}, guards+n+guards)
			from, scale := n%guards, 3*rng.Float32()
			part, want := x[from:from+n], slices.Clone(x)
			for i := range part {
				part[i] = 4 * rng.Float32()
				f(l, want[from+i:from+i+1], part[i:i+1], scale)
			}
			before := slices.Clone(x)
			dst := slices.Repeat([]float32{guard}, len(x))
			f(l, dst[from:from+n], part, scale)
			if !slices.Equal(dst, want) {
				t.Fatalf("%v, n=%d: %v, want %v", l, n, dst, want)
			}
			if !slices.Equal(x, before) {
				t.Fatalf("%v, n=%d: the arguments have changed", l, n)
			}
			if f(l, part, part, scale); !slices.Equal(x, want) {
				t.Fatalf("%v, n=%d in place: %v, want %v", l, n, x, want)
			}
		}
	}
}

func TestExp32Sweep(t *testing.T) { sweep32(t, exp32At) }

func TestSqrt32Sweep(t *testing.T) { sweep32(t, sqrt32At) }

// The nearest float32 at every level.
func TestSqrt32RoundsCorrectly(t *testing.T) {
	rng := testkit.Rand(t, 84)
	xs := []float32{0, float32(math.Inf(1)), 1e-45, math.MaxFloat32}
	for range 5000 {
		xs = append(xs, float32(math.Exp(40*rng.NormFloat64())))
	}
	for _, l := range Supported() {
		got := make([]float32, len(xs))
		sqrt32At(l, got, xs, 1)
		for i, x := range xs {
			if want := float32(math.Sqrt(float64(x))); got[i] != want {
				t.Errorf("%v: √%v = %v, want %v", l, x, got[i], want)
			}
		}
	}
}

// TestRows32Sweep compares with sums in float64 by the bound of the rounding errors, at
// all lengths and odd strides, with NaN wherever nothing may be read and guards wherever
// nothing may be written.
func TestRows32Sweep(t *testing.T) {
	rng := testkit.Rand(t, 87)
	const guard = -12345.25
	for _, l := range Supported() {
		for n := range 201 {
			rows, from := n%20, n%17
			lda := n + rng.IntN(4)
			padded := func(count int) []float32 {
				all := slices.Repeat([]float32{float32(math.NaN())}, from+count+17)
				copy(all[from:], random32(rng, count))
				return all[from : from+count]
			}
			a, x, w := padded(rows*lda), padded(n), padded(rows)
			s, y := slices.Repeat([]float32{guard}, from+rows+17), slices.Repeat([]float32{guard}, from+n+17)
			dotAddRowsAt(l, s[from:from+rows], append(y[:from], make([]float32, n)...)[from:], a, lda, x, w)
			check := func(what string, got []float32, count, terms int, term func(k, i int) float64) {
				for k, v := range got {
					if k -= from; k < 0 || k >= count {
						if v != guard {
							t.Fatalf("%v, %d rows of %d, %s: element %d was overwritten", l, rows, n, what, k)
						}
						continue
					}
					sum, size := 0.0, 0.0
					for i := range terms {
						sum += term(k, i)
						size += math.Abs(term(k, i))
					}
					if !(math.Abs(float64(v)-sum) <= float64(terms+2)*0x1p-24*size) {
						t.Fatalf("%v, %d rows of %d, %s: element %d is %v, want %v", l, rows, n, what, k, v, sum)
					}
				}
			}
			check("dots", s, rows, n, func(i, j int) float64 { return float64(a[i*lda+j]) * float64(x[j]) })
			check("sums", y, n, rows, func(j, i int) float64 { return float64(a[i*lda+j]) * float64(w[i]) })
			one, alone := make([]float32, rows), make([]float32, n)
			dotRowsAt(l, one, a, lda, x)
			addRowsAt(l, alone, a, lda, w)
			if !slices.Equal(one, s[from:from+rows]) || !slices.Equal(alone, y[from:from+n]) {
				t.Fatalf("%v, %d rows of %d: the parts of DotAddRows have other bits alone", l, rows, n)
			}
		}
	}
}
