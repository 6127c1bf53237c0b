package gallery

import (
	"testing"

	"example.org/mercer/cmd/mercer/internal/figure"
)

// The wide ellipses of the first steps are whole: no line leaves the axes of its panel,
// which are the same for all steps.
func TestEllipsesStayInTheirPanels(t *testing.T) {
	picture, err := drawEM(t.Context(), &figureContext{})
	if err != nil {
		t.Fatal(err)
	}
	panels, lines := picture.(figure.Sheet).Panels, 0
	for _, panel := range panels[:len(panels)-1] { // the last shows the likelihood
		b := *panel.Bounds
		if b != *panels[0].Bounds {
			t.Errorf("%s: axes %v, those of the start are %v", panel.Title, b, *panels[0].Bounds)
		}
		for _, layer := range panel.Layers {
			line, ok := layer.(figure.Line)
			if !ok {
				continue
			}
			lines++
			for i, x := range line.X {
				if y := line.Y[i]; x < b.X0 || x > b.X1 || y < b.Y0 || y > b.Y1 {
					t.Fatalf("%s: the ellipse through (%g, %g) leaves %v", panel.Title, x, y, b)
				}
			}
		}
	}
	if lines != 7*mixed {
		t.Errorf("%d ellipses, want %d", lines, 7*mixed)
	}
}
