package simd

import (
	"math"
	"slices"
	"testing"

	"mercer/internal/testkit"
)

// minus returns s − x·y as a level computes it: fused, or every operation rounded.
func minus(l Level, s, x, y float64) float64 {
	if l == Portable {
		return s - float64(x*y)
	}
	return math.FMA(-x, y, s)
}

// Nearest compares with the search by the definition to the bit, for many numbers of
// coordinates and centres, some of them equal.
func TestNearestSweep(t *testing.T) {
	rng := testkit.Rand(t, 80)
	for d := 1; d < 40; d++ {
		k := 1 + d*7%23
		x, points := random(rng, d*PanelWidth+d%3)[d%3:], random(rng, k*d)
		copy(points[k/2*d:(k/2+1)*d], points) // a tie
		var c Centres
		c.Pack(make([]float64, 50*d), d) // memory that was used before
		c.Pack(points, d)
		for _, l := range Supported() {
			var got Near
			c.nearestAt(l, &got, x)
			for i := range PanelWidth {
				first, second, index := math.Inf(1), math.Inf(1), int64(0)
				for j := range k {
					s := 0.0
					for _, v := range points[j*d : (j+1)*d] {
						s += float64(v * v)
					}
					s /= 2
					for p, v := range points[j*d : (j+1)*d] {
						s = minus(l, s, x[p*PanelWidth+i], v)
					}
					if s < first {
						first, second, index = s, first, int64(j)
					} else if s < second {
						second = s
					}
				}
				if got.First[i] != first || got.Second[i] != second || got.Index[i] != index {
					t.Fatalf("%v, d=%d, k=%d, point %d: (%v, %v, %d), want (%v, %v, %d)", l, d, k, i, got.First[i], got.Second[i], got.Index[i], first, second, index)
				}
			}
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
