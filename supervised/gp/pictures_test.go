package gp_test

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/figure"
	"example.org/mercer/supervised/gp"
)

var update = flag.Bool("update", false, "write the picture of docs/methods/gp.md again")

// TestPicture draws the picture of docs/methods/gp.md; with -update it writes it.
func TestPicture(t *testing.T) {
	rows := fields(t, filepath.Join("..", "small", "mcycle.csv"))
	last := len(rows[0]) - 1
	x, y := column(t, rows, last-1), column(t, rows, last)
	xs := data.MakeVectors(len(x), 1)
	for i, v := range x {
		xs.At(i)[0] = v
	}
	k, noise, report := tuneOn(t, "1000*rbf(sigma=5)", xs, y, gp.TuneOptions{Options: gp.Options{Noise: 500}})
	p, _, err := gp.Fit(t.Context(), k, data.Set[[]float64](xs), y, gp.Options{Noise: noise})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s, noise %g: log evidence %g", k, noise, report.LogEvidence)
	const points = 200
	grid, low, high := data.MakeVectors(points, 1), slices.Min(x)-5, slices.Max(x)+15
	for i := range points {
		grid.At(i)[0] = low + (high-low)*float64(i)/(points-1)
	}
	m, err := p.Marginals(t.Context(), grid, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := figure.Curves{Title: "a motorcycle crash: mean ± 2 standard deviations", XLabel: "milliseconds", YLabel: "acceleration (g)", X: x, Y: y}
	of, observed, line := figure.Band{Name: "f"}, figure.Band{Name: "y"}, figure.Curve{Name: "mean"}
	for i, f := range m.Mean {
		at := grid.At(i)[0]
		line.X, line.Y = append(line.X, at), append(line.Y, f)
		for band, v := range map[*figure.Band]float64{&of: m.Variance[i], &observed: m.Variance[i] + noise} {
			band.X = append(band.X, at)
			band.Low, band.Top = append(band.Low, f-2*math.Sqrt(v)), append(band.Top, f+2*math.Sqrt(v))
		}
	}
	c.Bands, c.Lines = []figure.Band{observed, of}, []figure.Curve{line}
	svg, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join("..", "..", "docs", "pictures", "gp-mcycle.svg")
	if *update {
		if err := os.WriteFile(path, svg, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := os.Stat(path); err != nil {
		t.Errorf("docs/methods/gp.md shows %s: %v; run with -update", path, err)
	}
}
