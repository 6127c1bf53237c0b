package gram

import (
	"example.org/mercer/internal/simd"
	"example.org/mercer/kernel"
)

// float is a width of tiles. Each function takes the path of its width; what is not
// float64 is float32.
type float interface{ float32 | float64 }

// fillTile computes rows × cols elements from (row, col) on.
func fillTile[F float](p kernel.Pairs, data []F, stride, rows, cols, row, col int) {
	if data, ok := any(data).([]float64); ok {
		p.Tile(kernel.Tile{Rows: rows, Cols: cols, Stride: stride, Data: data}, row, col)
		return
	}
	kernel.Fill32(p, kernel.Tile32{Rows: rows, Cols: cols, Stride: stride, Data: any(data).([]float32)}, row, col)
}

// dotTile stores A·x in s.
func dotTile[F float](s, a []F, stride int, x []F) {
	if s, ok := any(s).([]float64); ok {
		simd.DotRows(s, any(a).([]float64), stride, any(x).([]float64))
		return
	}
	simd.DotRows32(any(s).([]float32), any(a).([]float32), stride, any(x).([]float32))
}
