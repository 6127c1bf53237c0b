package figure

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Ink is a colour of the pictures: 0 … 9 those of classes, and Black and Grey.
type Ink int

// The inks without a hue.
const (
	Black Ink = -1
	Grey  Ink = -2
)

func (i Ink) color() color.RGBA {
	switch i {
	case Black:
		return color.RGBA{R: 0x22, G: 0x22, B: 0x22, A: 0xff}
	case Grey:
		return color.RGBA{R: 0x8a, G: 0x8a, B: 0x8a, A: 0xff}
	}
	return ink(int(i))
}

// Line is a line through points, in their order.
type Line struct {
	Name   string // in the key; "" is not there
	X, Y   []float64
	Ink    Ink
	Dashed bool
	Thin   bool
}

// LineOf is a function over some numbers.
func LineOf(name string, ink Ink, at []float64, f func(float64) float64) Line {
	y := make([]float64, len(at))
	for i, x := range at {
		y[i] = f(x)
	}
	return Line{Name: name, X: at, Y: y, Ink: ink}
}

func (l Line) add(p *panel) error {
	if len(l.X) != len(l.Y) || len(l.X) == 0 {
		return fmt.Errorf("line %q has %d abscissae and %d ordinates", l.Name, len(l.X), len(l.Y))
	}
	drawn, err := plotter.NewLine(Curve{X: l.X, Y: l.Y}.points())
	if err != nil {
		return fmt.Errorf("line %q: %w", l.Name, err)
	}
	drawn.Color, drawn.Width = l.Ink.color(), vg.Points(1.8)
	if l.Thin {
		drawn.Width = vg.Points(0.9)
	}
	if l.Dashed {
		drawn.Dashes = []vg.Length{vg.Points(5), vg.Points(3)}
	}
	p.Add(drawn)
	p.name(l.Name, drawn)
	return nil
}

// Dots are points with one colour and shape. Many are translucent, so that their density is
// seen; few have a white edge, so that they differ from every ground.
type Dots struct {
	Name  string
	X, Y  []float64
	Ink   Ink
	Shape Shape
	Size  float64 // radius in points; 0 means 2.6
}

// edgedDots is the number of dots of which each has an edge and is opaque.
const edgedDots = 400

func (d Dots) add(p *panel) error {
	if len(d.X) != len(d.Y) {
		return fmt.Errorf("dots %q have %d abscissae and %d ordinates", d.Name, len(d.X), len(d.Y))
	}
	if len(d.X) == 0 {
		return nil
	}
	if d.Size == 0 {
		d.Size = 2.6
	}
	drawn, err := plotter.NewScatter(Curve{X: d.X, Y: d.Y}.points())
	if err != nil {
		return fmt.Errorf("dots %q: %w", d.Name, err)
	}
	opaque := draw.GlyphStyle{Color: d.Ink.color(), Radius: vg.Points(d.Size), Shape: mark{d.Shape, 0.6}}
	drawn.GlyphStyle = opaque
	if n := float64(len(d.X)); n > edgedDots {
		c := d.Ink.color()
		drawn.Color = color.NRGBA{R: c.R, G: c.G, B: c.B, A: uint8(255 * max(0.15, math.Sqrt(edgedDots/n)))}
		drawn.Shape = mark{Shape: d.Shape}
	}
	p.Add(drawn)
	p.name(d.Name, icon(opaque))
	return nil
}

// Shaded is points whose colour says a number, the darker the greater, with the bar that tells
// which. Those whose number is missing (NaN) are hollow.
type Shaded struct {
	Name         string // of the number
	X, Y, Values []float64
	Size         float64 // radius in points; 0 means 2.6
	NoBar        bool    // another panel beside it has the same
}

// lightestShade is the share of the colours that is left out as hardly seen on white.
const lightestShade = 0.12

func (s Shaded) add(p *panel) error {
	if len(s.X) != len(s.Y) || len(s.X) != len(s.Values) {
		return fmt.Errorf("shaded points have %d abscissae, %d ordinates and %d values", len(s.X), len(s.Y), len(s.Values))
	}
	if s.Size == 0 {
		s.Size = 2.6
	}
	known, hollow := Curve{}, Curve{}
	var values []float64
	for i, v := range s.Values {
		to := &known
		if math.IsNaN(v) {
			to = &hollow
		} else {
			values = append(values, v)
		}
		to.X, to.Y = append(to.X, s.X[i]), append(to.Y, s.Y[i])
	}
	if len(hollow.X) > 0 {
		drawn, err := plotter.NewScatter(hollow.points())
		if err != nil {
			return fmt.Errorf("points without %s: %w", s.Name, err)
		}
		drawn.GlyphStyle = draw.GlyphStyle{Color: Ink(0).color(), Radius: vg.Points(s.Size), Shape: draw.RingGlyph{}}
		p.Add(drawn)
		p.name(s.Name+" missing", icon(drawn.GlyphStyle))
	}
	if len(values) == 0 {
		return nil
	}
	low, high := extent(values)
	high = math.Max(high, low+1e-12*math.Max(1, math.Abs(low)))
	shade := func(v float64) color.RGBA { return sequential(lightestShade + (1-lightestShade)*(v-low)/(high-low)) }
	drawn, err := plotter.NewScatter(known.points())
	if err != nil {
		return fmt.Errorf("points by %s: %w", s.Name, err)
	}
	drawn.GlyphStyleFunc = func(i int) draw.GlyphStyle {
		return draw.GlyphStyle{Color: shade(values[i]), Radius: vg.Points(s.Size), Shape: draw.CircleGlyph{}}
	}
	p.Add(drawn)
	if !s.NoBar {
		p.Add(evenBar(s.Name, low, high, shade))
	}
	return nil
}

// icon is the mark of a class in the key, opaque and large enough to be told from others.
func icon(style draw.GlyphStyle) plot.Thumbnailer {
	style.Radius = min(max(style.Radius, 3), 5)
	return &plotter.Scatter{GlyphStyle: style}
}

// Area is a filled polygon, a veil through which lines and dots are seen.
type Area struct {
	Name string
	X, Y []float64
	Ink  Ink
}

func (a Area) add(p *panel) error {
	if len(a.X) != len(a.Y) || len(a.X) < 3 {
		return fmt.Errorf("area %q has %d abscissae and %d ordinates", a.Name, len(a.X), len(a.Y))
	}
	drawn, err := plotter.NewPolygon(Curve{X: a.X, Y: a.Y}.points())
	if err != nil {
		return fmt.Errorf("area %q: %w", a.Name, err)
	}
	c := a.Ink.color()
	drawn.Color, drawn.LineStyle.Width = color.NRGBA{R: c.R, G: c.G, B: c.B, A: 0x48}, 0
	p.Add(drawn)
	p.name(a.Name, drawn)
	return nil
}

// towardsWhite mixes a colour with a part of white.
func towardsWhite(c color.RGBA, white float64) color.RGBA {
	mix := func(v uint8) uint8 { return uint8(math.Round(float64(v) + white*(255-float64(v)))) }
	return color.RGBA{R: mix(c.R), G: mix(c.G), B: mix(c.B), A: 0xff}
}

// Arrow points from one place to another.
type Arrow struct {
	Name           string
	X0, Y0, X1, Y1 float64
	Ink            Ink
	Thin           bool
}

func (a Arrow) add(p *panel) error {
	p.Add(a)
	p.name(a.Name, a)
	return nil
}

// Thumbnail draws an arrow for the key.
func (a Arrow) Thumbnail(c *draw.Canvas) {
	y := (c.Min.Y + c.Max.Y) / 2
	arrow(*c, a.style(), vg.Point{X: c.Min.X, Y: y}, vg.Point{X: c.Max.X, Y: y})
}

func (a Arrow) style() draw.LineStyle {
	s := draw.LineStyle{Color: a.Ink.color(), Width: vg.Points(1.8)}
	if a.Thin {
		s.Width = vg.Points(0.9)
	}
	return s
}

// Plot draws the shaft and the head.
func (a Arrow) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	from, to := vg.Point{X: toX(a.X0), Y: toY(a.Y0)}, vg.Point{X: toX(a.X1), Y: toY(a.Y1)}
	arrow(c, a.style(), from, to)
}

// DataRange returns the ends of the arrow.
func (a Arrow) DataRange() (x0, x1, y0, y1 float64) {
	return min(a.X0, a.X1), max(a.X0, a.X1), min(a.Y0, a.Y1), max(a.Y0, a.Y1)
}

// arrow draws a line with a head at its end.
func arrow(c draw.Canvas, style draw.LineStyle, from, to vg.Point) {
	along := math.Atan2(float64(to.Y-from.Y), float64(to.X-from.X))
	size := 4 + 1.6*style.Width
	at := func(angle float64) vg.Point {
		return vg.Point{X: to.X - size*vg.Length(math.Cos(along+angle)), Y: to.Y - size*vg.Length(math.Sin(along+angle))}
	}
	neck := vg.Point{X: to.X - size*vg.Length(0.7*math.Cos(along)), Y: to.Y - size*vg.Length(0.7*math.Sin(along))}
	c.StrokeLine2(style, from.X, from.Y, neck.X, neck.Y)
	c.FillPolygon(style.Color, []vg.Point{to, at(0.42), at(-0.42)})
}

// Text is a label in the picture, centred at a place.
type Text struct {
	X, Y  float64
	Text  string
	Ink   Ink
	Size  float64 // points; 0 means 11
	Align int     // −1: left of the place, 0: at it, 1: right of it
}

func (t Text) add(p *panel) error {
	if t.Size == 0 {
		t.Size = 11
	}
	p.Add(t)
	return nil
}

// Plot writes the label.
func (t Text) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	c.FillText(t.style(), vg.Point{X: toX(t.X), Y: toY(t.Y)}, t.Text)
}

func (t Text) style() text.Style {
	style := letters(vg.Length(t.Size))
	style.Color, style.XAlign = t.Ink.color(), []draw.XAlignment{draw.XRight, draw.XCenter, draw.XLeft}[t.Align+1]
	return style
}

// GlyphBoxes leave space for the letters within the axes.
func (t Text) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{{X: p.X.Norm(t.X), Y: p.Y.Norm(t.Y), Rectangle: t.style().Rectangle(t.Text)}}
}

// DataRange returns the place.
func (t Text) DataRange() (x0, x1, y0, y1 float64) { return t.X, t.X, t.Y, t.Y }

// Lattice draws the grid of the ticks of the axes.
type Lattice struct{}

func (Lattice) add(p *panel) error {
	grid := plotter.NewGrid()
	faint := draw.LineStyle{Color: color.Gray{Y: 0xdc}, Width: vg.Points(0.5)}
	grid.Vertical, grid.Horizontal = faint, faint
	p.Add(grid)
	return nil
}

// layer is one that a function draws.
type layer func(p *panel) error

func (l layer) add(p *panel) error { return l(p) }
