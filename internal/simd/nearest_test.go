package simd

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
)

// minus returns s − x·y as a level computes it: fused, or every operation rounded.
func minus(l Level, s, x, y float64) float64 {
	if l == Portable {
		return s - float64(x*y)
	}
	return math.FMA(-x, y, s)
}

// Nearest compares with the search by the definition to the bit, for many numbers of
// coordinates and centres, some of them equal, in both precisions.
func TestNearestSweep(t *testing.T) {
	for _, l := range Supported() {
		nearestSweep[float64, int64](t, l, func(s, x, y float64) float64 { return minus(l, s, x, y) })
		nearestSweep[float32, int32](t, l, func(s, x, y float32) float32 {
			if l == Portable {
				return s - float32(x*y)
			}
			return fma32(-x, y, s)
		})
	}
}

func nearestSweep[F Float, I int32 | int64](t *testing.T, l Level, minus func(s, x, y F) F) {
	rng, width := testkit.Rand(t, 80), panelWidth[F]()
	numbers := func(n int) []F {
		v := make([]F, n)
		for i := range v {
			v[i] = F(rng.NormFloat64())
		}
		return v
	}
	for d := 1; d < 40; d++ {
		k := 1 + d*7%23
		x, points := numbers(d*width + d%3)[d%3:], numbers(k*d)
		copy(points[k/2*d:(k/2+1)*d], points) // a tie
		var c Centres[F, I]
		c.Pack(make([]F, 50*d), d) // memory that was used before
		c.Pack(points, d)
		var got Near[F, I]
		c.nearestAt(l, &got, x)
		infinity := F(math.Inf(1))
		far := -infinity
		for i := range width {
			first, second, index := infinity, infinity, I(0)
			for j := range k {
				s := F(0)
				for _, v := range points[j*d : (j+1)*d] {
					s += F(v * v)
				}
				s /= 2
				for p, v := range points[j*d : (j+1)*d] {
					s = minus(s, x[p*width+i], v)
				}
				if s < first {
					first, second, index = s, first, I(j)
				} else if s < second {
					second = s
				}
			}
			if got.First[i] != first || got.Second[i] != second || got.Index[i] != index {
				t.Fatalf("%v, %T, d=%d, k=%d, point %d: (%v, %v, %d), want (%v, %v, %d)", l, first, d, k, i, got.First[i], got.Second[i], got.Index[i], first, second, index)
			}
			far = max(far, second)
		}
		if got.Far != far {
			t.Fatalf("%v, %T, d=%d, k=%d: the largest is %v, want %v", l, far, d, k, got.Far, far)
		}
	}
}

// Norms compares with the product and its length to the bit, for many numbers of
// coordinates, maps and strides, and leaves what is around the results alone.
func TestWhitenedNormsSweep(t *testing.T) {
	rng := testkit.Rand(t, 81)
	const guard = -12345.25
	for d := 1; d < 40; d++ {
		count, stride := 1+d*5%7, PanelWidth+d*3%11
		x, a, o := random(rng, d*stride+d%3)[d%3:], random(rng, count*d*d), random(rng, count*d)
		w := NewWhitenings(count, d)
		for j := range count {
			for b := range d {
				w.Set(j, b, a[(j*d+b)*d:(j*d+b+1)*d], o[j*d+b])
			}
		}
		for _, l := range Supported() {
			dst := slices.Repeat([]float64{guard}, count*stride+2)
			w.normsAt(l, dst[1:], x, stride)
			for at, got := range dst {
				j, i, want := (at-1)/stride, (at-1)%stride, guard
				if at > 0 && j < count && i < PanelWidth {
					want = 0
					for b := range d {
						s := o[j*d+b]
						for c := range b + 1 {
							s = minus(l, s, x[c*stride+i], a[(j*d+b)*d+c])
						}
						want = -minus(l, -want, s, s)
					}
				}
				if got != want {
					t.Fatalf("%v, d=%d, stride=%d, map %d, point %d: %v, want %v", l, d, stride, j, i, got, want)
				}
			}
		}
	}
}
