package simd

import (
	"math"
	"math/bits"
)

// Counts is the length of a table of [CountProfile].
const Counts = 32

// HasCounts reports whether the machine counts the bits of words (VPOPCNTDQ of AVX-512) and
// MERCER_SIMD allows it. [CountProfile] works without, slowly.
func HasCounts() bool { return hasCounts(Best()) }

// CountProfile stores a function of the number of bits that are set in one of two points and
// not in the other, which must be below [Counts], given its values. Points are words of 64
// bits in panels of [PanelWidth], as [Common] has them:
//
//	dst[i*stride+c] = table[Σⱼ number of bits that differ in word j of points i and c]
//
// for i < rows and c < count·PanelWidth; size is the number of words of a point.
func CountProfile[F Float](dst []F, stride, rows int, a, b []float64, size, count int, table *[Counts]F) {
	countProfileOf(Best(), dst, stride, rows, a, b, size, count, table)
}

// countProfileOf is CountProfile at a level.
func countProfileOf[F Float](l Level, dst []F, stride, rows int, a, b []float64, size, count int, table *[Counts]F) {
	if rows <= 0 || count <= 0 {
		return
	}
	// The last elements that are touched, so that no assembly runs past a slice.
	_ = dst[(rows-1)*stride+count*PanelWidth-1]
	_ = a[(size-1)*PanelWidth+rows-1]
	_ = b[count*size*PanelWidth-1]
	countProfileAt(l, dst, stride, rows, a, b, size, count, table)
}

// countProfilePlain is the same in plain Go.
func countProfilePlain[F Float](dst []F, stride, rows int, a, b []float64, size, count int, table *[Counts]F) {
	for i := range rows {
		for c := range count * PanelWidth {
			lane, differ := b[c/PanelWidth*size*PanelWidth+c%PanelWidth:], 0
			for j := range size {
				differ += bits.OnesCount64(math.Float64bits(a[j*PanelWidth+i]) ^ math.Float64bits(lane[j*PanelWidth]))
			}
			dst[i*stride+c] = table[differ]
		}
	}
}
