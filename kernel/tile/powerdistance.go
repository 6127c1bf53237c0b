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

// DifferencePower returns |d|^p, by roots where 4p is a whole number below 8 and p is not 1.
func DifferencePower(d, p float64) float64 {
	d = math.Abs(d)
	switch {
	case p == 0.5:
		return math.Sqrt(d)
	case p == 1.5:
		return d * math.Sqrt(d)
	case fourthRoots(p):
		root := math.Sqrt(d)
		return byFourthRoot(d, root, math.Sqrt(root), p > 1, isThree(p))
	}
	return math.Pow(d, p)
}

// fourthRoots reports whether a power is √√d times some of d and √d.
func fourthRoots(p float64) bool { return p == 0.25 || p == 0.75 || p == 1.25 || p == 1.75 }

// isThree reports whether the power has three fourth roots beside whole ones.
func isThree(p float64) bool { return p == 0.75 || p == 1.75 }

// byFourthRoot returns √√d, times √d where it has three and times d where it has a whole.
func byFourthRoot(d, root, fourth float64, whole, three bool) float64 {
	if three && whole {
		return d * root * fourth
	}
	if three {
		return root * fourth
	}
	if whole {
		return d * fourth
	}
	return fourth
}

// rootLoops are the exponents whose powers are roots, with their loops over panels.
var rootLoops = map[float64]simd.Statistic{0.5: simd.HalfPowers, 1.5: simd.ThreeHalfPowers}

// The prices of a coordinate, in coordinates of the fastest loop: whose power is a root, whose
// power takes a root of a root, and whose power is exp(p·log|d|).
const rootPrice, fourthRootPrice, logarithmPrice = 8, 16, 40

// powerPrice is that of a coordinate of a power distance.
func (f *field) powerPrice() int {
	if _, ok := rootLoops[f.stat.Exponent]; ok {
		return rootPrice
	}
	if fourthRoots(f.stat.Exponent) {
		return fourthRootPrice
	}
	return logarithmPrice
}

// byVectors reports whether the differences of two panels are raised together.
func (f *field) byVectors() bool {
	if f.stat.Kind != PowerDistance {
		return false
	}
	_, root := rootLoops[f.stat.Exponent]
	return !root
}

// fillPowers stores power distances of any exponent. Of a row and a column panel
//
//  1. it takes all differences |xⱼ−yⱼ|,
//  2. raises them by roots of roots where these will do, and else by exp(p·log|d|), where
//     log 0 = −∞ and exp(−∞) = 0,
//  3. adds them from the first coordinate to the last.
//
// The vectors of step 2 are as long as a panel, which is what makes root, logarithm and
// exponential cheap. A power is right to (2 + p|log|d||)·2⁻⁵² relative to itself.
func (f *field) fillPowers(dst []float64, stride, low, high, from, to int) {
	const width = simd.PanelWidth
	size := f.cols.d * width
	powers, raise := make([]float64, size), f.raiser(size)
	for q := from; q < to; q++ {
		panel := f.cols.panels[q*size : (q+1)*size]
		for i := low; i < high; i++ {
			x, out := f.rows.lane(i), dst[(i-low)*stride+(q-from)*width:][:width]
			clear(out)
			for k := range powers {
				powers[k] = math.Abs(x[k/width*width] - panel[k])
			}
			raise(powers)
			for j, w := range f.weights {
				for c, v := range powers[j*width : (j+1)*width] {
					out[c] += float64(w * v)
				}
			}
		}
	}
}

// raiser returns what raises so many differences to the power of the statistic, in place.
func (f *field) raiser(size int) func(d []float64) {
	p := f.stat.Exponent
	if !fourthRoots(p) {
		return func(d []float64) {
			simd.Log(d, d, 1)
			simd.Exp(d, d, p)
		}
	}
	root, fourth, whole, three := make([]float64, size), make([]float64, size), p > 1, isThree(p)
	return func(d []float64) {
		simd.Sqrt(root, d, 1)
		simd.Sqrt(fourth, root, 1)
		for i, v := range fourth {
			d[i] = byFourthRoot(d[i], root[i], v, whole, three)
		}
	}
}
