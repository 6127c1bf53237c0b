package tile

import "math"

// centre returns the point that is subtracted before squared distances are computed from
// norms: the origin where [points.mostlyZero] holds, or in each coordinate the value that at least
// half of a sample of the rows have, as in columns of one-hot codes, standardised or not, or else
// the mean of the sample. A common offset is gone in either way, and where most rows have the same
// value they have 0 afterwards, whose products can be left out.
//
// Norms stay small: with a share s ≥ ½ of the value v and the mean m of the others, the
// variance is at least s(1−s)(m−v)², and the mean square about v exceeds it by
// ((1−s)(m−v))², no more than (1−s)/s ≤ 1 times as much.
func (p *points) centre(weights []float64) []float64 {
	c, count := make([]float64, p.d), p.sample()
	for i := range count {
		for j, v := range p.at(i) {
			c[j] += v
		}
	}
	for j := range c {
		c[j] /= float64(max(count, 1))
	}
	if p.mostlyZero(c, weights) {
		clear(c)
		return c
	}
	for j, v := range p.majority(count) {
		if !math.IsNaN(v) {
			c[j] = v
		}
	}
	return c
}

// majority returns for each coordinate the value that at least half of the first count
// rows have, or NaN: a candidate by the vote of Boyer and Moore (1981), each row with
// another value taking off one with it, and then its number.
func (p *points) majority(count int) []float64 {
	value, lead := make([]float64, p.d), make([]int, p.d)
	for i := range count {
		for j, v := range p.at(i) {
			switch {
			case lead[j] == 0:
				value[j], lead[j] = v, 1
			case value[j] == v:
				lead[j]++
			default:
				lead[j]--
			}
		}
	}
	clear(lead)
	for i := range count {
		for j, v := range p.at(i) {
			if v == value[j] {
				lead[j]++
			}
		}
	}
	for j, rows := range lead {
		if count == 0 || 2*rows < count {
			value[j] = math.NaN()
		}
	}
	return value
}
