package simd

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
)

var statisticNames = [...]string{Inner: "inner", Squared: "squared", Weighted: "weighted", Manhattan: "manhattan", Minima: "minima",
	HalfPowers: "half powers", ThreeHalfPowers: "three-half powers"}

// fused is the statistic of two points of d coordinates as assembly computes it.
func fused(s Statistic, a, b, w []float64, d int) float64 {
	sum := 0.0
	for j := range d {
		x, y := a[j*PanelWidth], b[j*PanelWidth]
		switch s {
		case Inner:
			sum = math.FMA(x, y, sum)
		case Squared:
			sum = math.FMA(x-y, x-y, sum)
		case Weighted:
			u := (x - y) * w[j]
			sum = math.FMA(u, u, sum)
		case Manhattan:
			sum = math.FMA(w[j], math.Abs(x-y), sum)
		case HalfPowers:
			sum = math.FMA(w[j], math.Sqrt(math.Abs(x-y)), sum)
		case ThreeHalfPowers:
			sum = math.FMA(w[j], math.Abs(x-y)*math.Sqrt(math.Abs(x-y)), sum)
		default:
			sum += min(x, y)
		}
	}
	return sum
}

// unfused is the same with every operation rounded, as plain Go computes it.
func unfused(s Statistic, a, b, w []float64, d int) float64 {
	sum := 0.0
	for j := range d {
		x, y := a[j*PanelWidth], b[j*PanelWidth]
		switch s {
		case Inner:
			sum += float64(x * y)
		case Squared:
			sum += float64((x - y) * (x - y))
		case Weighted:
			u := (x - y) * w[j]
			sum += float64(u * u)
		case Manhattan:
			sum += float64(w[j] * math.Abs(x-y))
		case HalfPowers:
			sum += float64(w[j] * math.Sqrt(math.Abs(x-y)))
		case ThreeHalfPowers:
			sum += float64(w[j] * float64(math.Abs(x-y)*math.Sqrt(math.Abs(x-y))))
		default:
			sum += min(x, y)
		}
	}
	return sum
}

func random(rng interface{ NormFloat64() float64 }, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// TestPanelsSweep compares every element to the bit with the scalar sum, for all
// numbers of coordinates, several of rows from any lane on, of panels and strides, and
// looks at what lies between and around the rows.
func TestPanelsSweep(t *testing.T) {
	rng := testkit.Rand(t, 70)
	const guard = -12345.25
	for _, d := range lengths(0) {
		rows, count, lane := 1+d%PanelWidth, d*7%11, d*5%PanelWidth
		rows = min(rows, PanelWidth-lane)
		stride := count*PanelWidth + d%3
		a := random(rng, d*PanelWidth+d%3)[d%3:] // not aligned
		b, w := random(rng, count*d*PanelWidth+1)[1:], random(rng, d)
		for _, l := range Supported() {
			for s, name := range statisticNames {
				if name == "" {
					continue // has a test of its own
				}
				what := fmt.Sprintf("%v, %s, d=%d, rows=%d, lane=%d, count=%d, stride=%d", l, name, d, rows, lane, count, stride)
				dst := slices.Repeat([]float64{guard}, 5+rows*stride+5)
				from := a[min(lane, len(a)):]
				panelsOf(l, Statistic(s), dst[5:5+rows*stride], stride, rows, from, b, w, d, count)
				for k, v := range dst {
					want, i, c := guard, 0, 0
					if stride > 0 {
						i, c = (k-5)/stride, (k-5)%stride
					}
					if k >= 5 && stride > 0 && i < rows && c < count*PanelWidth {
						want = 0
						if d > 0 {
							y := b[c/PanelWidth*d*PanelWidth+c%PanelWidth:]
							if l == Portable {
								want = unfused(Statistic(s), from[i:], y, w, d)
							} else {
								want = fused(Statistic(s), from[i:], y, w, d)
							}
						}
					}
					if math.Float64bits(v) != math.Float64bits(want) {
						t.Fatalf("%s: element %d (%d,%d) is %v, want %v", what, k-5, i, c, v, want)
					}
				}
			}
		}
	}
}

// All numbers of rows and lanes at one number of coordinates; a pair has the same bits
// whatever is computed beside it and whichever point is the row.
func TestPanelsEveryRowAndLane(t *testing.T) {
	rng := testkit.Rand(t, 71)
	const d = 11
	p, w := random(rng, d*PanelWidth), random(rng, d)
	for _, l := range Supported() {
		for s, name := range statisticNames {
			if name == "" {
				continue
			}
			whole := make([]float64, PanelWidth*PanelWidth)
			panelsOf(l, Statistic(s), whole, PanelWidth, PanelWidth, p, p, w, d, 1)
			for lane := range PanelWidth {
				for rows := 1; rows <= PanelWidth-lane; rows++ {
					part := make([]float64, rows*PanelWidth)
					panelsOf(l, Statistic(s), part, PanelWidth, rows, p[lane:], p, w, d, 1)
					if !slices.Equal(part, whole[lane*PanelWidth:(lane+rows)*PanelWidth]) {
						t.Fatalf("%v, %s: rows %d, …, %d have other bits alone", l, name, lane, lane+rows-1)
					}
				}
				for c := range lane {
					if whole[lane*PanelWidth+c] != whole[c*PanelWidth+lane] {
						t.Fatalf("%v, %s: (%d,%d) and (%d,%d) have different bits", l, name, lane, c, c, lane)
					}
				}
			}
		}
	}
}

func TestPanelsRefuseShortSlices(t *testing.T) {
	full := func() (dst, a, b []float64) {
		return make([]float64, 2*16), make([]float64, 2*16+2), make([]float64, 3*16)
	}
	for what, cut := range map[string]func(dst, a, b *[]float64){
		"dst": func(dst, a, b *[]float64) { *dst = (*dst)[:31] },
		"a":   func(dst, a, b *[]float64) { *a = (*a)[:33] },
		"b":   func(dst, a, b *[]float64) { *b = (*b)[:47] },
	} {
		dst, a, b := full()
		Panels(Inner, dst, 16, 2, a, b, nil, 3, 1) // fits exactly
		cut(&dst, &a, &b)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s too short by one: no panic", what)
				}
			}()
			Panels(Inner, dst, 16, 2, a, b, nil, 3, 1)
		}()
	}
}

func TestSquaredFromInnerSweep(t *testing.T) {
	rng := testkit.Rand(t, 72)
	const guard, kept = -12345.25, 0.125
	for _, l := range Supported() {
		for n := 8; n <= 208; n += 8 {
			for _, spoil := range []float64{0, 1, math.Inf(1), math.NaN()} {
				s := slices.Repeat([]float64{guard}, n+10)
				cols, want := make([]float64, n+1)[1:], make([]float64, n)
				for j := range n {
					cols[j] = 1 + rng.Float64()
					s[5+j] = rng.Float64() - 0.5
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
				fine := fromNormsAt(l, s[5:5+n], cols, 2, kept)
				if fine != (spoil == 0) {
					t.Fatalf("%v, n=%d, spoiled by %v at %d: reports %v", l, n, spoil, at, fine)
				}
				if !math.IsNaN(spoil) {
					checkGuarded(t, fmt.Sprintf("%v, n=%d", l, n), s, 5, want, guard)
				}
			}
		}
	}
	if !SquaredFromInner(nil, nil, 1, kept) {
		t.Error("no columns: one is doubtful")
	}
}

// Words whose bits are random, and all set, counted one by one; as floating-point numbers
// most of them are senseless and some NaN.
func TestCommonCountsBits(t *testing.T) {
	rng := testkit.Rand(t, 74)
	words := func(n int) []float64 {
		w := make([]float64, n)
		for i := range w {
			w[i] = math.Float64frombits(rng.Uint64())
			if i%7 == 0 {
				w[i] = math.Float64frombits(math.MaxUint64)
			}
		}
		return w
	}
	for d := 1; d < 70; d++ {
		count := 1 + d%6
		a, b := words(d*PanelWidth), words(count*d*PanelWidth)
		for lane := range PanelWidth {
			rows := min(1+d%9, PanelWidth-lane)
			for _, l := range Supported() {
				dst := slices.Repeat([]float64{guard}, rows*count*PanelWidth+3)
				panelsOf(l, Common, dst[:len(dst)-3], count*PanelWidth, rows, a[lane:], b, nil, d, count)
				for k, got := range dst {
					want := guard
					if i, c := k/(count*PanelWidth), k%(count*PanelWidth); i < rows {
						want = 0
						for j := range d {
							x := a[lane+i+j*PanelWidth]
							y := b[(c/PanelWidth*d+j)*PanelWidth+c%PanelWidth]
							want += float64(bits.OnesCount64(math.Float64bits(x) & math.Float64bits(y)))
						}
					}
					if got != want {
						t.Fatalf("%v, d=%d, lane %d: element %d is %v, want %v", l, d, lane, k, got, want)
					}
				}
			}
		}
	}
}

// Sums of quotients round every operation, as Go does: the same bits at all levels, with
// many coordinates 0, some in both points.
func TestQuotientsHaveTheBitsOfGo(t *testing.T) {
	rng := testkit.Rand(t, 75)
	points := func(n int) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = max(0, math.Exp(5*rng.NormFloat64())*float64(rng.IntN(3)-1))
		}
		return x
	}
	for d := 1; d < 70; d++ {
		count, lane := 1+d%6, d*5%PanelWidth
		rows := min(1+d%9, PanelWidth-lane)
		a, b := points(d*PanelWidth), points(count*d*PanelWidth)
		for _, s := range []Statistic{ChiSquared, HarmonicMeans} {
			for _, l := range Supported() {
				dst := slices.Repeat([]float64{guard}, rows*count*PanelWidth+3)
				panelsOf(l, s, dst[:len(dst)-3], count*PanelWidth, rows, a[lane:], b, nil, d, count)
				for k, got := range dst {
					want := guard
					if i, c := k/(count*PanelWidth), k%(count*PanelWidth); i < rows {
						want = 0
						for j := range d {
							x, y := a[lane+i+j*PanelWidth], b[(c/PanelWidth*d+j)*PanelWidth+c%PanelWidth]
							switch {
							case x+y == 0:
							case s == ChiSquared:
								want += float64((x-y)*(x-y)) / (x + y)
							default:
								want += float64(x*y) * 2 / (x + y)
							}
						}
					}
					if got != want {
						t.Fatalf("%v, statistic %d, d=%d, lane %d: element %d is %v, want %v", l, s, d, lane, k, got, want)
					}
				}
			}
		}
	}
}
