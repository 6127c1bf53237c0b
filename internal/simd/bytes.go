package simd

// MostBytes is the number of coordinates up to which sums of products of two bytes are
// below 2³¹.
const MostBytes = 1 << 15

// HasBytes reports whether the machine has instructions for products of bytes (VNNI of
// AVX-512) and MERCER_SIMD allows them. [InnerBytes] works without them, slowly.
func HasBytes() bool { return hasBytes(Best()) }

// InnerBytes stores the inner products of points whose coordinates are bytes, 0 … 255,
// eight to a word and the words interleaved as the coordinates of [Panels]. They are exact
// for up to [MostBytes] coordinates. Bytes of b are unsigned; those of a are signed, 128
// less than they stand for; after the last coordinate those of b are 0. Only the words of
// index are read: those that are left out stand for 0 in all row points. size is the
// number of words of a point, count that of panels of b.
func InnerBytes(dst []float64, stride, rows int, a, b []uint64, index []int32, size, count int) {
	innerBytesOf(Best(), dst, stride, rows, a, b, index, size, count)
}

// innerBytesOf is InnerBytes at a level.
func innerBytesOf(l Level, dst []float64, stride, rows int, a, b []uint64, index []int32, size, count int) {
	if rows <= 0 || count <= 0 {
		return
	}
	if len(index) == 0 {
		for i := range rows {
			clear(dst[i*stride : i*stride+count*PanelWidth])
		}
		return
	}
	// The last elements that are touched, so that no assembly runs past a slice.
	_ = dst[(rows-1)*stride+count*PanelWidth-1]
	_ = a[(size-1)*PanelWidth+rows-1]
	_ = b[count*size*PanelWidth-1]
	if j := index[len(index)-1]; index[0] < 0 || int(j) >= size {
		panic("simd: a listed word is none")
	}
	innerBytesAt(l, dst, stride, rows, a, b, index, size, count)
}

// innerBytesPlain is the same in plain Go.
func innerBytesPlain(dst []float64, stride, rows int, a, b []uint64, index []int32, size, count int) {
	for i := range rows {
		for c := range count * PanelWidth {
			lane, sum := b[c/PanelWidth*size*PanelWidth+c%PanelWidth:], 0
			for _, j := range index {
				x, y := a[int(j)*PanelWidth+i], lane[int(j)*PanelWidth]
				for shift := 0; shift < 64; shift += 8 {
					sum += (int(int8(x>>shift)) + 128) * int(uint8(y>>shift))
				}
			}
			dst[i*stride+c] = float64(sum)
		}
	}
}
