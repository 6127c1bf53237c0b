package figure_test

import (
	"bytes"
	"image/png"
	"math"
	"strings"
	"testing"

	"example.org/mercer/cmd/mercer/internal/figure"
)

// views are rows in three clusters, two of them in use.
func views() figure.Views {
	return figure.Views{
		Scatter: &figure.Scatter{Title: "gmm: flowers", X: "petal", Y: "sepal", Groups: []string{"one", "two", "three"},
			Points:   []figure.Point{{X: 0, Y: 1}, {X: 0.5, Y: 0}, {X: 3, Y: 3, Class: 1}},
			Ellipses: []figure.Ellipse{{Mean: [2]float64{0, 1}, Covariance: [2][2]float64{{1, 0.5}, {0.5, 1}}}}},
		Explained:   []float64{0.6, 0.3},
		Silhouettes: &figure.Silhouettes{Values: []float64{0.5, -0.2, 0.9}, Clusters: []int{0, 0, 1}, Names: []string{"one", "two"}, Mean: 0.4},
	}
}

// TestViews draws every part beside the others, with what it says.
func TestViews(t *testing.T) {
	svg, err := views().SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"gmm: flowers", "petal", "sepal", "one", "two", "explained variance", "together", "silhouettes, mean 0.400"} {
		if !strings.Contains(string(svg), ">"+want+"<") {
			t.Errorf("the picture does not say %q", want)
		}
	}
	if strings.Contains(string(svg), ">three<") {
		t.Error("a group without points is in the legend")
	}
	width := func(v figure.Views) int {
		raw, err := v.PNG()
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		return img.Bounds().Dx()
	}
	one := views()
	one.Explained, one.Silhouettes = nil, nil
	if w, n := width(views()), width(one); w < 3*n-110 || w > 3*n {
		t.Errorf("three parts are %d wide, one is %d", w, n)
	}
	plain := figure.Views{Scatter: &figure.Scatter{Points: []figure.Point{{X: 1, Y: 2}, {X: 2, Y: 1}}}, Explained: []float64{0.9}}
	if _, err := plain.PNG(); err != nil {
		t.Error(err)
	}
}

// TestWrongViews: what cannot be drawn is an error.
func TestWrongViews(t *testing.T) {
	many := views()
	many.Scatter.Groups = make([]string, 51)
	bent := views()
	bent.Scatter.Ellipses[0].Covariance = [2][2]float64{{1, 2}, {2, 1}}
	short := views()
	short.Silhouettes.Values = short.Silhouettes.Values[1:]
	for want, v := range map[string]figure.Views{"nothing to draw": {}, "no points": {Scatter: &figure.Scatter{}}, "51 groups": many,
		"positive semidefinite": bent, "silhouettes of 3 rows": short} {
		if _, err := v.SVG(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v does not say %q", err, want)
		}
	}
}

// TestShadedViews: numbers colour the points in place of groups, with the bar that tells which; of
// a point without one the key says so.
func TestShadedViews(t *testing.T) {
	v := figure.Views{Scatter: &figure.Scatter{Title: "isomap: roll", X: "z1", Y: "z2", Value: "angle",
		Points: []figure.Point{{X: 0, Y: 1}, {X: 0.5, Y: 0}, {X: 3, Y: 3}}, Values: []float64{4, math.NaN(), 14}}}
	svg, err := v.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"isomap: roll", "angle", "angle missing", "10"} {
		if !strings.Contains(string(svg), ">"+want+"<") {
			t.Errorf("the picture does not say %q", want)
		}
	}
	for _, same := range [][]float64{{2, 2, 2}, {math.NaN(), math.NaN(), math.NaN()}} {
		v.Scatter.Values = same
		if _, err := v.PNG(); err != nil {
			t.Errorf("values %v: %v", same, err)
		}
	}
	v.Scatter.Values = []float64{1}
	if _, err := v.PNG(); err == nil {
		t.Error("fewer values than points are drawn")
	}
}
