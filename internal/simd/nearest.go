package simd

import "math"

// quad is how many rows of a matrix are packed together.
const quad = 4

// Centres are points packed for [Centres.Nearest]. The zero value has none.
type Centres struct {
	d      int
	packed []float64 // groups of four points, coordinate by coordinate
	half   []float64 // ‖c‖²/2, +Inf where a group has no more points
	names  []int64
}

// Pack makes c the given points of d > 0 coordinates, one after the other, in the memory it
// has.
func (c *Centres) Pack(points []float64, d int) {
	k := len(points) / d
	groups := (k + quad - 1) / quad
	c.d = d
	c.packed, c.half, c.names = resized(c.packed, groups*quad*d), resized(c.half, groups*quad), resized(c.names, groups*quad)
	clear(c.packed)
	for j := range c.half {
		c.names[j], c.half[j] = int64(j), math.Inf(1)
		if j >= k {
			continue
		}
		sum, to := 0.0, c.packed[j/quad*quad*d+j%quad:]
		for p, v := range points[j*d : (j+1)*d] {
			to[p*quad] = v
			sum += float64(v * v)
		}
		c.half[j] = sum / 2
	}
}

func resized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// Near is what [Centres.Nearest] finds for the points of a panel. With
// s_ij = ‖c_j‖²/2 − ⟨xᵢ, c_j⟩, from which ‖xᵢ − c_j‖² = ‖xᵢ‖² + 2s_ij, First is the least
// of a point, Second the least of the others (+Inf where there is one centre) and Index
// the first j of the least.
type Near struct {
	First, Second [PanelWidth]float64
	Index         [PanelWidth]int64
}

// Nearest finds the nearest centres of the points of a panel. s_ij is summed from ‖c_j‖²/2
// on, from the first coordinate to the last: its bits depend on the two points only. There
// must be a centre.
func (c *Centres) Nearest(to *Near, x []float64) { c.nearestAt(Best(), to, x) }

func (c *Centres) nearestAt(l Level, to *Near, x []float64) {
	for i := range to.First {
		to.First[i], to.Second[i], to.Index[i] = math.Inf(1), math.Inf(1), 0
	}
	nearestAt(l, c, to, x[:c.d*PanelWidth])
}

// nearestPlain is Nearest in plain Go: four centres at a time.
func nearestPlain(c *Centres, to *Near, x []float64) {
	for g := 0; g < len(c.half); g += quad {
		rows := c.packed[g*c.d : (g+quad)*c.d]
		for i := range PanelWidth {
			sums := quadPlain(c.half[g:g+quad], rows, x[i:], PanelWidth)
			for r, s := range sums {
				to.Second[i] = min(to.Second[i], max(to.First[i], s))
				if s < to.First[i] {
					to.First[i], to.Index[i] = s, c.names[g+r]
				}
			}
		}
	}
}

// quadPlain returns o_r − Σ_p x_p·a_rp for the point in the first lane of x and four packed
// rows of numbers.
func quadPlain(o, rows, x []float64, stride int) [quad]float64 {
	s0, s1, s2, s3 := o[0], o[1], o[2], o[3]
	for p := 0; len(rows) >= quad; p += stride {
		v := x[p]
		s0 -= float64(v * rows[0])
		s1 -= float64(v * rows[1])
		s2 -= float64(v * rows[2])
		s3 -= float64(v * rows[3])
		rows = rows[quad:]
	}
	return [quad]float64{s0, s1, s2, s3}
}
