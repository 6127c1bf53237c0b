package figure

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
)

// TestTitlesFit keeps titles on one line within their panel: smaller, and cut at the end.
func TestTitlesFit(t *testing.T) {
	style := letters(usualSizes.title)
	for _, width := range []float64{60, 200, 400} {
		for _, n := range []int{1, 10, 40, 200} {
			s, text := fitted(style, strings.Repeat("kernel ", n), 0)
			if s.Font.Size < leastLetters || text == "" {
				t.Errorf("%d words in no space: %q in letters of %g points", n, text, s.Font.Size)
			}
			s, text = fitted(style, strings.Repeat("kernel ", n), vg.Length(width))
			if got := s.Width(text); float64(got) > width || s.Font.Size < leastLetters {
				t.Errorf("%d words are %g wide in letters of %g points, space is %g", n, got, s.Font.Size, width)
			}
		}
	}
}

// TestTitlesAlign wants the titles of a row on one line, over panels with and without bars and
// with labels of different length.
func TestTitlesAlign(t *testing.T) {
	xs := []float64{0, 1, 2}
	svg, err := Sheet{Panels: []Panel{
		{Title: "left", X: "x", Y: "y", Layers: []Layer{Line{X: xs, Y: []float64{0, 1e5, 2e5}}}},
		{Title: "middle", Layers: []Layer{Field{Xs: xs, Ys: xs, Z: [][]float64{{1, 2, 3}, {2, 3, 4}, {3, 4, 5}}}}},
		{Title: "right", X: "x", Layers: []Layer{Dots{Name: "dots", X: xs, Y: xs, Size: 9}}},
	}}.SVG()
	if err != nil {
		t.Fatal(err)
	}
	heights := map[string]bool{}
	for _, m := range regexp.MustCompile(`y="([-.\d]+)"[^>]*>(left|middle|right)<`).FindAllStringSubmatch(string(svg), -1) {
		y, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		heights[strconv.FormatFloat(y, 'f', 1, 64)] = true
	}
	if len(heights) != 1 {
		t.Errorf("titles stand at the heights %v", heights)
	}
}
