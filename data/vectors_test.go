package data_test

import (
	"slices"
	"testing"

	"example.org/mercer/data"
)

func TestVectors(t *testing.T) {
	v, err := data.NewVectors(3, 2, []float64{1, 2, 3, 4, 5, 6})
	if err != nil {
		t.Fatal(err)
	}
	if v.Len() != 3 || v.Dim() != 2 || !slices.Equal(v.At(1), []float64{3, 4}) || cap(v.At(1)) != 2 {
		t.Errorf("%d vectors of %d, the second %v with capacity %d", v.Len(), v.Dim(), v.At(1), cap(v.At(1)))
	}
	v.At(2)[0] = 7
	if v.Raw()[4] != 7 {
		t.Error("At is not a view")
	}
	g := v.Gather([]int{2, 0, 2})
	if !slices.Equal(g.Raw(), []float64{7, 6, 1, 2, 7, 6}) {
		t.Errorf("gathered %v", g.Raw())
	}
	g.At(0)[0] = 9
	if v.At(2)[0] != 7 {
		t.Error("Gather does not copy")
	}
}

func TestVectorsShape(t *testing.T) {
	for _, tc := range []struct {
		n, d, numbers int
		ok            bool
	}{
		{0, 0, 0, true}, {0, 3, 0, true}, {3, 0, 0, true}, {2, 3, 6, true},
		{2, 3, 5, false}, {-1, -1, 1, false}, {1 << 32, 1 << 32, 0, false},
	} {
		if _, err := data.NewVectors(tc.n, tc.d, make([]float64, tc.numbers)); (err == nil) != tc.ok {
			t.Errorf("%d numbers as %d × %d: %v", tc.numbers, tc.n, tc.d, err)
		}
	}
	if v := data.MakeVectors(2, 3); v.Len() != 2 || v.Dim() != 3 || len(v.Raw()) != 6 {
		t.Errorf("made %d vectors of %d", v.Len(), v.Dim())
	}
}

func TestPack(t *testing.T) {
	v, err := data.Pack([][]float64{{1, 2}, {3, 4}})
	if err != nil || v.Len() != 2 || v.Dim() != 2 || v.At(1)[0] != 3 {
		t.Errorf("%v, %v", v, err)
	}
	if v, err := data.Pack(nil); err != nil || v.Len() != 0 {
		t.Errorf("%v, %v", v, err)
	}
	if _, err := data.Pack([][]float64{{1, 2}, {3}}); err == nil || err.Error() != "data: vector 1 has 1 numbers, and the first 2" {
		t.Error(err)
	}
}
