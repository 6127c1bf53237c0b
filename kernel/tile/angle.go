package tile

import (
	"math"

	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel/network"
)

// turnedShare is the part of 1 by which |cos| must stay below it for an angle to be taken from its
// cosine: an error δ of the cosine is one of δ/sin of the angle, here at most 4δ.
const turnedShare = 1. / 32

// angle is the definition of [Angle], by the lengths of the difference and of the sum of unit
// vectors. With d = x − y, s = x + y and κ = ⟨d, s⟩/(‖x‖+‖y‖)² these are ‖d − κs‖ and ‖s − κd‖ but
// for a factor, of which no digits are lost where points are near one another or opposite.
func angle(x, y []float64) float64 {
	return angleOf(x, y, math.Sqrt(Dot(x, x)), math.Sqrt(Dot(y, y)))
}

// angleOf is the angle between points of the lengths a and b; with the point 0 it is π/2.
func angleOf(x, y []float64, a, b float64) float64 {
	if a == 0 || b == 0 {
		return math.Pi / 2
	}
	scale := 1 / (a + b)
	kappa := 0.0
	for j, v := range x {
		w := y[j]
		kappa += float64(float64((v-w)*scale) * float64((v+w)*scale))
	}
	apart, along := 0.0, 0.0
	for j, v := range x {
		d, s := (v-y[j])*scale, (v+y[j])*scale
		less, more := d-float64(kappa*s), s-float64(kappa*d)
		apart += float64(less * less)
		along += float64(more * more)
	}
	return 2 * math.Atan2(math.Sqrt(apart), math.Sqrt(along))
}

// angles turns inner products into angles.
func (f *field) angles(dst []float64, stride, low, high, from, to int) {
	first := from * simd.PanelWidth
	cols := f.cols.norms[first:min(to*simd.PanelWidth, f.cols.n)]
	for i := low; i < high; i++ {
		s := dst[(i-low)*stride : (i-low)*stride+len(cols)]
		row := math.Sqrt(f.rows.norms[i])
		for j, c := range cols {
			col := math.Sqrt(c)
			if cos := s[j] / (row * col); math.Abs(cos) <= 1-turnedShare {
				s[j] = math.Acos(cos)
			} else {
				s[j] = angleOf(f.rows.at(i), f.cols.at(first+j), row, col)
			}
		}
	}
}

// networks stores the kernels of a network of the angles t of a point with others, of squared norms
// row and cols. wide is workspace of [chunk] numbers.
func networks[F float](numbers []float64, dst, t []F, row F, cols []F, wide []float64) {
	n := network.Of(numbers)
	if angles, ok := any(t).([]float64); ok {
		n.Values(any(dst).([]float64), angles, float64(row), any(cols).([]float64))
		return
	}
	var norms [chunk]float64
	for len(t) > 0 {
		count := min(chunk, len(t))
		for j, v := range t[:count] {
			wide[j], norms[j] = float64(v), float64(cols[j])
		}
		n.Values(wide[:count], wide[:count], float64(row), norms[:count])
		for j, v := range wide[:count] {
			dst[j] = F(v)
		}
		dst, t, cols = dst[count:], t[count:], cols[min(count, len(cols)):]
	}
}

// inRange reports whether squared norms have the range of float32, or are 0.
func inRange(norms []float64) bool {
	for _, v := range norms {
		if v != 0 && !(v >= 1/singleRange && v <= singleRange) {
			return false
		}
	}
	return true
}
