package level3

import "mercer/internal/simd"

// part says which elements of C a product is for.
type part int

const (
	all   part = iota
	below      // on or below the diagonal
	above      // on or above the diagonal
)

// block is the product of a block column of A and a packed block of B.
type block[F simd.Float] struct {
	precision         *precision[F]
	gemm              simd.Gemm[F]
	part              part
	at                int // the column of C where the block begins
	rows, cols, depth int
	alpha             F
	add               bool // to what C holds
	a                 matrix[F]
	b                 []F
	c                 []F
	ldc               int
}

// span returns the columns of row i of the block that the product is for: first ≤ j < end.
// Neither falls with i.
func (t *block[F]) span(i int) (first, end int) {
	switch t.part {
	case below:
		return 0, min(max(0, i+1-t.at), t.cols)
	case above:
		return min(max(0, i-t.at), t.cols), t.cols
	}
	return 0, t.cols
}

// scale multiplies what C holds.
func (t *block[F]) scale(beta F) {
	for i := range t.rows {
		first, end := t.span(i)
		row := t.c[i*t.ldc+first : i*t.ldc+end]
		for j := range row {
			row[j] *= beta
		}
	}
}

// multiply shares the block of C among goroutines, by rows and, where there are few
// rows, also by columns.
func (t *block[F]) multiply(workers int) {
	countM, sizeM := parts(t.rows, blockM, t.gemm.Rows)
	countN, sizeN := 1, t.cols
	if workers > 1 && countM < 4*workers {
		// At least 48 rows share a packed block, and at least 16 tiles a packed row.
		countM, sizeM = parts(t.rows, min(sizeM, max(48, (t.rows+2*workers-1)/(2*workers))), t.gemm.Rows)
		if countM < 2*workers {
			countN, sizeN = parts(t.cols, max(16*t.gemm.Cols, t.cols*countM/(2*workers)), t.gemm.Cols)
		}
	}
	each(workers, countM*countN, func(task int) {
		if t.part == below { // the longest rows first
			task = countM*countN - 1 - task
		}
		i0, j0 := task/countN*sizeM, task%countN*sizeN
		t.tiles(i0, min(i0+sizeM, t.rows), j0, min(j0+sizeN, t.cols))
	})
}

// tiles computes rows i0 ≤ i < i1 and columns j0 ≤ j < j1 of the block; i0 and j0 are
// multiples of the tile.
func (t *block[F]) tiles(i0, i1, j0, j1 int) {
	mr, nr := t.gemm.Rows, t.gemm.Cols
	first, _ := t.span(i0)
	_, end := t.span(i1 - 1)
	if j0, j1 = max(j0, first/nr*nr), min(j1, end); j0 >= j1 {
		return
	}
	packed := t.precision.buffer(roundUp(i1-i0, mr)*t.depth + mr*nr)
	defer t.precision.buffers.Put(packed)
	a, edge := (*packed)[mr*nr:], (*packed)[:mr*nr]
	packLeft(a, t.a.from(i0, 0), i1-i0, t.depth, mr, t.alpha)
	for j := j0; j < j1; j += nr {
		right := t.b[j*t.depth : (j+nr)*t.depth]
		for i := i0; i < i1; i += mr {
			t.tile(edge, a[(i-i0)*t.depth:(i-i0+mr)*t.depth], right, i, j, min(mr, i1-i))
		}
	}
}

// tile computes the given number of rows from (i, j) on; edge is room for a whole tile,
// of which C holds a part only.
func (t *block[F]) tile(edge, left, right []F, i, j, rows int) {
	mr, nr := t.gemm.Rows, t.gemm.Cols
	from0, to0 := t.span(i)
	from1, to1 := t.span(i + rows - 1)
	switch {
	case to1 <= j || from0 >= j+nr:
	case rows == mr && from1 <= j && to0 >= j+nr:
		t.gemm.Tile(t.c[i*t.ldc+j:], t.ldc, left, right, t.depth, t.add)
	default:
		t.gemm.Tile(edge, nr, left, right, t.depth, false)
		t.store(edge, i, j, rows)
	}
}

// store takes the part of a tile that C holds.
func (t *block[F]) store(tile []F, i, j, rows int) {
	nr := t.gemm.Cols
	for r := range rows {
		from, to := t.span(i + r)
		if from, to = max(from, j), min(to, j+nr); from >= to {
			continue
		}
		values, row := tile[r*nr+from-j:r*nr+to-j], t.c[(i+r)*t.ldc+from:(i+r)*t.ldc+to]
		if !t.add {
			copy(row, values)
			continue
		}
		for l, v := range values {
			row[l] += v
		}
	}
}
