package gram

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/testkit"
)

// The result for a row has the same bits whatever other rows are asked for, in tiles of
// any height and width, and for any number of workers.
func TestCrossBitsOfARowAreItsOwn(t *testing.T) {
	const rows = 600 // more than a band
	for _, cols := range []int{1, 130, crossSegment, 3*crossSegment + 17} {
		for _, rhs := range []int{1, 3} {
			xs, zs, x := randomPoints(t, 90, rows, 3), randomPoints(t, 91, cols, 3), randomDense(t, 92, cols, rhs)
			var all mat.Dense
			if err := Cross(bind(gaussian{}, xs, zs), compute.Options{Workers: 2}).Mul(t.Context(), &all, x); err != nil {
				t.Fatal(err)
			}
			for _, part := range [][2]int{{0, 1}, {511, 1}, {512, 2}, {100, 9}, {63, 66}, {88, 512}} {
				some := data.MakeVectors(part[1], 3)
				for i := range part[1] {
					copy(some.At(i), xs.At(part[0]+i))
				}
				var got mat.Dense
				if err := Cross(bind(gaussian{}, some, zs), compute.Options{Workers: 3}).Mul(t.Context(), &got, x); err != nil {
					t.Fatal(err)
				}
				if !mat.Equal(&got, all.Slice(part[0], part[0]+part[1], 0, rhs)) {
					t.Errorf("%d columns, %d right-hand sides: %d rows from %d on have other bits than among all %d", cols, rhs, part[1], part[0], rows)
				}
			}
		}
	}
}

func TestMulTransIsMul(t *testing.T) {
	xs, zs := randomPoints(t, 93, 300, 3), randomPoints(t, 94, 40, 3)
	x := randomDense(t, 95, 300, 3)
	for name, s := range map[string]*Stream{"symmetric": Of(bind(gaussian{}, xs, xs), compute.Options{}), "rectangular": Cross(bind(gaussian{}, zs, xs), compute.Options{})} {
		var want, got mat.Dense
		if err := s.Mul(t.Context(), &want, x); err != nil {
			t.Fatal(err)
		}
		if err := s.MulTrans(t.Context(), &got, mat.DenseCopyOf(x.T())); err != nil {
			t.Fatal(err)
		}
		if !mat.Equal(&got, &want) {
			t.Errorf("%s: MulTrans differs from Mul", name)
		}
		if err := s.MulTrans(t.Context(), new(mat.Dense), x); err == nil {
			t.Errorf("%s: MulTrans accepted a matrix that is not transposed", name)
		}
	}
}

// A window of a wider matrix as right-hand side, one column of it contiguous in no way.
func TestCrossReadsWindows(t *testing.T) {
	xs, zs := randomPoints(t, 96, 20, 3), randomPoints(t, 97, 300, 3)
	wide := randomDense(t, 98, 300, 5)
	s := Cross(bind(gaussian{}, xs, zs), compute.Options{})
	for _, window := range [][2]int{{0, 1}, {4, 5}, {1, 4}} {
		x := wide.Slice(0, 300, window[0], window[1]).(*mat.Dense)
		var got, want mat.Dense
		if err := s.Mul(t.Context(), &got, x); err != nil {
			t.Fatal(err)
		}
		want.Mul(explicit(gaussian{}, xs, zs), x)
		testkit.CloseSlice(t, fmt.Sprint("columns ", window), got.RawMatrix().Data, want.RawMatrix().Data, productTolerance)
	}
}
