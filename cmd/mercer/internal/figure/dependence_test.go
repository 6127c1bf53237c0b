package figure

import (
	"strings"
	"testing"

	"example.org/mercer/internal/testkit"
)

// Numbers have a line in a band over a rug, categories dots on bars.
func TestDependence(t *testing.T) {
	numbers := Dependence{Title: "price along size", X: "size", Y: "price", At: []float64{1, 2, 4}, Mean: []float64{1, 3, 2}, Low: []float64{0, 2, 1}, High: []float64{2, 5, 2}, Rug: []float64{1, 1.5, 9}}
	levels := Dependence{Title: "price along colour", X: "colour", Y: "price", Names: []string{"red", "blue"}, Mean: []float64{1, 3}, Low: []float64{1, 3}, High: []float64{1, 3}}
	svg, err := Dependences{numbers, levels}.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">price along size<", ">red<", ">mean over rows<", ">10 % to 90 % of rows<"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("the picture has no %s", want)
		}
	}
	p, err := numbers.panel()
	if err != nil {
		t.Fatal(err)
	}
	testkit.CloseSlice(t, "axes", []float64{p.Bounds.X0, p.Bounds.X1, p.Bounds.Y0, p.Bounds.Y1}, []float64{0.91, 4.09, -0.4, 5.4}, 1e-8)
	without := numbers
	without.Rug = nil
	plain, err := Dependences{without, levels}.SVG()
	if err != nil {
		t.Fatal(err)
	}
	// The stroke of 9 is beyond the axis.
	if more := strings.Count(string(svg), "<path") - strings.Count(string(plain), "<path"); more != 2 {
		t.Errorf("%d strokes, want 2", more)
	}
	numbers.Low = nil
	if _, err := (Dependences{numbers}).PNG(); err == nil {
		t.Error("a curve without its quantiles was drawn")
	}
	if _, err := (Dependences{}).PNG(); err == nil {
		t.Error("a picture of nothing")
	}
}
