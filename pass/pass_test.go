package pass_test

import (
	"slices"
	"testing"

	"example.org/mercer/pass"
)

// TestResultsAreTakenInTheirOrder: whatever comes first; twice is an error, and so is another size.
func TestResultsAreTakenInTheirOrder(t *testing.T) {
	var order []int
	s := pass.InOrder{Each: func(i int, _ pass.Result) error { order = append(order, i); return nil }}
	for _, i := range []int{2, 0, 3, 1} {
		if err := s.Add(i, pass.Result{Sums: []float64{float64(uint(1) << (8 * i))}}); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(order, []int{0, 1, 2, 3}) || s.Total[0] != 1+0x1p8+0x1p16+0x1p24 {
		t.Errorf("pieces in the order %v have the sum %v", order, s.Total)
	}
	if s.Add(1, pass.Result{}) == nil || s.Add(4, pass.Result{}) == nil {
		t.Error("a piece that came twice, or one of another size, is taken")
	}
}
