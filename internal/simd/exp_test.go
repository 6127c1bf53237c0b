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

// ulps returns |got − exp(x)| in units of the last place of the result, which are those
// of subnormal numbers where it is one.
func ulps(t *testing.T, x, got float64) float64 {
	t.Helper()
	exact, err := bigmath.Exp(big.NewFloat(x), 100)
	if err != nil {
		t.Fatal(err)
	}
	want, _ := exact.Float64()
	if math.IsInf(want, 1) || math.IsInf(got, 1) {
		if got == want {
			return 0
		}
		return math.Inf(1)
	}
	diff, _ := new(big.Float).Sub(exact, big.NewFloat(got)).Float64()
	return math.Abs(diff) / (math.Nextafter(want, math.Inf(1)) - want)
}

// Against 100-bit values over the whole range, twice as many where the results are
// subnormal or overflow as their share of the range.
func TestExpAgainstExact(t *testing.T) {
	rng := testkit.Rand(t, 60)
	n := 40000
	if testing.Short() {
		n = 6000
	}
	var xs []float64
	for i := range n {
		switch x := 2*rng.Float64() - 1; i % 8 {
		case 0:
			xs = append(xs, -745.2+38*rng.Float64()) // subnormal results
		case 1:
			xs = append(xs, 709.7+0.1*x) // about the largest
		case 2:
			xs = append(xs, x*math.Pow(10, -17*rng.Float64()))
		case 3: // the seams between two powers of 2, where |r| is largest
			xs = append(xs, (math.Round(1000*x)+0.5)*math.Ln2+1e-9*rng.Float64())
		default:
			xs = append(xs, x*math.Pow(10, 3.2*rng.Float64()-0.35))
		}
	}
	for _, l := range Supported() {
		got, worst, where := make([]float64, len(xs)), 0.0, 0.0
		expAt(l, got, xs, 1)
		for i, x := range xs {
			if x < -746 || x > 710 {
				continue // TestExpAtTheEdges
			}
			if e := ulps(t, x, got[i]); e > worst {
				worst, where = e, x
			}
		}
		if t.Logf("%v: worst error %.3f units, at %v", l, worst, where); worst > 2 {
			t.Errorf("%v: error of %.2f units in the last place at %v", l, worst, where)
		}
	}
}

func TestExpAtTheEdges(t *testing.T) {
	xs := []float64{
		0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 5e-324, -5e-324,
		1e300, -1e300, math.MaxFloat64, -math.MaxFloat64, 709.782712893384, 709.7827128933841, 710, 711, 1e4,
		-708.3964185322641, -708.3964185322642, -745.1332191019411, -745.1332191019412, -746, -747, -1e4,
	}
	for _, l := range Supported() {
		for i, x := range xs {
			got := []float64{7, 7}
			expAt(l, got, []float64{x, 0}, 1)
			if math.Abs(x) < 800 { // math.Exp overflows too early on some machines
				if e := ulps(t, x, got[0]); e > 2 {
					t.Errorf("%v: exp(%v) = %v is off by %v units", l, x, got[0], e)
				}
			} else if want := math.Exp(x); got[0] != want && !(math.IsNaN(want) && math.IsNaN(got[0])) {
				t.Errorf("%v: exp(%v) = %v, want %v", l, x, got[0], want)
			}
			if i < 2 && got[0] != 1 || got[1] != 1 {
				t.Errorf("%v: exp(%v), exp(0) = %v, want exactly 1 for 0", l, x, got)
			}
		}
	}
}

// TestExpSweep runs over all lengths at every offset from alignment, in place and not:
// an element has the same bits wherever it lies, and nothing else is touched.
func TestExpSweep(t *testing.T) {
	rng := testkit.Rand(t, 61)
	const guard, guards = -12345.25, 9
	for _, l := range Supported() {
		for n := range 201 {
			x := make([]float64, guards+n+guards)
			for i := range x {
				x[i] = guard
			}
			from, scale := n%guards, 1-3*rng.Float64()
			part := x[from : from+n]
			want := make([]float64, n)
			for i := range part {
				part[i] = 4 * rng.Float64()
				single := []float64{0}
				expAt(l, single, part[i:i+1], scale)
				want[i] = single[0]
			}
			before := slices.Clone(x)
			dst := slices.Repeat([]float64{guard}, len(x))
			expAt(l, dst[guards-from:guards-from+n], part, scale)
			checkGuarded(t, fmt.Sprintf("%v, n=%d", l, n), dst, guards-from, want, guard)
			if !slices.Equal(x, before) {
				t.Fatalf("%v, n=%d: the arguments have changed", l, n)
			}
			expAt(l, part, part, scale)
			checkGuarded(t, fmt.Sprintf("%v, n=%d in place", l, n), x, from, want, guard)
		}
	}
}

// checkGuarded wants the given values from index from on and guards everywhere else.
func checkGuarded(t *testing.T, what string, all []float64, from int, want []float64, guard float64) {
	t.Helper()
	for i, v := range all {
		expected := guard
		if i >= from && i < from+len(want) {
			expected = want[i-from]
		}
		if math.Float64bits(v) != math.Float64bits(expected) {
			t.Fatalf("%s: element %d is %v, want %v", what, i-from, v, expected)
		}
	}
}

// The scale is multiplied in float64 first, as in Go.
func TestExpScale(t *testing.T) {
	rng := testkit.Rand(t, 62)
	for _, l := range Supported() {
		for range 1000 {
			x, scale := 100*rng.Float64(), rng.Float64()-0.5
			a, b := []float64{0}, []float64{0}
			expAt(l, a, []float64{x}, scale)
			expAt(l, b, []float64{float64(scale * x)}, 1)
			if a[0] != b[0] {
				t.Fatalf("%v: exp(%v·%v) = %v, want %v", l, scale, x, a[0], b[0])
			}
		}
		inf := []float64{0}
		if expAt(l, inf, []float64{math.Inf(1)}, 0); !math.IsNaN(inf[0]) {
			t.Errorf("%v: exp(0·∞) = %v, want NaN", l, inf[0])
		}
	}
}
