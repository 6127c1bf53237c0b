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

// worstUlps returns the largest error of f over xs in units of the last place of the
// result, those of subnormal numbers where it is one.
func worstUlps(t *testing.T, l Level, f func(l Level, dst, x []float64, scale float64), exact func(x *big.Float, prec uint) (*big.Float, error), xs []float64) float64 {
	t.Helper()
	got, worst, where := make([]float64, len(xs)), 0.0, 0.0
	f(l, got, xs, 1)
	for i, x := range xs {
		v, err := exact(big.NewFloat(x), 100)
		if err != nil {
			t.Fatal(err)
		}
		want, _ := v.Float64()
		diff, _ := new(big.Float).Sub(v, big.NewFloat(got[i])).Float64()
		if e := math.Abs(diff) / (math.Nextafter(math.Abs(want), math.Inf(1)) - math.Abs(want)); e > worst || math.IsNaN(got[i]) {
			worst, where = e, x
		}
	}
	t.Logf("%v: worst error %.3f units, at %v", l, worst, where)
	return worst
}

// spread returns positive numbers over the whole range of float64, subnormal ones
// included, and as many near 1.
func spread(t *testing.T, seed uint64) []float64 {
	rng := testkit.Rand(t, seed)
	n := 4000
	if testing.Short() {
		n = 800
	}
	xs := []float64{5e-324, 0x1p-1022, 0x1p-1023, math.MaxFloat64, math.Sqrt2 / 2, math.Sqrt2, math.Nextafter(1, 2), math.Nextafter(1, 0)}
	for i := range n {
		switch i % 4 {
		case 0:
			xs = append(xs, math.Ldexp(1+rng.Float64(), rng.IntN(2097)-1074))
		case 1:
			xs = append(xs, 1+math.Ldexp(rng.Float64()-0.5, -rng.IntN(50)))
		case 2:
			xs = append(xs, math.Sqrt2/2+1e-3*(rng.Float64()-0.5))
		default:
			xs = append(xs, 50*rng.Float64())
		}
	}
	return xs
}

func TestLogAgainstExact(t *testing.T) {
	xs := slices.DeleteFunc(spread(t, 90), func(x float64) bool { return x == 1 })
	for _, l := range Supported() {
		var normal, tiny []float64
		for _, x := range xs {
			if x < 0x1p-1022 {
				tiny = append(tiny, x)
			} else {
				normal = append(normal, x)
			}
		}
		if e := worstUlps(t, l, logAt, bigmath.Log, normal); !(e <= 1) {
			t.Errorf("%v: error of %.2f units in the last place", l, e)
		}
		if e := worstUlps(t, l, logAt, bigmath.Log, tiny); !(e <= 2) {
			t.Errorf("%v: error of %.2f units in the last place at subnormal numbers", l, e)
		}
	}
}

func TestLog1pAgainstExact(t *testing.T) {
	xs := spread(t, 91)
	for _, l := range Supported() {
		if e := worstUlps(t, l, log1pAt, bigmath.Log1p, xs); !(e <= 2) {
			t.Errorf("%v: error of %.2f units in the last place", l, e)
		}
	}
}

func TestTanhAgainstExact(t *testing.T) {
	xs := spread(t, 92)
	for i, x := range xs {
		if x > 30 { // where it is 1
			xs[i] = 30 * math.Mod(x, 1)
		}
		if i%2 == 1 {
			xs[i] = -xs[i]
		}
	}
	xs = slices.DeleteFunc(xs, func(x float64) bool { return x == 0 })
	for _, l := range Supported() {
		if e := worstUlps(t, l, tanhAt, bigmath.Tanh, xs); !(e <= 3) {
			t.Errorf("%v: error of %.2f units in the last place", l, e)
		}
	}
}

func TestProfilesAtTheEdges(t *testing.T) {
	inf, nan, minus := math.Inf(1), math.NaN(), math.Copysign(0, -1)
	for _, l := range Supported() {
		for name, c := range map[string]struct {
			f      func(l Level, dst, x []float64, scale float64)
			x, out []float64
		}{
			"log":   {logAt, []float64{0, minus, 1, -1, -5e-324, inf, -inf, nan}, []float64{-inf, -inf, 0, nan, nan, inf, nan, nan}},
			"log1p": {log1pAt, []float64{0, 5e-324, 1e-300, inf, nan, math.MaxFloat64}, []float64{0, 5e-324, 1e-300, inf, nan, math.Log(math.MaxFloat64)}},
			"tanh":  {tanhAt, []float64{0, minus, 5e-324, -1e-300, 25, -25, 1e300, inf, -inf, nan}, []float64{0, minus, 5e-324, -1e-300, 1, -1, 1, 1, -1, nan}},
		} {
			got := make([]float64, len(c.x))
			c.f(l, got, c.x, 1)
			for i, want := range c.out {
				if math.Float64bits(got[i]) != math.Float64bits(want) && !(math.IsNaN(want) && math.IsNaN(got[i])) {
					t.Errorf("%v: %s(%v) = %v, want %v", l, name, c.x[i], got[i], want)
				}
			}
		}
	}
}

func TestTanhIsOdd(t *testing.T) {
	rng := testkit.Rand(t, 93)
	for _, l := range Supported() {
		for range 1000 {
			x := math.Exp(10*rng.Float64() - 7)
			pair := []float64{x, -x}
			if tanhAt(l, pair, pair, 1); pair[0] != -pair[1] {
				t.Fatalf("%v: tanh(±%v) = %v, %v", l, x, pair[0], pair[1])
			}
		}
	}
}

// sweep runs a function over all lengths at every offset from alignment, in place and
// not: an element has the bits that it has alone, and nothing else is touched.
func sweep(t *testing.T, f func(l Level, dst, x []float64, scale float64)) {
	t.Helper()
	rng := testkit.Rand(t, 94)
	const guards = 9
	for _, l := range Supported() {
		for n := range 201 {
			x := slices.Repeat([]float64{guard}, guards+n+guards)
			from, scale := n%guards, 3*rng.Float64()
			part, want := x[from:from+n], slices.Clone(x)
			for i := range part {
				part[i] = 4 * rng.Float64()
				f(l, want[from+i:from+i+1], part[i:i+1], scale)
			}
			before, dst := slices.Clone(x), slices.Repeat([]float64{guard}, len(x))
			if f(l, dst[from:from+n], part, scale); !slices.Equal(dst, want) {
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

func TestProfilesSweep(t *testing.T) {
	sweep(t, logAt)
	sweep(t, log1pAt)
	sweep(t, tanhAt)
}

func TestArithmeticSweep(t *testing.T) {
	arithmeticSweep[float64](t)
	arithmeticSweep[float32](t)
}

// arithmeticSweep compares with plain Go to the bit, at all lengths and offsets, and
// wants guards untouched.
func arithmeticSweep[F Float](t *testing.T) {
	rng := testkit.Rand(t, 95)
	const guards = 17
	for _, l := range Supported() {
		for n := range 201 {
			from := n % guards
			fresh := func() (all, part []F) {
				all = slices.Repeat([]F{guard}, guards+n+guards)
				part = all[from : from+n]
				for i := range part {
					part[i] = F(rng.NormFloat64())
				}
				return all, part
			}
			_, x := fresh()
			_, y := fresh()
			power := rng.IntN(20)
			for name, f := range map[string][2]func(dst []F){
				"affine":                    {func(dst []F) { affineAt(l, dst, x, 1.7, -0.3) }, func(dst []F) { affinePlain(dst, x, 1.7, -0.3) }},
				"add":                       {func(dst []F) { addAt(l, dst, x, y) }, func(dst []F) { addPlain(dst, x, y) }},
				"multiply":                  {func(dst []F) { multiplyAt(l, dst, x, y) }, func(dst []F) { multiplyPlain(dst, x, y) }},
				"larger":                    {func(dst []F) { largerAt(l, dst, x, y) }, func(dst []F) { largerPlain(dst, x, y) }},
				fmt.Sprint("power ", power): {func(dst []F) { powersAt(l, dst, x, power) }, func(dst []F) { powersPlain(dst, x, power) }},
			} {
				got, part := fresh()
				want := slices.Clone(got)
				f[0](part)
				f[1](want[from : from+n])
				if !slices.Equal(got, want) {
					t.Fatalf("%v, %s of %d %T: %v, want %v", l, name, n, F(0), got, want)
				}
			}
		}
	}
}

// Powers against exact arithmetic, by the stated bound.
func TestPowIntAgainstExact(t *testing.T) {
	rng := testkit.Rand(t, 96)
	for _, l := range Supported() {
		for n := range 40 {
			x := 0.5 + rng.Float64()
			got := []float64{0}
			powersAt(l, got, []float64{x}, n)
			want, err := bigmath.PowInt(big.NewFloat(x), int64(n), 100)
			if err != nil {
				t.Fatal(err)
			}
			off, _ := new(big.Float).Quo(new(big.Float).Sub(big.NewFloat(got[0]), want), want).Float64()
			if steps := float64(max(n-1, 0)) * 0x1p-53; !(math.Abs(off) <= steps/(1-steps)) {
				t.Errorf("%v: %v^%d is off by %g", l, x, n, off)
			}
		}
		edge := []float64{0, math.Inf(-1), math.NaN()}
		powersAt(l, edge, edge, 3)
		if edge[0] != 0 || !math.IsInf(edge[1], -1) || !math.IsNaN(edge[2]) {
			t.Errorf("%v: cubes of 0, −Inf and NaN are %v", l, edge)
		}
	}
}
