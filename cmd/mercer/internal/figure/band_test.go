package figure

import (
	"strings"
	"testing"
)

func TestBand(t *testing.T) {
	c := lines(1)
	plain, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	c.Bands = []Band{{Name: "two deviations", X: []float64{0, 1, 2}, Low: []float64{-1, 0, 1}, Top: []float64{1, 2, 3}}}
	svg, err := c.SVG()
	if err != nil {
		t.Fatal(err)
	}
	if text := string(svg); !strings.Contains(text, "two deviations") || strings.Contains(string(plain), "fill-opacity:0.21961") || !strings.Contains(text, "fill-opacity:0.21961") {
		t.Error("the band or its name is missing")
	}
	c.Bands[0].Top = nil
	if _, err := c.SVG(); err == nil {
		t.Error("a band without a top was drawn")
	}
}
