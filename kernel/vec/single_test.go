package vec_test

import (
	"fmt"
	"math"
	"testing"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel"
)

// full32 is [full] in single precision.
func full32(p kernel.Pairs, height, width int) kernel.Tile32 {
	n, m := p.Dims()
	out := kernel.NewTile32(n, m)
	for i := 0; i < n; i += height {
		for j := 0; j < m; j += width {
			h, w := min(height, n-i), min(width, m-j)
			p.(kernel.Single).Tile32(kernel.Tile32{Rows: h, Cols: w, Stride: m, Data: out.Data[i*m+j:]}, i, j)
		}
	}
	return out
}

func same32(a, b []float32) bool {
	for i, v := range a {
		if math.Float32bits(v) != math.Float32bits(b[i]) {
			return false
		}
	}
	return true
}

// The bound of TestTilesAgreeWithEvalInTilesOfAnySize with the u of float32. Rounding the
// points themselves adds to a distance at most 16u of the kernel's largest value, and to
// the others a relative 2u.
func TestSingleTilesAgreeWithEvalInTilesOfAnySize(t *testing.T) {
	testkit.SkipUnderRace(t)
	rng := testkit.Rand(t, 40)
	for _, d := range []int{1, 5, 16, 17, 40} {
		rows, cols := cloud(rng, 11, d, 0), cloud(rng, 270, d, 0)
		copy(cols.At(3), rows.At(5))
		tolerance := tileTolerance(d)*0x1p29 + 4*16*0x1p-24
		for _, text := range expressions(d) {
			k := parse(t, text)
			p := kernel.Bind(k, rows, cols)
			if _, ok := p.(kernel.Single); !ok {
				continue // a sum with a formula is bound part by part
			}
			whole := full32(p, 11, 270)
			for i := range 11 {
				for j := range 270 {
					testkit.Close(t, fmt.Sprintf("%s (d=%d) at %d,%d", text, d, i, j), float64(whole.Row(i)[j]), k.Eval(rows.At(i), cols.At(j)), tolerance)
				}
			}
			for _, size := range [][2]int{{1, 1}, {3, 7}, {4, 256}, {5, 129}} {
				if got := full32(p, size[0], size[1]); !same32(got.Data, whole.Data) {
					t.Errorf("%s (d=%d): tiles of %v have other bits than the whole", text, d, size)
				}
			}
		}
	}
}
