package simd

// InnerListed is [Panels] of [Inner] where the row points are 0 at all coordinates but
// those of index: it leaves the others out, in the same order, and so has the same bits
// where all coordinates of b are finite, but for a sum of 0 which is never −0 here.
func InnerListed[F Float](dst []F, stride, rows int, a, b []F, index []int32, d, count int) {
	innerListedOf(Best(), dst, stride, rows, a, b, index, d, count)
}

// innerListedOf is InnerListed at a level.
func innerListedOf[F Float](l Level, dst []F, stride, rows int, a, b []F, index []int32, d, count int) {
	if rows <= 0 || count <= 0 {
		return
	}
	width := panelWidth[F]()
	if len(index) == 0 {
		for i := range rows {
			clear(dst[i*stride : i*stride+count*width])
		}
		return
	}
	// The last elements that are touched, so that no assembly runs past a slice.
	_ = dst[(rows-1)*stride+count*width-1]
	_ = a[(d-1)*width+rows-1]
	_ = b[count*d*width-1]
	if j := index[len(index)-1]; index[0] < 0 || int(j) >= d {
		panic("simd: a listed coordinate is none")
	}
	innerListedAt(l, dst, stride, rows, a, b, index, d, count)
}

// innerListedPlain is the same in plain Go: four columns at a time.
func innerListedPlain[F Float](dst []F, stride, rows int, a, b []F, index []int32, d, count int) {
	width := panelWidth[F]()
	for i := range rows {
		for c := 0; c < count*width; c += 4 {
			lanes := b[c/width*d*width+c%width:]
			var c0, c1, c2, c3 F
			for _, j := range index {
				y, v := lanes[int(j)*width:][:4], a[int(j)*width+i]
				c0 += F(v * y[0])
				c1 += F(v * y[1])
				c2 += F(v * y[2])
				c3 += F(v * y[3])
			}
			out := dst[i*stride+c:][:4]
			out[0], out[1], out[2], out[3] = c0+0, c1+0, c2+0, c3+0
		}
	}
}
