package gram

import "example.org/mercer/kernel"

// Restrict returns the rows and columns of bound pairs with the given indices, as bound
// pairs: element (i, j) is that of (rows[i], cols[j]). Nothing is computed or copied
// before a tile is asked for; runs of consecutive columns are asked for at once.
func Restrict(p kernel.Pairs, rows, cols []int) kernel.Pairs {
	return restricted{of: p, rows: rows, cols: cols}
}

type restricted struct {
	of         kernel.Pairs
	rows, cols []int
}

func (r restricted) Dims() (rows, cols int) { return len(r.rows), len(r.cols) }

func (r restricted) Tile(dst kernel.Tile, row, col int) {
	if m, ok := r.of.(stored); ok { // elements at hand: no need to look for runs
		m.gather(dst, r.rows[row:row+dst.Rows], r.cols[col:col+dst.Cols])
		return
	}
	for at := 0; at < dst.Cols; {
		first := r.cols[col+at]
		length := 1
		for at+length < dst.Cols && r.cols[col+at+length] == first+length {
			length++
		}
		for i := range dst.Rows {
			part := dst.Row(i)[at : at+length]
			r.of.Tile(kernel.Tile{Rows: 1, Cols: length, Stride: length, Data: part}, r.rows[row+i], first)
		}
		at += length
	}
}

func (r restricted) Diag(dst []float64) {
	one := kernel.NewTile(1, 1)
	for i := range dst {
		r.of.Tile(one, r.rows[i], r.cols[i])
		dst[i] = one.Data[0]
	}
}

// KeepParts keeps the whole of which r is a part, so that all folds find its tiles.
func (r restricted) KeepParts(k kernel.Keeper) kernel.Pairs {
	r.of = kernel.Keep(r.of, k)
	return r
}
