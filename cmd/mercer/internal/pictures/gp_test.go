package pictures

import (
	"math"
	"slices"
	"testing"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/compute"
	"example.org/mercer/supervised/gp"
)

// TestProcess draws the picture of docs/methods/gp.md.
func TestProcess(t *testing.T) {
	xs, y := small(t, "mcycle")
	k, noise, report, err := gp.Tune(t.Context(), parse(t, "1000*rbf(sigma=5)"), points(xs), y, gp.TuneOptions{Options: gp.Options{Noise: 500}})
	if err != nil {
		t.Fatal(err)
	}
	p, _, err := gp.Fit(t.Context(), k, points(xs), y, gp.Options{Noise: noise})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%s, noise %g: log evidence %g", k, noise, report.LogEvidence)
	x := xs.Raw()
	grid := axis(slices.Min(x)-5, slices.Max(x)+15, 200)
	m, err := p.Marginals(t.Context(), grid, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := figure.Curves{Title: "a motorcycle crash", XLabel: "milliseconds", YLabel: "acceleration (g)", X: x, Y: y}
	of, observed, line := figure.Band{Name: "f, ± 2 deviations", Within: true}, figure.Band{Name: "observations, ± 2 deviations"}, figure.Curve{Name: "mean"}
	for i, f := range m.Mean {
		at := grid.At(i)[0]
		line.X, line.Y = append(line.X, at), append(line.Y, f)
		for band, v := range map[*figure.Band]float64{&of: m.Variance[i], &observed: m.Variance[i] + noise} {
			band.X = append(band.X, at)
			band.Low, band.Top = append(band.Low, f-2*math.Sqrt(v)), append(band.Top, f+2*math.Sqrt(v))
		}
	}
	c.Bands, c.Lines = []figure.Band{observed, of}, []figure.Curve{line}
	keep(t, "gp-mcycle.svg", c)
}
