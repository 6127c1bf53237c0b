package level3

// packRight stores the leading depth×width part of b as panels of nr columns, each
// panel row by row, the last filled up with zeros.
func packRight(workers int, dst []float64, b matrix, depth, width, nr int) {
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
func packLeft(dst []float64, a matrix, height, depth, mr int, alpha float64) {
	for i := 0; i < height; i += mr {
		t := a.from(i, 0)
		t.trans = !t.trans
		panel(dst[i*depth:(i+mr)*depth], t, depth, min(mr, height-i), mr, alpha)
	}
}

// panel stores alpha times the leading depth×width part of x with rows of n ≥ width
// numbers, the rest of them zeros.
func panel(dst []float64, x matrix, depth, width, n int, alpha float64) {
	if width < n {
		clear(dst)
	}
	if !x.trans {
		for p := range depth {
			copy(dst[p*n:p*n+width], x.data[p*x.ld:p*x.ld+width])
		}
	} else {
		j := 0
		for ; j+4 <= width; j += 4 {
			r0, r1 := x.data[j*x.ld:][:depth], x.data[(j+1)*x.ld:][:depth]
			r2, r3 := x.data[(j+2)*x.ld:][:depth], x.data[(j+3)*x.ld:][:depth]
			for p := range r0 {
				d := dst[p*n+j : p*n+j+4 : p*n+j+4]
				d[0], d[1], d[2], d[3] = r0[p], r1[p], r2[p], r3[p]
			}
		}
		for ; j < width; j++ {
			for p, v := range x.data[j*x.ld:][:depth] {
				dst[p*n+j] = v
			}
		}
	}
	if alpha != 1 {
		for i := range dst {
			dst[i] *= alpha
		}
	}
}
