package gram

import (
	"slices"

	"example.org/mercer/kernel"
)

// selected is some rows and columns of bound pairs, in any order: element (i, j) is that of
// (rows[i], cols[j]). Nothing is computed or copied before a tile is asked for. nil stands for all
// rows or all columns.
type selected struct {
	of         kernel.Pairs
	rows, cols []int
}

// choose returns the given rows and columns of bound pairs, with the abilities of the whole.
func choose(p kernel.Pairs, rows, cols []int) kernel.Pairs {
	if rows == nil && cols == nil {
		return p
	}
	s := selected{of: p, rows: rows, cols: cols}
	var tile32 func(dst kernel.Tile32, row, col int)
	if single, ok := p.(kernel.Single); ok {
		tile32 = func(dst kernel.Tile32, row, col int) { s.single(single, dst, row, col) }
	}
	var norms func(rows, cols []float64)
	if normed, ok := p.(kernel.Normed); ok {
		norms = func(rows, cols []float64) { s.norms(normed, rows, cols) }
	}
	return kernel.Wrap(s, tile32, norms)
}

func (s selected) Dims() (rows, cols int) {
	rows, cols = s.of.Dims()
	if s.rows != nil {
		rows = len(s.rows)
	}
	if s.cols != nil {
		cols = len(s.cols)
	}
	return rows, cols
}

// Tile asks for runs of consecutive rows and columns at once. Elements of a matrix in memory need
// no runs.
func (s selected) Tile(dst kernel.Tile, row, col int) {
	if m, ok := s.of.(stored); ok && s.rows != nil && s.cols != nil {
		m.gather(dst, s.rows[row:row+dst.Rows], s.cols[col:col+dst.Cols])
		return
	}
	s.runs(dst.Rows, dst.Cols, row, col, func(i, j int, b block) {
		part := kernel.Tile{Rows: b.rows, Cols: b.cols, Stride: dst.Stride, Data: dst.Data[i*dst.Stride+j:]}
		s.of.Tile(part, b.row, b.col)
	})
}

// single is Tile in single precision.
func (s selected) single(of kernel.Single, dst kernel.Tile32, row, col int) {
	s.runs(dst.Rows, dst.Cols, row, col, func(i, j int, b block) {
		part := kernel.Tile32{Rows: b.rows, Cols: b.cols, Stride: dst.Stride, Data: dst.Data[i*dst.Stride+j:]}
		of.Tile32(part, b.row, b.col)
	})
}

// block is a block of the whole.
type block struct{ row, col, rows, cols int }

// runs calls use with the blocks of the whole that make up the rows×cols block from (row, col) on,
// each with its place (i, j) in there.
func (s selected) runs(rows, cols, row, col int, use func(i, j int, b block)) {
	for j := 0; j < cols; {
		firstCol, width := runAt(s.cols, col+j, cols-j)
		for i := 0; i < rows; {
			firstRow, height := runAt(s.rows, row+i, rows-i)
			use(i, j, block{row: firstRow, col: firstCol, rows: height, cols: width})
			i += height
		}
		j += width
	}
}

// runAt returns what index at of a selection stands for, and how many consecutive numbers follow
// from there on, at most a given number.
func runAt(of []int, at, most int) (first, length int) {
	if of == nil {
		return at, most
	}
	first, length = of[at], 1
	for length < most && of[at+length] == first+length {
		length++
	}
	return first, length
}

// Diag asks for the whole diagonal where most of it is wanted, and for elements otherwise.
func (s selected) Diag(dst []float64) {
	if d, ok := s.of.(kernel.Diagonal); ok && len(dst) > 0 {
		if at := s.diagonal(len(dst)); at != nil && slices.Max(at) < 4*len(dst) {
			all := make([]float64, slices.Max(at)+1)
			d.Diag(all)
			for i, row := range at {
				dst[i] = all[row]
			}
			return
		}
	}
	one := kernel.NewTile(1, 1)
	for i := range dst {
		s.Tile(one, i, i)
		dst[i] = one.Data[0]
	}
}

// diagonal returns the places of the first n elements of the diagonal in that of the whole, nil
// where one of them is not on it.
func (s selected) diagonal(n int) []int {
	at := make([]int, n)
	for i := range at {
		row, _ := runAt(s.rows, i, 1)
		if col, _ := runAt(s.cols, i, 1); row != col {
			return nil
		}
		at[i] = row
	}
	return at
}

// norms takes k(x, x) of the selected points from those of all.
func (s selected) norms(of kernel.Normed, rows, cols []float64) {
	height, width := s.of.Dims()
	allRows, allCols := make([]float64, height), make([]float64, width)
	of.Norms(allRows, allCols)
	for i := range rows {
		row, _ := runAt(s.rows, i, 1)
		rows[i] = allRows[row]
	}
	for j := range cols {
		col, _ := runAt(s.cols, j, 1)
		cols[j] = allCols[col]
	}
}

// CacheParts keeps the whole, so that all selections find its tiles.
func (s selected) CacheParts(k kernel.TileCache) kernel.Pairs {
	return choose(kernel.Cached(s.of, k), s.rows, s.cols)
}

// Cost is that of a value of the whole.
func (s selected) Cost() float64 { return kernel.Cost(s.of) }

// between returns the numbers from … to−1.
func between(from, to int) []int {
	out := make([]int, to-from)
	for i := range out {
		out[i] = from + i
	}
	return out
}
