package level3

import "example.org/mercer/internal/simd"

// packRight stores the leading depth×width part of b as panels of nr columns, each
// panel row by row, the last filled up with zeros.
func packRight[F simd.Float](workers int, dst []F, b matrix[F], depth, width, nr int) {
	const panels = 8 // in a task
	count := (width + nr - 1) / nr
	if depth*width < 1<<14 {
		workers = 1
	}
	each(workers, (count+panels-1)/panels, func(task int) {
		for j := task * panels; j < min((task+1)*panels, count); j++ {
			panel(dst[j*nr*depth:(j+1)*nr*depth], b.from(0, j*nr), depth, min(nr, width-j*nr), nr, 1)
		}
	})
}

// packLeft stores alpha times the leading height×depth part of a as panels of mr rows,
// each panel column by column, the last filled up with zeros.
func packLeft[F simd.Float](dst []F, a matrix[F], height, depth, mr int, alpha F) {
	for i := 0; i < height; i += mr {
		t := a.from(i, 0)
		t.trans = !t.trans
		panel(dst[i*depth:(i+mr)*depth], t, depth, min(mr, height-i), mr, alpha)
	}
}

// panel stores alpha times the leading depth×width part of x with rows of n ≥ width
// numbers, the rest of them zeros.
func panel[F simd.Float](dst []F, x matrix[F], depth, width, n int, alpha F) {
	if width < n {
		clear(dst)
	}
	if x.trans {
		simd.Transpose(dst, n, x.data, x.ld, width, depth, alpha)
		return
	}
	for p := range depth {
		to := dst[p*n : p*n+width]
		copy(to, x.data[p*x.ld:p*x.ld+width])
		if alpha != 1 {
			for j := range to {
				to[j] *= alpha
			}
		}
	}
}

// unpanel stores rows of n numbers, width of them each, in the leading depth×width part
// of x.
func unpanel[F simd.Float](x matrix[F], src []F, depth, width, n int) {
	if !x.trans {
		for p := range depth {
			copy(x.data[p*x.ld:p*x.ld+width], src[p*n:p*n+width])
		}
		return
	}
	simd.Transpose(x.data, x.ld, src, n, depth, width, 1)
}
