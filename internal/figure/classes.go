package figure

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Classes describes a picture of how well classes are told apart: of the parts that are
// given, the regions of a model on two features, receiver operating characteristics, and
// the reliability of probabilities, side by side.
type Classes struct {
	Title       string
	Regions     *Regions
	ROC         []Curve // of every class that has one; x: false alarms, y: hits
	Reliability []Curve // x: mean predicted probability, y: observed share
}

// Regions describe what a model says on a grid over two features, and points with their
// true classes.
type Regions struct {
	X, Y   string // names of the features
	Labels []string
	Xs, Ys []float64 // coordinates of the grid, ascending
	Class  [][]int   // [y][x], a number in Labels
	// Sure is the probability of that class, in tenths of which a region is paler where
	// it is smaller; nil: it is not known.
	Sure   [][]float64
	Points []Point
}

// Point is a row with its true class.
type Point struct {
	X, Y  float64
	Class int
}

// shapes repeat what the colours say.
var shapes = []draw.GlyphDrawer{draw.CircleGlyph{}, draw.BoxGlyph{}, draw.TriangleGlyph{}, draw.PyramidGlyph{}, draw.PlusGlyph{}, draw.CrossGlyph{}, draw.RingGlyph{}, draw.SquareGlyph{}}

// ink returns the colour of a class, and tint a light one for its region.
func ink(class int) color.RGBA { return inks[class%len(inks)] }

func tint(class int) color.RGBA { return shade(class, 5) }

// shade is a colour for the region of a class with a probability of some tenths.
func shade(class, tenths int) color.RGBA {
	c := ink(class)
	light := func(v uint8) uint8 { return 0xff - uint8(int(0xff-v)*tenths/20) }
	return color.RGBA{R: light(c.R), G: light(c.G), B: light(c.B), A: 0xff}
}

// PNG draws the picture as PNG.
func (c Classes) PNG() ([]byte, error) {
	p, err := c.page()
	if err != nil {
		return nil, err
	}
	return p.png()
}

// SVG draws the picture as SVG.
func (c Classes) SVG() ([]byte, error) {
	p, err := c.page()
	if err != nil {
		return nil, err
	}
	return p.svg()
}

func (c Classes) page() (page, error) {
	out := page{height: 12 * vg.Centimeter}
	add := func(p *plot.Plot, err error) error {
		out.plots = append(out.plots, p)
		out.width += 13 * vg.Centimeter
		return err
	}
	if c.Regions != nil {
		if err := add(c.Regions.plot(c.Title)); err != nil {
			return page{}, err
		}
	}
	if len(c.ROC) > 0 {
		if err := add(unitSquare("receiver operating characteristic", "false alarms", "hits", c.ROC, false)); err != nil {
			return page{}, err
		}
	}
	if len(c.Reliability) > 0 {
		if err := add(unitSquare("reliability", "predicted probability", "observed share", c.Reliability, true)); err != nil {
			return page{}, err
		}
	}
	if len(out.plots) == 0 {
		return page{}, fmt.Errorf("figure: there is nothing to draw of these classes: the model gives neither scores per class nor probabilities, and has not two features")
	}
	return out, nil
}

// plot draws every cell of the grid in the shade of its class, and the points on top.
func (r *Regions) plot(title string) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, r.X, r.Y
	if err := (Cells{Xs: r.Xs, Ys: r.Ys, Class: r.Class, Sure: r.Sure}).paint(p); err != nil {
		return nil, err
	}
	for class, label := range r.Labels {
		var points plotter.XYs
		for _, q := range r.Points {
			if q.Class == class {
				points = append(points, plotter.XY{X: q.X, Y: q.Y})
			}
		}
		if points == nil {
			continue
		}
		s, err := plotter.NewScatter(points)
		if err != nil {
			return nil, fmt.Errorf("figure: %w", err)
		}
		s.GlyphStyle = draw.GlyphStyle{Color: ink(class), Radius: vg.Points(2.2), Shape: shapes[class%len(shapes)]}
		p.Add(s)
		p.Legend.Add(label, s)
	}
	p.Legend.Top = true
	return p, nil
}

// unitSquare draws curves in the unit square with its diagonal; marked adds their points.
func unitSquare(title, x, y string, curves []Curve, marked bool) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = title, x, y
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	p.Add(plotter.NewGrid())
	if err := line(p, 0, 0, 1, 1); err != nil {
		return nil, err
	}
	for k, c := range curves {
		l, s, err := plotter.NewLinePoints(c.points())
		if err != nil {
			return nil, fmt.Errorf("figure: %w", err)
		}
		l.Color, l.Width = ink(k), vg.Points(1.5)
		p.Add(l)
		if marked {
			s.GlyphStyle = draw.GlyphStyle{Color: ink(k), Radius: vg.Points(2.5), Shape: shapes[k%len(shapes)]}
			p.Add(s)
		}
		p.Legend.Add(c.Name, l)
	}
	p.Legend.Left, p.Legend.Top = false, false
	return p, nil
}
