package data_test

import (
	"slices"
	"testing"

	"example.org/mercer/data"
)

// The images under a 2×3 matrix, written out.
func TestLinearImages(t *testing.T) {
	l := []float64{1, 2, 0, -1, 0, 0.5}
	xs, err := data.NewVectors(2, 3, []float64{3, 4, 8, -1, 0, 2})
	if err != nil {
		t.Fatal(err)
	}
	images := data.LinearImages(l, xs)
	if want := []float64{3 + 8, -3 + 4, -1, 1 + 1}; images.Dim() != 2 || !slices.Equal(images.Raw(), want) {
		t.Errorf("images are %v, want %v in rows of 2", images.Raw(), want)
	}
	if empty := data.LinearImages(l, data.Vectors{}); empty.Len() != 0 {
		t.Errorf("the images of no points are %d", empty.Len())
	}
}
