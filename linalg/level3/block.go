package level3

import "example.org/mercer/internal/simd"

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
	whole := i0 // rows before it are read where they are
	if t.alpha == 1 && t.cols <= thinTiles*nr && t.gemm.Level != simd.Portable {
		whole = i0 + (i1-i0)/mr*mr
	}
	packed := t.precision.buffer(roundUp(i1-whole, mr)*t.depth + mr*nr)
	defer t.precision.buffers.Put(packed)
	a, edge := (*packed)[mr*nr:], (*packed)[:mr*nr]
	if whole < i1 {
		packLeft(a, t.a.from(whole, 0), i1-whole, t.depth, mr, t.alpha)
	}
	for j := j0; j < j1; j += nr {
		right := t.b[j*t.depth : (j+nr)*t.depth]
		for i := i0; i < whole; i += mr {
			t.tile(edge, left[F]{t.a.from(i, 0), nil}, right, i, j, mr)
		}
		for i := whole; i < i1; i += mr {
			t.tile(edge, left[F]{panel: a[(i-whole)*t.depth : (i-whole+mr)*t.depth]}, right, i, j, min(mr, i1-i))
		}
	}
}

// thinTiles is the number of tiles side by side in C up to which packing A costs more
// time than it saves. (In plain Go it always pays.)
const thinTiles = 4

// left is the left factor of a tile: a packed panel, or rows of a matrix.
type left[F simd.Float] struct {
	rows  matrix[F]
	panel []F
}

// product computes a tile, or adds to it.
func (t *block[F]) product(c []F, ldc int, a left[F], right []F, add bool) {
	switch {
	case a.panel != nil:
		t.gemm.Tile(c, ldc, a.panel, right, t.depth, add)
	case a.rows.trans:
		t.gemm.Strided(c, ldc, a.rows.data, 1, a.rows.ld, right, t.depth, add)
	default:
		t.gemm.Strided(c, ldc, a.rows.data, a.rows.ld, 1, right, t.depth, add)
	}
}

// tile computes the given number of rows from (i, j) on; edge is space for a whole tile,
// of which C holds a part only.
func (t *block[F]) tile(edge []F, a left[F], right []F, i, j, rows int) {
	mr, nr := t.gemm.Rows, t.gemm.Cols
	from0, to0 := t.span(i)
	from1, to1 := t.span(i + rows - 1)
	switch {
	case to1 <= j || from0 >= j+nr:
	case rows == mr && from1 <= j && to0 >= j+nr:
		t.product(t.c[i*t.ldc+j:], t.ldc, a, right, t.add)
	default:
		t.product(edge, nr, a, right, false)
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
