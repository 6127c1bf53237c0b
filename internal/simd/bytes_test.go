package simd

import (
	"slices"
	"testing"

	"example.org/mercer/internal/testkit"
)

// Random bytes, the largest ones among them, multiplied one by one; words that are not
// listed are 0 in the rows and have no part.
func TestInnerBytesIsExact(t *testing.T) {
	rng := testkit.Rand(t, 76)
	byteOf := func() int { return min(255, rng.IntN(400)) }
	for size := 1; size < 30; size++ {
		count, lane := 1+size%4, size*5%PanelWidth
		rows := min(1+size%9, PanelWidth-lane)
		var index []int32
		for j := range size {
			if rng.IntN(3) > 0 {
				index = append(index, int32(j))
			}
		}
		a, b := make([]uint64, size*PanelWidth), make([]uint64, count*size*PanelWidth)
		x, y := make([][]int, PanelWidth), make([][]int, count*PanelWidth)
		for i := range x {
			x[i] = make([]int, 8*size)
			for k := range x[i] {
				if slices.Contains(index, int32(k/8)) {
					x[i][k] = byteOf()
				}
				a[k/8*PanelWidth+i] |= uint64(uint8(x[i][k]-128)) << (k % 8 * 8)
			}
		}
		for c := range y {
			y[c] = make([]int, 8*size)
			for k := range y[c] {
				y[c][k] = byteOf()
				b[(c/PanelWidth*size+k/8)*PanelWidth+c%PanelWidth] |= uint64(y[c][k]) << (k % 8 * 8)
			}
		}
		for _, l := range Supported() {
			dst := slices.Repeat([]float64{guard}, rows*count*PanelWidth+3)
			innerBytesOf(l, dst[:len(dst)-3], count*PanelWidth, rows, a[lane:], b, index, size, count)
			for at, got := range dst {
				want := guard
				if i, c := at/(count*PanelWidth), at%(count*PanelWidth); i < rows {
					want = 0
					for k, v := range x[lane+i] {
						want += float64(v * y[c][k])
					}
				}
				if got != want {
					t.Fatalf("%v, %d words: element %d is %v, want %v", l, size, at, got, want)
				}
			}
		}
	}
}
