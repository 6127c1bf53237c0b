package figure

import (
	"fmt"
	"strings"
	"testing"
)

// A sequence is broken into lines of sixty symbols, which all stand in the picture.
func TestLetters(t *testing.T) {
	l := Letters{Title: "row 1", Above: "for", Below: "against"}
	for i := range 130 {
		l.Symbols, l.Values = append(l.Symbols, "ACGT"[i%4:i%4+1]), append(l.Values, float64(i%7)-3)
	}
	panels, err := l.panels()
	if err != nil || len(panels) != 3 {
		t.Fatalf("%d lines, %v; want 3", len(panels), err)
	}
	svg, err := LetterSheet{l}.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{">A<", ">for<", ">against<", ">121<", ">130<"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("the picture has no %s", want)
		}
	}
	if _, err := (LetterSheet{{Symbols: []string{"A"}}}).PNG(); err == nil {
		t.Error("a symbol without a number was drawn")
	}
	if _, err := (LetterSheet{}).PNG(); err == nil {
		t.Error("a picture of nothing")
	}
}

// Shares of nodes have two colours with their names, and numbers that are missing are errors.
func TestGraphShares(t *testing.T) {
	g := Graph{X: []float64{0, 1, 2}, Y: []float64{0, 1, 0}, Names: []string{"C", "N", "O"}, Edges: [][2]int{{0, 1}, {1, 2}},
		Shares: []float64{1, -0.5, 0}, Above: "for", Below: "against", Bold: []bool{true, false}}
	svg, err := GraphSheet{g, g}.SVG()
	if err != nil {
		t.Fatal(err)
	}
	hex := func(v float64) string {
		c := speaks(v, 1)
		return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B)
	}
	for _, want := range []string{">for<", ">against<", hex(1), hex(-0.5)} {
		if !strings.Contains(strings.ToUpper(string(svg)), strings.ToUpper(want)) {
			t.Errorf("the picture has no %s", want)
		}
	}
	g.Shares = g.Shares[:2]
	if _, err := g.PNG(); err == nil {
		t.Error("a node without a share was drawn")
	}
}
