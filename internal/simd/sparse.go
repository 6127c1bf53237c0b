package simd

import "slices"

// Sparse are points of which only the coordinates that differ from 0 are stored, row by
// row and in rising order: 4 bytes and a number for each.
type Sparse[F Float] struct {
	d     int
	start []int // of the points, and the end of the last
	index []int32
	value []F
}

// Reset makes s empty, in the memory it has, for points of d coordinates. stored is how
// many numbers will follow, as far as that is known.
func (s *Sparse[F]) Reset(d, stored int) {
	s.d = d
	s.start = append(s.start[:0], 0)
	s.index, s.value = slices.Grow(s.index[:0], stored), slices.Grow(s.value[:0], stored)
}

// Append adds a point.
func (s *Sparse[F]) Append(x []F) {
	if len(x) != s.d {
		panic("simd: sparse points of different lengths")
	}
	for j, v := range x {
		if v != 0 {
			s.index, s.value = append(s.index, int32(j)), append(s.value, v)
		}
	}
	s.start = append(s.start, len(s.index))
}

// Len returns the number of points.
func (s *Sparse[F]) Len() int { return max(len(s.start)-1, 0) }

// Stored returns how many coordinates are stored.
func (s *Sparse[F]) Stored() int { return len(s.index) }

// Inner stores the inner products of the points low ≤ i < high with all points of count
// column panels of as many coordinates, which are laid out as [Panels] wants them:
//
//	for low ≤ i < high, c < count·PanelWidth:
//	    dst[(i-low)*stride+c] = Σⱼ sᵢⱼ·b[(c/PanelWidth*d+j)*PanelWidth+c%PanelWidth]
//
// A coordinate that is 0 adds nothing to the sum of [Panels], wherever the other is finite:
// leaving it out, in the same order, gives the same bits, but for a sum of 0 which is
// never −0 here.
func (s *Sparse[F]) Inner(dst []F, stride, low, high int, b []F, count int) {
	s.innerAt(Best(), dst, stride, low, high, b, count)
}

// innerAt is Inner at a level.
func (s *Sparse[F]) innerAt(l Level, dst []F, stride, low, high int, b []F, count int) {
	if count <= 0 {
		return
	}
	width := panelWidth[F]()
	b = b[:count*s.d*width]
	for i := low; i < high; i++ {
		out := dst[(i-low)*stride:][:count*width]
		from, to := s.start[i], s.start[i+1]
		if from == to {
			clear(out)
			continue
		}
		sparseInnerAt(l, out, s.index[from:to], s.value[from:to], b, s.d)
	}
}

// sparseInnerPlain is the inner products of one point, in plain Go: four columns at a time.
func sparseInnerPlain[F Float](out []F, index []int32, value []F, b []F, d int) {
	width := panelWidth[F]()
	for c := 0; c < len(out); c += 4 {
		lanes := b[c/width*d*width+c%width:]
		var c0, c1, c2, c3 F
		for k, j := range index {
			y, v := lanes[int(j)*width:][:4], value[k]
			c0 += F(v * y[0])
			c1 += F(v * y[1])
			c2 += F(v * y[2])
			c3 += F(v * y[3])
		}
		out[c], out[c+1], out[c+2], out[c+3] = c0+0, c1+0, c2+0, c3+0
	}
}
