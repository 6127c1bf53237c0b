package check

import (
	"math"
	"math/rand/v2"
	"slices"
)

// simple are the numbers that counter-examples are first looked for among, the
// simplest first; the negative of each follows it.
var simple = []float64{
	0, 1, 2, 3, 4, 0.5, 5, 6, 1.5, 8, 0.25, 7, 9, 10, 12, 0.75, 2.5, 16, 0.125, 15, 18, 20, 24, 30, 32, 36,
	0.875, 0.9375, 1.0 / 3, 2.0 / 3, 0.2, 1.0 / 7, 48, 60, 64, 100, 128, 210, 1000, 0x1p-10, 0x1p-20, 1e6,
}

// simpleValues returns the members of the domain among the simple numbers, with
// fractions of a bounded interval and values close to its ends.
func (d Domain) simpleValues() []float64 {
	var out []float64
	add := func(v float64) {
		if d.contains(v) && !slices.Contains(out, v) {
			out = append(out, v)
		}
	}
	for _, v := range simple {
		add(v)
		if v != 0 {
			add(-v)
		}
	}
	if width := d.hi - d.lo; !math.IsInf(width, 0) {
		for j := range 9 {
			add(d.lo + width*float64(j)/8)
		}
		for k := 4; k <= 10; k++ {
			add(d.hi - math.Ldexp(width, -k))
			add(d.lo + math.Ldexp(width, -k))
		}
	} else if !math.IsInf(d.lo, 0) || !math.IsInf(d.hi, 0) { // a half line that starts elsewhere
		for _, v := range simple {
			add(d.lo + v)
			add(d.hi - v)
		}
	}
	return out
}

// random draws a number of the domain: of any size, with a preference for small
// integers and, in a bounded interval, a uniform spread.
func (d Domain) random(rng *rand.Rand) float64 {
	for range 100 {
		v := d.draw(rng)
		if d.whole {
			v = math.Round(v)
		}
		if d.contains(v) {
			return v
		}
	}
	return d.inside()
}

func (d Domain) draw(rng *rand.Rand) float64 {
	loBound, hiBound := !math.IsInf(d.lo, 0), !math.IsInf(d.hi, 0)
	switch {
	case loBound && hiBound:
		return d.lo + (d.hi-d.lo)*rng.Float64()
	case d.whole && rng.IntN(3) == 0: // many common divisors
		return d.fold(float64([]int{1, 2, 3, 4, 6, 12}[rng.IntN(6)] * (1 + rng.IntN(20))))
	case rng.IntN(4) == 0:
		return d.fold(float64(rng.IntN(12)))
	}
	v := math.Exp2(8*rng.Float64() - 4)
	if d.whole {
		v = math.Exp2(8 * rng.Float64())
	}
	if !loBound && !hiBound && rng.IntN(2) == 0 {
		v = -v
	}
	return d.fold(v)
}

// fold moves a number of [0, ∞) to a half line, or gives it a sign.
func (d Domain) fold(v float64) float64 {
	switch {
	case !math.IsInf(d.lo, 0):
		return d.lo + v
	case !math.IsInf(d.hi, 0):
		return d.hi - v
	}
	return v
}

// inside returns some member of the domain.
func (d Domain) inside() float64 {
	for _, v := range d.simpleValues() {
		return v
	}
	return d.lo + (d.hi-d.lo)/2
}

// cost ranks numbers by simplicity: twice the bits of the numerator, six times those
// of the denominator, and one for a minus sign.
func cost(v float64) int {
	if v == 0 {
		return 0
	}
	sign := 0
	if v < 0 {
		sign, v = 1, -v
	}
	fraction, exponent := math.Frexp(v)
	bits := 53
	for mantissa := uint64(fraction * (1 << 53)); mantissa&1 == 0; mantissa >>= 1 {
		bits--
	}
	denominator := max(bits-exponent, 0)
	return 2*(max(exponent, bits)+3*denominator) + sign
}

// simpler returns numbers near v, or among the simplest, that cost less than v, the
// cheapest first.
func simpler(v float64) []float64 {
	var out []float64
	limit := cost(v)
	add := func(w float64) {
		if cost(w) < limit && !slices.Contains(out, w) && !math.IsNaN(w) && !math.IsInf(w, 0) {
			out = append(out, w)
		}
	}
	for _, w := range simple[:12] {
		add(w)
		add(-w)
	}
	for grid := -8; grid <= 12; grid++ {
		add(onGrid(v, grid))
	}
	for bits := 1; bits <= 26; bits++ {
		add(toBits(v, bits))
	}
	slices.SortStableFunc(out, func(a, b float64) int { return cost(a) - cost(b) })
	return out
}

// onGrid rounds v to a multiple of 2^−grid.
func onGrid(v float64, grid int) float64 {
	return math.Ldexp(math.Round(math.Ldexp(v, grid)), -grid) + 0 // not −0
}

// toBits rounds v to that many significant bits.
func toBits(v float64, bits int) float64 {
	_, exponent := math.Frexp(v)
	return onGrid(v, bits-exponent)
}
