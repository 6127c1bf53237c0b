package simd

import (
	"math"
	"math/bits"
)

// fromNormsPlain is [SquaredFromInner] in plain Go.
func fromNormsPlain[F Float](s, cols []F, row, kept F) bool {
	fine := true
	for j, c := range cols[:len(s)] {
		norms := row + c
		s[j] = norms - 2*s[j]
		fine = fine && s[j] >= F(kept*norms) && !math.IsInf(float64(norms), 0)
	}
	return fine
}

// panelsPlain is [Panels] in plain Go: two rows by four columns at a time, whose
// accumulators, with their operands, are what the registers of amd64 hold. Products
// are converted explicitly, which forbids the compiler to fuse them with the sum.
func panelsPlain[F Float](s Statistic, dst []F, stride, rows int, a, b, w []F, d, count int) {
	width := panelWidth[F]()
	d *= s.parts()
	var out [8]F
	for q := range count {
		panel := b[q*d*width : (q+1)*d*width]
		for i := 0; i < rows; i += 2 {
			second := min(1, rows-1-i) // the row itself, where it has no neighbour
			x := a[i : (d-1)*width+i+second+1]
			for c := 0; c < width; c += 4 {
				switch y := panel[c:]; s {
				case Inner:
					innerPlain(&out, width, x, second, y)
				case Squared:
					squaredPlain(&out, width, x, second, y)
				case Weighted:
					weightedPlain(&out, width, x, second, y, w)
				case Minima:
					minimaPlain(&out, width, x, second, y)
				case ChiSquared, HarmonicMeans:
					quotientsPlain(&out, width, s, x, second, y)
				case Common:
					commonPlain(&out, width, x, second, y)
				case HalfPowers, ThreeHalfPowers:
					rootPowersPlain(&out, width, s, x, second, y, w)
				case Manhattan:
					if w != nil {
						manhattanPlain(&out, width, x, second, y, w)
						break
					}
					fallthrough
				default: // SquaredSplit, ManhattanSplit
					partsPlain(&out, width, s, x, second, y)
				}
				at := i*stride + q*width + c
				copy(dst[at:at+4], out[:4])
				copy(dst[at+second*stride:at+second*stride+4], out[4*second:])
			}
		}
	}
}

// The loops below store the statistic of the points in lanes 0 and second of a with
// those in lanes 0, …, 3 of b.

func innerPlain[F Float](out *[8]F, width int, a []F, second int, b []F) {
	var c00, c01, c02, c03, c10, c11, c12, c13 F
	for k := 0; k+second < len(a) && k+3 < len(b); k += width {
		a0, a1 := a[k], a[k+second]
		b0, b1, b2, b3 := b[k], b[k+1], b[k+2], b[k+3]
		c00 += F(a0 * b0)
		c01 += F(a0 * b1)
		c02 += F(a0 * b2)
		c03 += F(a0 * b3)
		c10 += F(a1 * b0)
		c11 += F(a1 * b1)
		c12 += F(a1 * b2)
		c13 += F(a1 * b3)
	}
	*out = [8]F{c00, c01, c02, c03, c10, c11, c12, c13}
}

func squaredPlain[F Float](out *[8]F, width int, a []F, second int, b []F) {
	var c00, c01, c02, c03, c10, c11, c12, c13 F
	for k := 0; k+second < len(a) && k+3 < len(b); k += width {
		a0, a1 := a[k], a[k+second]
		d := a0 - b[k]
		e := a0 - b[k+1]
		c00 += F(d * d)
		c01 += F(e * e)
		d = a0 - b[k+2]
		e = a0 - b[k+3]
		c02 += F(d * d)
		c03 += F(e * e)
		d = a1 - b[k]
		e = a1 - b[k+1]
		c10 += F(d * d)
		c11 += F(e * e)
		d = a1 - b[k+2]
		e = a1 - b[k+3]
		c12 += F(d * d)
		c13 += F(e * e)
	}
	*out = [8]F{c00, c01, c02, c03, c10, c11, c12, c13}
}

func weightedPlain[F Float](out *[8]F, width int, a []F, second int, b, w []F) {
	var c00, c01, c02, c03, c10, c11, c12, c13 F
	for j, k := 0, 0; j < len(w) && k+second < len(a) && k+3 < len(b); j, k = j+1, k+width {
		a0, a1, s := a[k], a[k+second], w[j]
		d := (a0 - b[k]) * s
		e := (a0 - b[k+1]) * s
		c00 += F(d * d)
		c01 += F(e * e)
		d = (a0 - b[k+2]) * s
		e = (a0 - b[k+3]) * s
		c02 += F(d * d)
		c03 += F(e * e)
		d = (a1 - b[k]) * s
		e = (a1 - b[k+1]) * s
		c10 += F(d * d)
		c11 += F(e * e)
		d = (a1 - b[k+2]) * s
		e = (a1 - b[k+3]) * s
		c12 += F(d * d)
		c13 += F(e * e)
	}
	*out = [8]F{c00, c01, c02, c03, c10, c11, c12, c13}
}

func manhattanPlain[F Float](out *[8]F, width int, a []F, second int, b, w []F) {
	var c00, c01, c02, c03, c10, c11, c12, c13 F
	for j, k := 0, 0; j < len(w) && k+second < len(a) && k+3 < len(b); j, k = j+1, k+width {
		a0, a1, s := a[k], a[k+second], w[j]
		c00 += F(abs(a0-b[k]) * s)
		c01 += F(abs(a0-b[k+1]) * s)
		c02 += F(abs(a0-b[k+2]) * s)
		c03 += F(abs(a0-b[k+3]) * s)
		c10 += F(abs(a1-b[k]) * s)
		c11 += F(abs(a1-b[k+1]) * s)
		c12 += F(abs(a1-b[k+2]) * s)
		c13 += F(abs(a1-b[k+3]) * s)
	}
	*out = [8]F{c00, c01, c02, c03, c10, c11, c12, c13}
}

func minimaPlain[F Float](out *[8]F, width int, a []F, second int, b []F) {
	var c00, c01, c02, c03, c10, c11, c12, c13 F
	for k := 0; k+second < len(a) && k+3 < len(b); k += width {
		a0, a1 := a[k], a[k+second]
		b0, b1, b2, b3 := b[k], b[k+1], b[k+2], b[k+3]
		c00 += min(a0, b0)
		c01 += min(a0, b1)
		c02 += min(a0, b2)
		c03 += min(a0, b3)
		c10 += min(a1, b0)
		c11 += min(a1, b1)
		c12 += min(a1, b2)
		c13 += min(a1, b3)
	}
	*out = [8]F{c00, c01, c02, c03, c10, c11, c12, c13}
}

func commonPlain[F Float](out *[8]F, width int, a []F, second int, b []F) {
	var counts [8]int
	for k := 0; k+second < len(a) && k+3 < len(b); k += width {
		a0, a1 := math.Float64bits(float64(a[k])), math.Float64bits(float64(a[k+second]))
		for c, v := range b[k : k+4] {
			word := math.Float64bits(float64(v))
			counts[c] += bits.OnesCount64(a0 & word)
			counts[4+c] += bits.OnesCount64(a1 & word)
		}
	}
	for i, n := range counts {
		out[i] = F(n)
	}
}

// quotientsPlain divides by the smallest number where the sum of the coordinates is 0.
func quotientsPlain[F Float](out *[8]F, width int, s Statistic, a []F, second int, b []F) {
	*out = [8]F{}
	for k := 0; k+second < len(a) && k+3 < len(b); k += width {
		for i := range 2 {
			x := float64(a[k+i*second])
			for c, v := range b[k : k+4] {
				y := float64(v)
				t := float64(x*y) * 2
				if s == ChiSquared {
					t = float64((x - y) * (x - y))
				}
				out[4*i+c] += F(t / max(x+y, math.SmallestNonzeroFloat64))
			}
		}
	}
}

// rootPowersPlain adds powers of differences that are roots, or roots times the differences.
func rootPowersPlain[F Float](out *[8]F, width int, s Statistic, a []F, second int, b, w []F) {
	*out = [8]F{}
	for j, k := 0, 0; j < len(w) && k+second < len(a) && k+3 < len(b); j, k = j+1, k+width {
		for i := range 2 {
			for c, v := range b[k : k+4] {
				d := math.Abs(float64(a[k+i*second] - v))
				t := math.Sqrt(d)
				if s == ThreeHalfPowers {
					t *= d
				}
				out[4*i+c] += F(F(t) * w[j])
			}
		}
	}
}

// partsPlain is for coordinates in one or two parts, the larger ones first.
func partsPlain[F Float](out *[8]F, width int, s Statistic, a []F, second int, b []F) {
	*out = [8]F{}
	parts := s.parts()
	last := (parts - 1) * width
	for k := 0; k+last+second < len(a) && k+last+3 < len(b); k += parts * width {
		for i := range 2 {
			for c := range 4 {
				d := a[k+i*second] - b[k+c]
				if parts == 2 {
					d += a[k+last+i*second] - b[k+last+c]
				}
				if s == SquaredSplit {
					out[4*i+c] += F(d * d)
				} else {
					out[4*i+c] += abs(d)
				}
			}
		}
	}
}

// abs returns |x|.
func abs[F Float](x F) F { return F(math.Abs(float64(x))) }
