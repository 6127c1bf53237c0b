package figure

import (
	"strings"
	"testing"
)

// TestColourBars wants a bar, with its labels and name, beside every layer whose colours are
// numbers, and none where they are signs.
func TestColourBars(t *testing.T) {
	xs := []float64{0, 1, 2}
	z := [][]float64{{-40, 0, 10}, {0, 20, 30}, {10, 30, 40}}
	grid := Scores{Title: "accuracy", X: "a", Y: "b", LargerIsBetter: true}
	for i := range 6 {
		for j := range 6 {
			grid.Points = append(grid.Points, Scored{float64(i), float64(j), float64(10*(i+j)) - 40})
		}
	}
	lone := grid
	lone.Points = nil
	for i := range 8 {
		lone.Points = append(lone.Points, Scored{float64(i), float64(i*i) + 1, float64(10*i) - 40})
	}
	sheet := func(layers ...Layer) Picture { return Sheet{Panels: []Panel{{Bare: true, Layers: layers}}} }
	for name, c := range map[string]struct {
		pic  Picture
		want []string
	}{
		"field":        {sheet(Field{Name: "height", Xs: xs, Ys: xs, Z: z}), []string{"-20", "0", "20", "height"}},
		"signed field": {sheet(Field{Xs: xs, Ys: xs, Z: z, Signed: true}), []string{"-20", "0", "20"}},
		"matrix":       {sheet(Matrix{Name: "K", Values: z}), []string{"-20", "0", "20", "K"}},
		"cells":        {sheet(Cells{Xs: xs, Ys: xs, Class: [][]int{{0, 0, 0}, {1, 1, 1}, {1, 1, 1}}, Sure: [][]float64{{0.5, 0.6, 1}, {0.7, 0.8, 0.9}, {0.9, 0.9, 0.9}}}), []string{"0.6", "0.8", "1.0", "probability of the label"}},
		"heat":         {Graph{X: xs, Y: xs, Names: []string{"a", "b", "c"}, Heat: []float64{-40, 0, 40}}, []string{"-20", "20", "40"}},
		"shares":       {Graph{X: xs, Y: xs, Names: []string{"a", "b", "c"}, Shares: []float64{-40, 0, 40}}, []string{"-20", "20", "40"}},
		"grid search":  {grid, []string{"-25", "25", "50"}},
		"free search":  {lone, []string{"-40", "-20", "20"}},
		"many points":  {sheet(many()), []string{"1", "10", "points"}},
	} {
		svg, err := c.pic.SVG()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(string(svg), ">"+want+"<") {
				t.Errorf("%s: the bar does not say %q", name, want)
			}
		}
	}
	svg, err := sheet(Field{Xs: xs, Ys: xs, Z: z, Signed: true, Levels: []float64{0}}).SVG()
	if err != nil || strings.Contains(string(svg), ">20<") {
		t.Errorf("the sign alone has a bar (%v)", err)
	}
}

// many is a cloud of 4000 points, most of them near its middle.
func many() Cloud {
	var c Cloud
	for i := range 4000 {
		u, v := float64(i*7919%4001)/4001-0.5, float64(i*104729%3989)/3989-0.5
		c.X, c.Y = append(c.X, u*u*u), append(c.Y, v*v*v)
	}
	return c
}

// TestCloud counts every point once.
func TestCloud(t *testing.T) {
	c := many()
	h := binned(c.X, c.Y)
	total, most := 0, 0
	for _, b := range h.bins {
		total, most = total+b.points, max(most, b.points)
	}
	if total != len(c.X) || most != h.most || most < 50 || len(h.bins) < 100 {
		t.Errorf("%d points in %d hexagons, up to %d", total, len(h.bins), most)
	}
}

// TestSearchIsMapped paints the cells of a grid, and contours where scores are smooth.
func TestSearchIsMapped(t *testing.T) {
	table := func(of func(i, j int) float64) [][]float64 {
		out := make([][]float64, 7)
		for j := range out {
			for i := range 7 {
				out[j] = append(out[j], of(i, j))
			}
		}
		return out
	}
	if !smooth(table(func(i, j int) float64 { return float64(i*i + j) })) {
		t.Error("a parabola is not smooth")
	}
	if smooth(table(func(i, j int) float64 { return float64((i*5 + j*3) % 7) })) {
		t.Error("a jagged table is smooth")
	}
	if smooth(table(func(i, j int) float64 { return 1 })) {
		t.Error("a constant has contours")
	}
	got := edges([]float64{1, 100, 10000}, true)
	for i, want := range []float64{0.1, 10, 1000, 100000} {
		if d := got[i]/want - 1; d > 1e-12 || d < -1e-12 {
			t.Errorf("edge %d of cells on a logarithmic axis is %g, want %g", i, got[i], want)
		}
	}
}
