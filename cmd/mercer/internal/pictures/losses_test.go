package pictures

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/data"
	"example.org/mercer/loss"
	"example.org/mercer/model"
	"example.org/mercer/supervised/erm"
)

// TestLosses draws the pictures of docs/methods/losses.md.
func TestLosses(t *testing.T) {
	keep(t, "robust-telef.svg", robustPicture(t, "telef", figure.Curves{Title: "calls from Belgium: six years in another unit", XLabel: "year", YLabel: "calls (tens of millions)"}))
	keep(t, "robust-stars.svg", robustPicture(t, "starsCYG", figure.Curves{Title: "CYG OB1: four giants", XLabel: "log temperature", YLabel: "log light"}))
	keep(t, "robust-rows.png", residualPicture(t))
	keep(t, "quantiles.svg", quantilePicture(t))
}

// robustPicture fits straight lines with three losses.
func robustPicture(t *testing.T, set string, c figure.Curves) figure.Curves {
	xs, y := small(t, set)
	c.X, c.Y = xs.Raw(), y
	grid := axis(slices.Min(xs.Raw()), slices.Max(xs.Raw()), 2)
	for _, l := range []loss.Loss{loss.Squared{}, loss.Huber{}, loss.Tukey{}} {
		f, _, err := erm.Fit(t.Context(), parse(t, "linear()"), xs, y, l, erm.Options{Lambda: 1e-9})
		if err != nil {
			t.Fatal(err)
		}
		c.Lines = append(c.Lines, figure.Curve{Name: l.String(), X: grid.Raw(), Y: mat.Col(nil, 0, predict(t, f, grid))})
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
				bars.Series[k].Values = append(bars.Series[k].Values, math.Abs(y[i]-heightAt(w, xs.At(i)))/report.Scale)
			}
		}
		panels = append(panels, bars)
	}
	return panels
}

// plane fits a plane by one loss: its constant, and its slopes.
func plane(t *testing.T, xs data.Vectors, y []float64, l loss.Loss) ([]float64, *erm.Report) {
	t.Helper()
	f, report, err := erm.Fit(t.Context(), parse(t, "linear()"), xs, y, l, erm.Options{Lambda: 1e-9})
	if err != nil {
		t.Fatalf("%s: %v", l, err)
	}
	p := f.(*model.Primal[[]float64])
	return append([]float64{p.Bias[0]}, mat.Col(nil, 0, p.W)...), report
}

// heightAt is the height of a plane over a point.
func heightAt(plane, x []float64) float64 { return plane[0] + floats.Dot(plane[1:], x) }

// quantilePicture fits quantiles of a curve.
func quantilePicture(t *testing.T) figure.Curves {
	xs, y := small(t, "mcycle")
	c := figure.Curves{Title: "quantiles of a motorcycle crash", XLabel: "milliseconds", YLabel: "acceleration (g)", X: xs.Raw(), Y: y}
	taus := []float64{0.1, 0.25, 0.5, 0.75, 0.9}
	f, _, err := erm.FitQuantiles(t.Context(), parse(t, "rbf(sigma=5)"), xs, y, taus, erm.Options{Lambda: 1e-4})
	if err != nil {
		t.Fatal(err)
	}
	grid := axis(slices.Min(xs.Raw()), slices.Max(xs.Raw()), 150)
	values := predict(t, f, grid)
	erm.Rearrange(values)
	for at := range taus { // from the top, as the legend reads
		i := len(taus) - 1 - at
		c.Lines = append(c.Lines, figure.Curve{Name: fmt.Sprintf("%g", taus[i]), X: grid.Raw(), Y: mat.Col(nil, i, values)})
	}
	return c
}
