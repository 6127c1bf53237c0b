package figure

import (
	"bytes"
	"strings"
	"testing"
)

func TestBars(t *testing.T) {
	one := Bars{Title: "shares", YLabel: "share", Names: []string{"a", "b"}, Series: []Series{{"first", []float64{1, 2}}, {"second", []float64{-1, 0.5}}}, Lines: []float64{1.5}}
	b := BarPanels{one, one}
	png, err := b.PNG()
	if err != nil || !bytes.HasPrefix(png, []byte("\x89PNG")) {
		t.Errorf("PNG: %v", err)
	}
	svg, err := b.SVG()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"shares", "first", "second", "#d55e00", "#0072b2"} {
		if !strings.Contains(strings.ToLower(string(svg)), want) {
			t.Errorf("the picture has no %s", want)
		}
	}
	short := one
	short.Series = []Series{{"third", []float64{1}}}
	for want, b := range map[string]BarPanels{"no bars": nil, "1 numbers for 2 names": {short}, "nothing to draw": {{}}} {
		if _, err := b.PNG(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}
