package simd

import "math"

// fromNormsPlain is [SquaredFromInner] in plain Go.
func fromNormsPlain(s, cols []float64, row, kept float64) bool {
	fine := true
	for j, c := range cols[:len(s)] {
		norms := row + c
		s[j] = norms - 2*s[j]
		fine = fine && s[j] >= float64(kept*norms) && norms <= math.MaxFloat64
	}
	return fine
}

// panelsPlain is [Panels] in plain Go: two rows by four columns at a time, whose
// accumulators, with their operands, are what the registers of amd64 hold. Products
// are converted explicitly, which forbids the compiler to fuse them with the sum.
func panelsPlain(s Statistic, dst []float64, stride, rows int, a, b, w []float64, d, count int) {
	var out [8]float64
	for q := range count {
		panel := b[q*d*PanelWidth : (q+1)*d*PanelWidth]
		for i := 0; i < rows; i += 2 {
			second := min(1, rows-1-i) // the row itself, where it has no neighbour
			x := a[i : (d-1)*PanelWidth+i+second+1]
			for c := 0; c < PanelWidth; c += 4 {
				switch y := panel[c:]; s {
				case Inner:
					innerPlain(&out, x, second, y)
				case Squared:
					squaredPlain(&out, x, second, y)
				case Weighted:
					weightedPlain(&out, x, second, y, w)
				case Manhattan:
					manhattanPlain(&out, x, second, y, w)
				default: // Minima
					minimaPlain(&out, x, second, y)
				}
				at := i*stride + q*PanelWidth + c
				copy(dst[at:at+4], out[:4])
				copy(dst[at+second*stride:at+second*stride+4], out[4*second:])
			}
		}
	}
}

// The loops below store the statistic of the points in lanes 0 and second of a with
// those in lanes 0, …, 3 of b.

func innerPlain(out *[8]float64, a []float64, second int, b []float64) {
	var c00, c01, c02, c03, c10, c11, c12, c13 float64
	for k := 0; k+second < len(a) && k+3 < len(b); k += PanelWidth {
		a0, a1 := a[k], a[k+second]
		b0, b1, b2, b3 := b[k], b[k+1], b[k+2], b[k+3]
		c00 += float64(a0 * b0)
		c01 += float64(a0 * b1)
		c02 += float64(a0 * b2)
		c03 += float64(a0 * b3)
		c10 += float64(a1 * b0)
		c11 += float64(a1 * b1)
		c12 += float64(a1 * b2)
		c13 += float64(a1 * b3)
	}
	*out = [8]float64{c00, c01, c02, c03, c10, c11, c12, c13}
}

func squaredPlain(out *[8]float64, a []float64, second int, b []float64) {
	var c00, c01, c02, c03, c10, c11, c12, c13 float64
	for k := 0; k+second < len(a) && k+3 < len(b); k += PanelWidth {
		a0, a1 := a[k], a[k+second]
		d := a0 - b[k]
		e := a0 - b[k+1]
		c00 += float64(d * d)
		c01 += float64(e * e)
		d = a0 - b[k+2]
		e = a0 - b[k+3]
		c02 += float64(d * d)
		c03 += float64(e * e)
		d = a1 - b[k]
		e = a1 - b[k+1]
		c10 += float64(d * d)
		c11 += float64(e * e)
		d = a1 - b[k+2]
		e = a1 - b[k+3]
		c12 += float64(d * d)
		c13 += float64(e * e)
	}
	*out = [8]float64{c00, c01, c02, c03, c10, c11, c12, c13}
}

func weightedPlain(out *[8]float64, a []float64, second int, b, w []float64) {
	var c00, c01, c02, c03, c10, c11, c12, c13 float64
	for j, k := 0, 0; j < len(w) && k+second < len(a) && k+3 < len(b); j, k = j+1, k+PanelWidth {
		a0, a1, s := a[k], a[k+second], w[j]
		d := (a0 - b[k]) * s
		e := (a0 - b[k+1]) * s
		c00 += float64(d * d)
		c01 += float64(e * e)
		d = (a0 - b[k+2]) * s
		e = (a0 - b[k+3]) * s
		c02 += float64(d * d)
		c03 += float64(e * e)
		d = (a1 - b[k]) * s
		e = (a1 - b[k+1]) * s
		c10 += float64(d * d)
		c11 += float64(e * e)
		d = (a1 - b[k+2]) * s
		e = (a1 - b[k+3]) * s
		c12 += float64(d * d)
		c13 += float64(e * e)
	}
	*out = [8]float64{c00, c01, c02, c03, c10, c11, c12, c13}
}

func manhattanPlain(out *[8]float64, a []float64, second int, b, w []float64) {
	var c00, c01, c02, c03, c10, c11, c12, c13 float64
	for j, k := 0, 0; j < len(w) && k+second < len(a) && k+3 < len(b); j, k = j+1, k+PanelWidth {
		a0, a1, s := a[k], a[k+second], w[j]
		c00 += float64(math.Abs(a0-b[k]) * s)
		c01 += float64(math.Abs(a0-b[k+1]) * s)
		c02 += float64(math.Abs(a0-b[k+2]) * s)
		c03 += float64(math.Abs(a0-b[k+3]) * s)
		c10 += float64(math.Abs(a1-b[k]) * s)
		c11 += float64(math.Abs(a1-b[k+1]) * s)
		c12 += float64(math.Abs(a1-b[k+2]) * s)
		c13 += float64(math.Abs(a1-b[k+3]) * s)
	}
	*out = [8]float64{c00, c01, c02, c03, c10, c11, c12, c13}
}

func minimaPlain(out *[8]float64, a []float64, second int, b []float64) {
	var c00, c01, c02, c03, c10, c11, c12, c13 float64
	for k := 0; k+second < len(a) && k+3 < len(b); k += PanelWidth {
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
	*out = [8]float64{c00, c01, c02, c03, c10, c11, c12, c13}
}
