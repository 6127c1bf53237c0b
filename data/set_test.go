package data_test

import (
	"testing"

	"example.org/mercer/data"
)

func TestSubset(t *testing.T) {
	words := data.Set[string](data.Slice[string]{"a", "b", "c"})
	some := data.Subset(words, []int{2, 0, 2})
	for i, want := range []string{"c", "a", "c"} {
		if got := some.At(i); got != want || some.Len() != 3 {
			t.Errorf("point %d of %d is %q, want %q", i, some.Len(), got, want)
		}
	}
	v, err := data.NewVectors(2, 1, []float64{1, 2})
	if err != nil {
		t.Fatal(err)
	}
	dense := data.Subset(v, []int{1, 1})
	if w, ok := dense.(data.Vectors); !ok || w.Len() != 2 || w.At(0)[0] != 2 {
		t.Errorf("a subset of vectors is %#v, want contiguous vectors", dense)
	}
}

// Equal numbers in other memory are not the same slices.
func TestSameSlices(t *testing.T) {
	a := data.Slice[[]int]{{1, 2}, {3}, {}}
	if !data.SameSlices[int](a, data.Slice[[]int]{a[0], a[1], nil}) {
		t.Error("the same slices are not")
	}
	for _, b := range []data.Slice[[]int]{{{1, 2}, a[1], nil}, {a[1], a[0], nil}, a[:2], {a[0][:1], a[1], nil}} {
		if data.SameSlices[int](a, b) {
			t.Errorf("%v are the same slices", b)
		}
	}
}
