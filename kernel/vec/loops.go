package vec

import "math"

// The loops over panels, which generated assembly may replace. A panel holds the
// coordinates of panelWidth points interleaved: coordinate j of point i is
// panel[j*panelWidth+i]. Each loop stores the statistic of every point of panel a
// with every point of panel b in out, row by row.
//
// A value is added from the first coordinate to the last in one accumulator, whatever
// its place in a panel: its bits depend on the two points only. Products are converted
// explicitly, which forbids the compiler to fuse them with the sum on some machines.

// panelWidth is the number of points in a panel. Two rows by four columns of
// accumulators, with their operands, are what the fifteen floating-point registers of
// amd64 hold; a block of four rows is computed as two halves.
const panelWidth = 4

// block is the statistic of two panels, row-major.
type block [panelWidth * panelWidth]float64

// innerLoop stores Σⱼ aⱼbⱼ.
func innerLoop(out *block, a, b []float64) {
	innerHalf(out[:8], a, b)
	innerHalf(out[8:], a[2:], b)
}

func innerHalf(out, a, b []float64) {
	var c00, c01, c02, c03, c10, c11, c12, c13 float64
	for k := 0; k+1 < len(a) && k+3 < len(b); k += panelWidth {
		a0, a1 := a[k], a[k+1]
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
	*(*[8]float64)(out) = [8]float64{c00, c01, c02, c03, c10, c11, c12, c13}
}

// squaredLoop stores Σⱼ (aⱼ−bⱼ)².
func squaredLoop(out *block, a, b []float64) {
	squaredHalf(out[:8], a, b)
	squaredHalf(out[8:], a[2:], b)
}

func squaredHalf(out, a, b []float64) {
	var c00, c01, c02, c03, c10, c11, c12, c13 float64
	for k := 0; k+1 < len(a) && k+3 < len(b); k += panelWidth {
		a0, a1 := a[k], a[k+1]
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
	*(*[8]float64)(out) = [8]float64{c00, c01, c02, c03, c10, c11, c12, c13}
}

// weightedLoop stores Σⱼ (wⱼ(aⱼ−bⱼ))².
func weightedLoop(out *block, a, b, w []float64) {
	weightedHalf(out[:8], a, b, w)
	weightedHalf(out[8:], a[2:], b, w)
}

func weightedHalf(out, a, b, w []float64) {
	var c00, c01, c02, c03, c10, c11, c12, c13 float64
	for j, k := 0, 0; j < len(w) && k+1 < len(a) && k+3 < len(b); j, k = j+1, k+panelWidth {
		a0, a1, s := a[k], a[k+1], w[j]
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
	*(*[8]float64)(out) = [8]float64{c00, c01, c02, c03, c10, c11, c12, c13}
}

// manhattanLoop stores Σⱼ wⱼ|aⱼ−bⱼ|.
func manhattanLoop(out *block, a, b, w []float64) {
	manhattanHalf(out[:8], a, b, w)
	manhattanHalf(out[8:], a[2:], b, w)
}

func manhattanHalf(out, a, b, w []float64) {
	var c00, c01, c02, c03, c10, c11, c12, c13 float64
	for j, k := 0, 0; j < len(w) && k+1 < len(a) && k+3 < len(b); j, k = j+1, k+panelWidth {
		a0, a1, s := a[k], a[k+1], w[j]
		c00 += float64(math.Abs(a0-b[k]) * s)
		c01 += float64(math.Abs(a0-b[k+1]) * s)
		c02 += float64(math.Abs(a0-b[k+2]) * s)
		c03 += float64(math.Abs(a0-b[k+3]) * s)
		c10 += float64(math.Abs(a1-b[k]) * s)
		c11 += float64(math.Abs(a1-b[k+1]) * s)
		c12 += float64(math.Abs(a1-b[k+2]) * s)
		c13 += float64(math.Abs(a1-b[k+3]) * s)
	}
	*(*[8]float64)(out) = [8]float64{c00, c01, c02, c03, c10, c11, c12, c13}
}
