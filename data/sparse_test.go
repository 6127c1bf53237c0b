package data_test

import (
	"slices"
	"testing"

	"example.org/mercer/data"
)

func TestSparse(t *testing.T) {
	var s data.Sparse
	if s.Len() != 0 || s.Dim() != 0 || s.Stored() != 0 {
		t.Errorf("the empty set has %d vectors of %d with %d entries", s.Len(), s.Dim(), s.Stored())
	}
	want := []data.SparseVector{
		{Index: []int32{0, 3}, Value: []float64{1, -2}},
		{},
		{Index: []int32{2}, Value: []float64{5}},
	}
	for _, v := range want {
		if err := s.Append(v); err != nil {
			t.Fatal(err)
		}
	}
	scratch := data.SparseVector{Index: []int32{1}, Value: []float64{7}}
	if err := s.Append(scratch); err != nil {
		t.Fatal(err)
	}
	scratch.Value[0] = 0 // what was appended is a copy
	want = append(want, data.SparseVector{Index: []int32{1}, Value: []float64{7}})
	if s.Len() != 4 || s.Dim() != 4 || s.Stored() != 4 {
		t.Errorf("%d vectors of %d with %d entries, want 4 of 4 with 4", s.Len(), s.Dim(), s.Stored())
	}
	for i, w := range want {
		if v := s.At(i); !slices.Equal(v.Index, w.Index) || !slices.Equal(v.Value, w.Value) {
			t.Errorf("vector %d is %v, want %v", i, v, w)
		}
	}
	if err := s.Widen(9); err != nil || s.Dim() != 9 {
		t.Errorf("%v, dimension %d, want 9", err, s.Dim())
	}
	for _, bad := range []error{
		s.Widen(3),
		s.Append(data.SparseVector{Index: []int32{1}}),
		s.Append(data.SparseVector{Index: []int32{1, 1}, Value: []float64{1, 2}}),
		s.Append(data.SparseVector{Index: []int32{-1}, Value: []float64{1}}),
	} {
		if bad == nil {
			t.Error("a bad vector or dimension was accepted")
		}
	}
	if s.Len() != 4 || s.Stored() != 4 {
		t.Errorf("refused vectors left %d vectors with %d entries", s.Len(), s.Stored())
	}
}
