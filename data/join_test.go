package data_test

import (
	"slices"
	"testing"

	"example.org/mercer/data"
)

func TestJoin(t *testing.T) {
	a, b := data.MakeVectors(2, 2), data.MakeVectors(1, 2)
	copy(a.Raw(), []float64{1, 2, 3, 4})
	copy(b.Raw(), []float64{5, 6})
	joined, err := data.Join(a, b)
	if err != nil {
		t.Fatal(err)
	}
	if v, ok := joined.(data.Vectors); !ok || !slices.Equal(v.Raw(), []float64{1, 2, 3, 4, 5, 6}) {
		t.Errorf("vectors: %v", joined)
	}
	if _, err := data.Join(a, data.MakeVectors(1, 3)); err == nil {
		t.Error("vectors of another length were joined")
	}
	texts, err := data.Join[string](data.Subset[string](data.Slice[string]{"x", "y"}, []int{1}), data.Slice[string]{"z"})
	if err != nil {
		t.Fatal(err)
	}
	if s, ok := texts.(data.Slice[string]); !ok || !slices.Equal(s, data.Slice[string]{"y", "z"}) {
		t.Errorf("texts: %v", texts)
	}
}
