package simd

import (
	"math"
	"slices"
)

// quad is how many rows of a matrix are packed together.
const quad = 4

// Centres are points packed for [Centres.Nearest], of float64 and named by int64 or of
// float32 and int32: as wide, so that lanes hold either. The zero value has none.
type Centres[F Float, I int32 | int64] struct {
	d      int
	packed []F // groups of four points, coordinate by coordinate
	half   []F // ‖c‖²/2, +Inf where a group has no more points
	names  []I
}

// Pack makes c the given points of d > 0 coordinates, one after the other, in the memory it
// has.
func (c *Centres[F, I]) Pack(points []F, d int) {
	k := len(points) / d
	groups := (k + quad - 1) / quad
	c.d = d
	c.packed, c.half, c.names = resized(c.packed, groups*quad*d), resized(c.half, groups*quad), resized(c.names, groups*quad)
	clear(c.packed)
	for j := range c.half {
		c.names[j], c.half[j] = I(j), F(math.Inf(1))
		if j >= k {
			continue
		}
		sum, to := F(0), c.packed[j/quad*quad*d+j%quad:]
		for p, v := range points[j*d : (j+1)*d] {
			to[p*quad] = v
			sum += F(v * v)
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

// Near is what [Centres.Nearest] finds for the points of a panel, which has [PanelWidth]
// or [PanelWidth32]. With s_ij = ‖c_j‖²/2 − ⟨xᵢ, c_j⟩, from which
// ‖xᵢ − c_j‖² = ‖xᵢ‖² + 2s_ij, First is the least of a point, Second the least of the
// others (+Inf where there is one centre) and Index the first j of the least. Far is the
// largest Second of the panel.
type Near[F Float, I int32 | int64] struct {
	First, Second [PanelWidth32]F
	Index         [PanelWidth32]I
	Far           F
}

// Nearest finds the nearest centres of the points of a panel. s_ij is summed from ‖c_j‖²/2
// on, from the first coordinate to the last: its bits depend on the two points only. There
// must be a centre.
func (c *Centres[F, I]) Nearest(to *Near[F, I], x []F) { c.nearestAt(Best(), to, x) }

func (c *Centres[F, I]) nearestAt(l Level, to *Near[F, I], x []F) {
	width := panelWidth[F]()
	for i := range width {
		to.First[i], to.Second[i], to.Index[i] = F(math.Inf(1)), F(math.Inf(1)), 0
	}
	x = x[:c.d*width]
	if l == Portable {
		nearestPlain(c, to, x, width)
		return
	}
	assembledSearch[F, I](l)(&to.First[0], &to.Second[0], &to.Index[0], &x[0], &c.packed[0], &c.half[0], &c.names[0],
		c.d, len(c.half)/quad, &to.Far)
}

// search is the assembly of Nearest.
type search[F Float, I int32 | int64] func(first, second *F, index *I, x, packed, half *F, names *I, d, groups int, far *F)

// nearestPlain is Nearest in plain Go: four centres at a time.
func nearestPlain[F Float, I int32 | int64](c *Centres[F, I], to *Near[F, I], x []F, width int) {
	for g := 0; g < len(c.half); g += quad {
		rows := c.packed[g*c.d : (g+quad)*c.d]
		for i := range width {
			sums := quadPlain(c.half[g:g+quad], rows, x[i:], width)
			for r, s := range sums {
				to.Second[i] = min(to.Second[i], max(to.First[i], s))
				if s < to.First[i] {
					to.First[i], to.Index[i] = s, c.names[g+r]
				}
			}
		}
	}
	to.Far = slices.Max(to.Second[:width])
}

// quadPlain returns o_r − Σ_p x_p·a_rp for the point in the first lane of x and four packed
// rows of numbers.
func quadPlain[F Float](o, rows, x []F, stride int) [quad]F {
	s0, s1, s2, s3 := o[0], o[1], o[2], o[3]
	for p := 0; len(rows) >= quad; p += stride {
		v := x[p]
		s0 -= F(v * rows[0])
		s1 -= F(v * rows[1])
		s2 -= F(v * rows[2])
		s3 -= F(v * rows[3])
		rows = rows[quad:]
	}
	return [quad]F{s0, s1, s2, s3}
}
