package simd

// SquaredMixed stores squared distances of points of numbers and categories, which are laid
// out as [Panels] wants them: first the numbers xⱼ, then for each category its name, which
// is any number, and its length v. With row point a and column point b it is
//
//	Σⱼ (aⱼ − bⱼ)² + Σ va + vb over the categories with different names,
//
// what one-hot codes of squared length v have as their distance. Nothing cancels. A value is added
// in the order of the coordinates, wherever the points lie, and exchanging the points changes no
// bit.
func SquaredMixed[F Float](dst []F, stride, rows int, a, b []F, numbers, categories, count int) {
	squaredMixedOf(Best(), dst, stride, rows, a, b, numbers, categories, count)
}

// squaredMixedOf is SquaredMixed at a level.
func squaredMixedOf[F Float](l Level, dst []F, stride, rows int, a, b []F, numbers, categories, count int) {
	if rows <= 0 || count <= 0 {
		return
	}
	width, d := panelWidth[F](), numbers+2*categories
	if d == 0 {
		for i := range rows {
			clear(dst[i*stride : i*stride+count*width])
		}
		return
	}
	// The last elements that are touched, so that no assembly runs past a slice.
	_ = dst[(rows-1)*stride+count*width-1]
	_ = a[(d-1)*width+rows-1]
	_ = b[count*d*width-1]
	squaredMixedAt(l, dst, stride, rows, a, b, numbers, categories, count)
}

// squaredMixedPlain is the same in plain Go.
func squaredMixedPlain[F Float](dst []F, stride, rows int, a, b []F, numbers, categories, count int) {
	width := panelWidth[F]()
	d := numbers + 2*categories
	for i := range rows {
		for c := range count * width {
			lane, sum := b[c/width*d*width+c%width:], F(0)
			for j := range numbers {
				t := a[j*width+i] - lane[j*width]
				sum += F(t * t)
			}
			for j := numbers; j < d; j += 2 {
				if a[j*width+i] != lane[j*width] {
					sum += a[(j+1)*width+i] + lane[(j+1)*width]
				}
			}
			dst[i*stride+c] = sum
		}
	}
}
