package kernel

import "sync"

// Tile32 is a [Tile] of float32: what caches, single precision factors and products
// hold where half the memory and twice the speed are worth 24 bits of mantissa.
type Tile32 struct {
	Rows, Cols, Stride int
	Data               []float32
}

// NewTile32 returns a zero tile with Stride = cols.
func NewTile32(rows, cols int) Tile32 {
	return Tile32{Rows: rows, Cols: cols, Stride: cols, Data: make([]float32, rows*cols)}
}

// Row returns row i of the tile, Cols numbers.
func (t Tile32) Row(i int) []float32 { return t.Data[i*t.Stride : i*t.Stride+t.Cols] }

// Single is implemented by Pairs that compute tiles in single precision, faster than
// they compute them in double precision; see [Fill32]. What [Pairs] promises of tiles
// holds for Tile32 too. An element is within a few units of 2⁻²⁴ of the largest
// magnitude that enters it (for a radial kernel: of its value at distance 0) of the
// element of Tile.
type Single interface {
	Pairs
	Tile32(dst Tile32, row, col int)
}

// Fill32 stores k(x[row+i], y[col+j]) in element (i, j) of dst: computed in single
// precision where p can, else in double precision and rounded.
func Fill32(p Pairs, dst Tile32, row, col int) {
	if s, ok := p.(Single); ok {
		s.Tile32(dst, row, col)
		return
	}
	wide, _ := wideRows.Get().(*[]float64)
	if wide == nil || cap(*wide) < dst.Cols {
		fresh := make([]float64, dst.Cols)
		wide = &fresh
	}
	defer wideRows.Put(wide)
	one := Tile{Rows: 1, Cols: dst.Cols, Stride: dst.Cols, Data: (*wide)[:dst.Cols]}
	for i := range dst.Rows {
		p.Tile(one, row+i, col)
		out := dst.Row(i)
		for j, v := range one.Data {
			out[j] = float32(v)
		}
	}
}

// wideRows keeps the rows of [Fill32] between tiles.
var wideRows sync.Pool
