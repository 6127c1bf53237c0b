package figure

import (
	"bytes"
	"image/png"
	"math"
	"strings"
	"testing"
)

// everything is a sheet with a layer of every kind.
func everything() Sheet {
	xs := []float64{0, 1, 2}
	view := View{Azimuth: 30, Elevation: 20}
	ax, ay := view.Polygon([3]float64{0, 0, 0}, [3]float64{1, 0, 0}, [3]float64{1, 1, 1})
	return Sheet{Columns: 2, Panels: []Panel{
		{Title: "lines", X: "abscissa", Y: "ordinate", Layers: []Layer{Lattice{}, Line{Name: "a line", X: xs, Y: xs}, Dots{Name: "dots", X: xs, Y: xs, Ink: Black}, Text{X: 1, Y: 1, Text: "a label"}}},
		{Title: "field", Equal: true, Layers: []Layer{Field{Xs: xs, Ys: xs, Z: [][]float64{{-1, 0, 1}, {0, 1, 2}, {1, 2, 3}}, Signed: true}, Arrow{Name: "an arrow", X1: 1, Y1: 1}}},
		{Title: "cells", Layers: []Layer{Cells{Xs: xs, Ys: xs, Class: [][]int{{0, 0, 1}, {0, 1, 1}, {2, 2, 2}}}, Area{Name: "an area", X: ax, Y: ay}}},
		{Title: "matrix", Bare: true, Layers: []Layer{Matrix{Values: [][]float64{{1, 0.25}, {0.25, 1}}, Numbers: true}}},
		{Title: "network", Bare: true, Layers: []Layer{Network{Nodes: []Node{{Text: "one"}, {X: 1, Text: "two"}}, Links: []Link{{From: 0, To: 1, Text: "link"}}, Directed: true}}},
		{Title: "log", LogX: true, LogY: true, Layers: []Layer{Line{X: []float64{1, 100}, Y: []float64{1e-3, 1e3}, Dashed: true}}},
	}}
}

func TestSheet(t *testing.T) {
	svg, err := everything().SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"lines", "abscissa", "ordinate", "a line", "dots", "a label", "an arrow", "an area", "0.25", "one", "two", "link", "100", "1000"} {
		if !strings.Contains(string(svg), ">"+want+"<") {
			t.Errorf("the picture does not say %q", want)
		}
	}
	raw, err := everything().PNG()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(raw)); err != nil {
		t.Error(err)
	}
}

// TestSharedKey counts the entries of keys: one for panels with the same names, one for
// each otherwise.
func TestSharedKey(t *testing.T) {
	xs := []float64{0, 1}
	with := func(names ...string) Panel {
		p := Panel{Layers: []Layer{Line{X: xs, Y: xs}}}
		for _, name := range names {
			p.Layers = append(p.Layers, Dots{Name: name, X: xs, Y: xs})
		}
		return p
	}
	for name, c := range map[string]struct {
		panels []Panel
		want   int
	}{
		"the same":       {[]Panel{with("a", "b"), with("a", "b")}, 2},
		"a part":         {[]Panel{with("a"), with("a", "b"), with()}, 2},
		"others":         {[]Panel{with("a"), with("b")}, 2},
		"two and others": {[]Panel{with("a", "b"), with("a"), with("c")}, 3},
		"one panel":      {[]Panel{with("a", "b", "b")}, 2},
	} {
		svg, err := Sheet{Panels: c.panels}.SVG()
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Count(string(svg), ">a<") + strings.Count(string(svg), ">b<") + strings.Count(string(svg), ">c<")
		if got != c.want {
			t.Errorf("%s: %d entries, want %d", name, got, c.want)
		}
	}
}

// TestSheetRefuses gives every layer what it cannot draw.
func TestSheetRefuses(t *testing.T) {
	xs := []float64{0, 1}
	for name, layer := range map[string]Layer{
		"line":       Line{X: xs, Y: xs[:1]},
		"no line":    Line{},
		"dots":       Dots{X: xs, Y: xs[:1]},
		"area":       Area{X: xs, Y: xs},
		"flat field": Field{Xs: xs, Ys: xs, Z: [][]float64{{1, 2}}},
		"short row":  Field{Xs: xs, Ys: xs, Z: [][]float64{{1, 2}, {1}}},
		"not finite": Field{Xs: xs, Ys: xs, Z: [][]float64{{1, 2}, {1, math.NaN()}}},
		"cells":      Cells{Xs: xs, Ys: xs, Class: [][]int{{0}}},
		"matrix":     Matrix{Values: [][]float64{{1, 2}, {1}}},
		"no matrix":  Matrix{},
		"link":       Network{Nodes: []Node{{}}, Links: []Link{{From: 0, To: 1}}},
		"NaN":        Dots{X: []float64{math.NaN()}, Y: []float64{0}},
	} {
		if _, err := (Sheet{Panels: []Panel{{Layers: []Layer{layer}}}}).SVG(); err == nil {
			t.Errorf("%s was drawn", name)
		}
	}
	if _, err := (Sheet{}).PNG(); err == nil {
		t.Error("a sheet without panels was drawn")
	}
	if _, err := (Sheet{Panels: []Panel{{}}}).PNG(); err == nil {
		t.Error("a panel without anything was drawn")
	}
}

// TestView looks along an axis and from above.
func TestView(t *testing.T) {
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-15 }
	if u, w := (View{}).At(1, 2, 3); !near(u, 1) || !near(w, 3) {
		t.Errorf("from the front (1, 2, 3) is seen at (%g, %g)", u, w)
	}
	if u, w := (View{Elevation: 90}).At(1, 2, 3); !near(u, 1) || !near(w, 2) {
		t.Errorf("from above (1, 2, 3) is seen at (%g, %g)", u, w)
	}
	if u, w := (View{Azimuth: 90}).At(1, 2, 3); !near(u, 2) || !near(w, 3) {
		t.Errorf("from the side (1, 2, 3) is seen at (%g, %g)", u, w)
	}
}
