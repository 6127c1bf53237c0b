package visual_test

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"example.org/mercer/internal/testkit"
	"example.org/mercer/kernel/visual"
)

// The Fisher vector of an image of 12 pixels with 3 channels, each a descriptor, is scikit-image's.
// That has the gradients in the variances with the other sign, which no inner product sees.
func TestFisherVectorIsThatOfScikitImage(t *testing.T) {
	text, err := os.ReadFile("testdata/fisher.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Image, Weights, Means, Variances, Vector []float64
	}
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	dense := visual.Dense{Shape: [3]int{12, 1, 3}, Input: "raw", Reduce: 1, Patch: 1}
	c, err := visual.Options{Dense: dense, Coding: visual.Fisher(4)}.New(slices.Concat(want.Weights, want.Means, want.Variances))
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float64, c.Features())
	c.Of(got, want.Image)
	floats.Scale(-1, got[4*(1+3):])
	// Square roots of sums of 12 terms of size 1, which are the less exact the smaller they are.
	testkit.CloseSlice(t, "Fisher vector", got, want.Vector, 1e-10)
}
