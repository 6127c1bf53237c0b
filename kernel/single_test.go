package kernel_test

import (
	"testing"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
)

// TestFill32Rounds compares a kernel without single precision with its rounded tile,
// at an odd place of a tile with a stride, and leaves the rest of the buffer alone.
func TestFill32Rounds(t *testing.T) {
	xs := data.Slice[[]float64]{{0.1, 2}, {3, -4.7}, {1e-9, 5}, {7, 1.1}}
	p := kernel.BindPointwise(dotKernel{}, xs, xs)
	got := kernel.NewTile32(2, 5)
	for i := range got.Data {
		got.Data[i] = -1
	}
	got.Cols = 3
	want := kernel.NewTile(2, 3)
	kernel.Fill32(p, got, 1, 1)
	p.Tile(want, 1, 1)
	for i := range 2 {
		for j := range 3 {
			if g, w := got.Row(i)[j], float32(want.Row(i)[j]); g != w {
				t.Errorf("element (%d, %d) is %v, rounded %v", i, j, g, w)
			}
		}
		for j := 3; j < 5; j++ {
			if v := got.Data[i*got.Stride+j]; v != -1 {
				t.Errorf("element %d of row %d beside the tile was overwritten by %v", j, i, v)
			}
		}
	}
}

// dotKernel is the inner product, without any fast path.
type dotKernel struct{}

func (dotKernel) Eval(x, y []float64) float64 {
	s := 0.0
	for j, v := range x {
		s += v * y[j]
	}
	return s
}

func (dotKernel) String() string { return "dot" }
