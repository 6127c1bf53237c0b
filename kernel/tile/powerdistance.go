package tile

import (
	"math"

	"example.org/mercer/internal/simd"
)

// powerDistance returns Σⱼ wⱼ|xⱼ−yⱼ|^p.
func (s *Statistic) powerDistance(x, y []float64) float64 {
	sum := 0.0
	for j, v := range x {
		d := DifferencePower(v-y[j], s.Exponent)
		if s.Weights != nil {
			d *= s.Weights[j]
		}
		sum += d
	}
	return sum
}

// DifferencePower returns |d|^p, by roots where p is ½ or 3/2.
func DifferencePower(d, p float64) float64 {
	d = math.Abs(d)
	switch p {
	case 0.5:
		return math.Sqrt(d)
	case 1.5:
		return d * math.Sqrt(d)
	}
	return math.Pow(d, p)
}

// rootLoops are the exponents whose powers are roots, with their loops over panels.
var rootLoops = map[float64]simd.Statistic{0.5: simd.HalfPowers, 1.5: simd.ThreeHalfPowers}

// rootPrice and logarithmPrice are what a coordinate takes whose power is a root, and one
// whose power is exp(p·log|d|), in coordinates of the fastest loop.
const rootPrice, logarithmPrice = 8, 40

// powerPrice is that of a coordinate of a power distance.
func (f *field) powerPrice() int {
	if _, ok := rootLoops[f.stat.Exponent]; ok {
		return rootPrice
	}
	return logarithmPrice
}

// byLogarithms reports whether powers of differences are exp(p·log|d|).
func (f *field) byLogarithms() bool {
	if f.stat.Kind != PowerDistance {
		return false
	}
	_, root := rootLoops[f.stat.Exponent]
	return !root
}

// fillPowers stores power distances of any exponent. Of a row and a column panel
//
//  1. it takes all differences |xⱼ−yⱼ|,
//  2. raises them by exp(p·log|d|), where log 0 = −∞ and exp(−∞) = 0,
//  3. adds them from the first coordinate to the last.
//
// The vectors of step 2 are as long as a panel, which is what makes logarithm and
// exponential cheap. A power is right to (2 + p|log|d||)·2⁻⁵² relative to itself.
func (f *field) fillPowers(dst []float64, stride, low, high, from, to int) {
	const width = simd.PanelWidth
	size := f.cols.d * width
	powers := make([]float64, size)
	for q := from; q < to; q++ {
		panel := f.cols.panels[q*size : (q+1)*size]
		for i := low; i < high; i++ {
			x, out := f.rows.lane(i), dst[(i-low)*stride+(q-from)*width:][:width]
			clear(out)
			for k := range powers {
				powers[k] = math.Abs(x[k/width*width] - panel[k])
			}
			simd.Log(powers, powers, 1)
			simd.Exp(powers, powers, f.stat.Exponent)
			for j, w := range f.weights {
				for c, v := range powers[j*width : (j+1)*width] {
					out[c] += float64(w * v)
				}
			}
		}
	}
}
