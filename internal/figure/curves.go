package figure

import (
	"bytes"
	"fmt"
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Curves describes a picture of functions of one variable over the data that they were
// fitted to: how a robust loss ignores what least squares follows, or quantiles.
type Curves struct {
	Title  string
	XLabel string
	YLabel string
	X, Y   []float64 // the data, drawn as dots
	Lines  []Curve
}

// Curve is one function, drawn as a line through its points, which should be in the
// order of X.
type Curve struct {
	Name string
	X, Y []float64
}

// palette is told apart with any kind of colour vision (Okabe and Ito 2008); lines
// beyond it repeat the colours with dashes.
var palette = []color.RGBA{
	{R: 0xd5, G: 0x5e, B: 0x00, A: 0xff}, {R: 0x00, G: 0x72, B: 0xb2, A: 0xff}, {R: 0x00, G: 0x9e, B: 0x73, A: 0xff},
	{R: 0xcc, G: 0x79, B: 0xa7, A: 0xff}, {R: 0xe6, G: 0x9f, B: 0x00, A: 0xff}, {R: 0x56, G: 0xb4, B: 0xe9, A: 0xff},
}

// PNG draws the picture as PNG.
func (c Curves) PNG() ([]byte, error) {
	canvas := vgimg.PngCanvas{Canvas: vgimg.New(16*vg.Centimeter, 11*vg.Centimeter)}
	return c.draw(canvas, canvas.WriteTo)
}

// SVG draws the picture as SVG.
func (c Curves) SVG() ([]byte, error) {
	canvas := vgsvg.New(16*vg.Centimeter, 11*vg.Centimeter)
	return c.draw(canvas, canvas.WriteTo)
}

func (c Curves) draw(canvas vg.CanvasSizer, write func(io.Writer) (int64, error)) ([]byte, error) {
	if len(c.X) != len(c.Y) || len(c.X) == 0 {
		return nil, fmt.Errorf("figure: %d abscissae and %d ordinates; a picture of curves needs the same positive number of each", len(c.X), len(c.Y))
	}
	p, err := scatter(c.XLabel, c.YLabel, c.X, c.Y)
	if err != nil {
		return nil, err
	}
	p.Title.Text = c.Title
	p.Legend.Top, p.Legend.Left = true, true
	for i, line := range c.Lines {
		if err := c.add(p, i, line); err != nil {
			return nil, err
		}
	}
	p.Draw(draw.New(canvas))
	var out bytes.Buffer
	if _, err := write(&out); err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	return out.Bytes(), nil
}

// add draws the i-th line and names it in the legend.
func (c Curves) add(p *plot.Plot, i int, line Curve) error {
	if len(line.X) != len(line.Y) || len(line.X) == 0 {
		return fmt.Errorf("figure: curve %q has %d abscissae and %d ordinates", line.Name, len(line.X), len(line.Y))
	}
	points := make(plotter.XYs, len(line.X))
	for j := range points {
		points[j].X, points[j].Y = line.X[j], line.Y[j]
	}
	l, err := plotter.NewLine(points)
	if err != nil {
		return fmt.Errorf("figure: curve %q: %w", line.Name, err)
	}
	l.Color, l.Width = palette[i%len(palette)], vg.Points(1.6)
	if i >= len(palette) {
		l.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
	}
	p.Add(l)
	p.Legend.Add(line.Name, l)
	return nil
}
