package figure

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot/plotter"
)

// Band is the region between two functions of one variable, drawn as a veil behind the
// lines: where a function probably is, or observations of it.
type Band struct {
	Name     string
	X        []float64 // in their order
	Low, Top []float64
	Within   bool // the band before it: the veils of both lie over one another
}

// veil is the colour of bands, light enough for dots to be seen through several.
var veil = color.NRGBA{R: 0x30, G: 0x3a, B: 0x44, A: 0x38}

func (b Band) add(p *panel) error {
	if len(b.X) == 0 || len(b.Low) != len(b.X) || len(b.Top) != len(b.X) {
		return fmt.Errorf("band %q has %d abscissae and %d and %d ordinates", b.Name, len(b.X), len(b.Low), len(b.Top))
	}
	around := make(plotter.XYs, 0, 2*len(b.X))
	for i, x := range b.X {
		around = append(around, plotter.XY{X: x, Y: b.Top[i]})
	}
	for i := len(b.X) - 1; i >= 0; i-- {
		around = append(around, plotter.XY{X: b.X[i], Y: b.Low[i]})
	}
	polygon, err := plotter.NewPolygon(around)
	if err != nil {
		return fmt.Errorf("band %q: %w", b.Name, err)
	}
	polygon.Color, polygon.LineStyle.Width = veil, 0
	p.Add(polygon)
	icon := *polygon
	if b.Within {
		icon.Color = twice(veil)
	}
	p.name(b.Name, &icon)
	return nil
}

// twice is the veil that two veils are.
func twice(c color.NRGBA) color.NRGBA {
	through := 1 - float64(c.A)/255
	c.A = uint8(255 * (1 - through*through))
	return c
}
