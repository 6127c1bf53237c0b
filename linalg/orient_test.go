package linalg

import (
	"testing"

	"gonum.org/v1/gonum/mat"
)

func TestOrient(t *testing.T) {
	v := mat.NewDense(3, 4, []float64{
		1, -1, 0, -2,
		-2, 1 + 1e-12, 0, 1,
		1, 0, 0, 1,
	})
	Orient(v)
	want := mat.NewDense(3, 4, []float64{
		-1, 1, 0, 2,
		2, -1 - 1e-12, 0, -1,
		-1, 0, 0, -1,
	})
	if !mat.Equal(v, want) {
		t.Errorf("oriented: %v", mat.Formatted(v))
	}
}
