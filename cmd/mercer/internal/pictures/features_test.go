package pictures

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.org/mercer/approx/nystrom"
	"example.org/mercer/approx/randomfeatures"
	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
)

// TestRandomFeatures measures the table of docs/methods/features.md with -update, and else makes
// sure that its picture is there:
//
//	go test ./cmd/mercer/internal/pictures -run TestRandomFeatures -update -v
func TestRandomFeatures(t *testing.T) {
	if !*update {
		isThere(t, "features.png")
		return
	}
	sheet, table := figure.Sheet{Columns: 2, Width: 9, Height: 5}, []string(nil)
	dims := []int{30, 100, 300, 1000, 2000}
	for _, set := range []struct{ name, path string }{{"letter", "libsvm/letter.scale.gz"}, {"a9a", "libsvm/a9a.t.gz"}} {
		xs := standardised(t, set.path, "")
		k := wide(t, xs)
		panel := figure.Panel{Title: fmt.Sprintf("%s, %d columns", set.name, xs.Dim()), X: "features", Y: "relative error", LogX: true, LogY: true}
		lines := []figure.Line{{Name: "orthogonal", Ink: figure.Ink(0)}, {Name: "independent", Ink: figure.Ink(1)}, {Name: "independent, expected", Ink: figure.Ink(2)}, {Name: "Nyström, uniform", Ink: figure.Ink(3)}}
		for _, dim := range dims {
			orthogonal, _ := ofFeatures(t, k, xs, randomfeatures.Options{Dim: dim})
			independent, expected := ofFeatures(t, k, xs, randomfeatures.Options{Dim: dim, Frequencies: randomfeatures.Independent})
			values := []float64{orthogonal, independent, expected, ofLandmarks(t, k, xs, dim)}
			cells := []string{set.name, fmt.Sprint(dim)}
			for i, v := range values {
				lines[i].X, lines[i].Y = append(lines[i].X, float64(dim)), append(lines[i].Y, max(v, 1e-6))
				cells = append(cells, fmt.Sprintf("%.1e", v))
			}
			table = append(table, "| "+strings.Join(cells, " | ")+" |")
		}
		for _, line := range lines {
			panel.Layers = append(panel.Layers, line)
		}
		sheet.Panels = append(sheet.Panels, panel)
	}
	t.Log("\n" + strings.Join(table, "\n"))
	keep(t, "features.png", sheet)
}

// ofFeatures returns the relative error of a block over three seeds, and what was expected.
func ofFeatures(t *testing.T, k vec.Kernel, xs data.Vectors, o randomfeatures.Options) (block, expected float64) {
	t.Helper()
	const seeds = 3
	for seed := range uint64(seeds) {
		o.Seed = seed
		z, err := randomfeatures.New(k, xs.At(0), o)
		if err != nil {
			t.Fatal(err)
		}
		e, err := z.Errors(t.Context(), points(xs), 1, compute.Options{})
		if err != nil {
			t.Fatal(err)
		}
		would := e.Block * e.Expected / e.RMS
		block, expected = block+e.Block*e.Block/seeds, expected+would*would/seeds
	}
	return math.Sqrt(block), math.Sqrt(expected)
}

// ofLandmarks returns the same error of as many landmarks.
func ofLandmarks(t *testing.T, k vec.Kernel, xs data.Vectors, rank int) float64 {
	t.Helper()
	s, _, err := nystrom.Landmarks(t.Context(), k, points(xs), nystrom.Options{Scheme: nystrom.Uniform, Rank: rank})
	if err != nil {
		t.Fatal(err)
	}
	low, err := nystrom.New(t.Context(), k, s.Points, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	e, err := low.Errors(t.Context(), points(xs), 1, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e.Block
}
