package erm_test

import (
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/internal/figure"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/supervised/erm"
)

var update = flag.Bool("update", false, "write the pictures of docs/methods/losses.md again")

// TestPictures draws the pictures of docs/methods/losses.md; with -update it writes them.
func TestPictures(t *testing.T) {
	for name, c := range map[string]figure.Picture{
		"robust-telef.svg": robustPicture(t, "telef", figure.Curves{Title: "calls from Belgium: six years in another unit", XLabel: "year", YLabel: "calls (tens of millions)"}),
		"robust-stars.svg": robustPicture(t, "starsCYG", figure.Curves{Title: "CYG OB1: four giants", XLabel: "log temperature", YLabel: "log light"}),
		"robust-rows.png":  residualPicture(t),
		"quantiles.svg":    quantilePicture(t),
	} {
		draw := c.SVG
		if filepath.Ext(name) == ".png" {
			draw = c.PNG
		}
		drawn, err := draw()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		path := filepath.Join("..", "..", "docs", "pictures", name)
		if *update {
			if err := os.WriteFile(path, drawn, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := os.Stat(path); err != nil {
			t.Errorf("docs/methods/losses.md shows %s: %v; run with -update", name, err)
		}
	}
}

// column returns one column of points.
func column(xs data.Vectors) []float64 {
	out := make([]float64, xs.Len())
	for i := range out {
		out[i] = xs.At(i)[0]
	}
	return out
}

// axis is a grid over the range of one column.
func axis(xs data.Vectors, points int) data.Vectors {
	lo, hi := xs.At(0)[0], xs.At(0)[0]
	for i := range xs.Len() {
		lo, hi = min(lo, xs.At(i)[0]), max(hi, xs.At(i)[0])
	}
	out := data.MakeVectors(points, 1)
	for i := range points {
		out.At(i)[0] = lo + (hi-lo)*float64(i)/float64(points-1)
	}
	return out
}

// predict evaluates a model on a grid.
func predict(t *testing.T, f model.Predictor[[]float64], grid data.Vectors) *mat.Dense {
	t.Helper()
	values, err := f.Predict(t.Context(), grid, compute.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// robustPicture fits straight lines with three losses.
func robustPicture(t *testing.T, set string, c figure.Curves) figure.Curves {
	xs, y := small(t, set)
	c.X, c.Y = column(xs), y
	grid := axis(xs, 2)
	for _, l := range []loss.Loss{loss.Squared{}, loss.Huber{}, loss.Tukey{}} {
		f, _, err := erm.Fit(t.Context(), parse(t, "linear()"), xs, y, l, erm.Options{Lambda: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		c.Lines = append(c.Lines, figure.Curve{Name: l.String(), X: column(grid), Y: mat.Col(nil, 0, predict(t, f, grid))})
	}
	return c
}

// residualPicture shows how far every row of hbk and stackloss lies from planes fitted by
// least squares and by the biweight, in units of the scale that the latter estimates.
func residualPicture(t *testing.T) figure.BarPanels {
	var panels figure.BarPanels
	for _, c := range []struct {
		set, title string
		first      int
	}{
		{"hbk", "hbk: rows 1–10 are bad, 11–14 good leverage points", 20},
		{"stackloss", "stackloss: rows 1, 3, 4 and 21", 21},
	} {
		xs, y := small(t, c.set)
		squares, _ := plane(t, xs, y, loss.Squared{})
		tukey, report := plane(t, xs, y, loss.Tukey{})
		bars := figure.Bars{Title: c.title, YLabel: "|residual| / scale", Lines: []float64{4.685},
			Series: []figure.Series{{Name: "squared"}, {Name: "tukey"}}}
		for i := range c.first {
			bars.Names = append(bars.Names, fmt.Sprint(i+1))
			for k, w := range [][]float64{squares, tukey} {
				bars.Series[k].Values = append(bars.Series[k].Values, math.Abs(y[i]-at(w, xs.At(i)))/report.Scale)
			}
		}
		panels = append(panels, bars)
	}
	return panels
}

// quantilePicture fits quantiles of a curve.
func quantilePicture(t *testing.T) figure.Curves {
	xs, y := small(t, "mcycle")
	c := figure.Curves{Title: "quantiles of a motorcycle crash", XLabel: "milliseconds", YLabel: "acceleration (g)", X: column(xs), Y: y}
	taus := []float64{0.1, 0.25, 0.5, 0.75, 0.9}
	f, _, err := erm.FitQuantiles(t.Context(), parse(t, "rbf(sigma=5)"), xs, y, taus, erm.Options{Lambda: 1e-4})
	if err != nil {
		t.Fatal(err)
	}
	grid := axis(xs, 150)
	values := predict(t, f, grid)
	erm.Rearrange(values)
	for at := range taus { // from the top, as the legend reads
		i := len(taus) - 1 - at
		c.Lines = append(c.Lines, figure.Curve{Name: fmt.Sprintf("%g", taus[i]), X: column(grid), Y: mat.Col(nil, i, values)})
	}
	return c
}
