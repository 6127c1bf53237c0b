package model_test

import (
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/model"
)

func TestLargest(t *testing.T) {
	got := model.Largest(mat.NewDense(3, 3, []float64{1, 3, 2, 5, 0, 5, -3, -2, -1}))
	if !slices.Equal(got, []int{1, 0, 2}) {
		t.Errorf("largest columns %v", got)
	}
}
