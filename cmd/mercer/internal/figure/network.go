package figure

import (
	"cmp"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Network is circles with text in them, joined by lines: a graph, a tree.
type Network struct {
	Nodes    []Node
	Links    []Link
	Directed bool
}

// Node is a circle, or a regular polygon. Its radius is in points; 0 means 11.
type Node struct {
	X, Y    float64
	Text    string
	Ink     Ink
	Radius  float64
	Corners int        // 0: a circle; negative: as many, with one below
	Share   float64    // of the colour in the fill, the rest is white; 0 means 0.3
	Fill    color.RGBA // instead of a share, where it is not clear
}

// Link joins two nodes, with a text at its middle.
type Link struct {
	From, To int
	Text     string
	Ink      Ink
	Thick    bool
}

func (n Network) add(p *panel) error {
	for i, l := range n.Links {
		if min(l.From, l.To) < 0 || max(l.From, l.To) >= len(n.Nodes) {
			return fmt.Errorf("link %d joins nodes %d and %d of %d", i+1, l.From, l.To, len(n.Nodes))
		}
	}
	p.Add(n)
	return nil
}

func (n Node) radius() vg.Length {
	if n.Radius == 0 {
		return 11
	}
	return vg.Points(n.Radius)
}

// DataRange returns the bounds of the centres.
func (n Network) DataRange() (x0, x1, y0, y1 float64) {
	x0, x1, y0, y1 = math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for _, v := range n.Nodes {
		x0, x1, y0, y1 = min(x0, v.X), max(x1, v.X), min(y0, v.Y), max(y1, v.Y)
	}
	return x0, x1, y0, y1
}

// GlyphBoxes leave space for the circles within the axes.
func (n Network) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	var out []plot.GlyphBox
	for _, v := range n.Nodes {
		r := v.radius() + 1
		out = append(out, plot.GlyphBox{X: p.X.Norm(v.X), Y: p.Y.Norm(v.Y), Rectangle: vg.Rectangle{Min: vg.Point{X: -r, Y: -r}, Max: vg.Point{X: r, Y: r}}})
	}
	return out
}

// Plot draws the links, then the nodes.
func (n Network) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	at := func(v Node) vg.Point { return vg.Point{X: toX(v.X), Y: toY(v.Y)} }
	for _, l := range n.Links {
		n.link(c, l, at(n.Nodes[l.From]), at(n.Nodes[l.To]))
	}
	for _, v := range n.Nodes {
		v.paint(c, at(v))
		style := letters(min(11, 1.1*v.radius()))
		style.Color, style.XAlign = on(v.fill()), draw.XCenter
		c.FillText(style, at(v), v.Text)
	}
}

// outline returns the border of a node. A polygon has the area of the circle.
func (v Node) outline(at vg.Point) (path vg.Path) {
	defer func() { path.Close() }()
	if v.Corners == 0 {
		path.Move(vg.Point{X: at.X + v.radius(), Y: at.Y})
		path.Arc(at, v.radius(), 0, 2*math.Pi)
		return path
	}
	count, first := math.Abs(float64(v.Corners)), math.Pi/2
	switch {
	case v.Corners == 4:
		first = math.Pi / 4 // on a side
	case v.Corners < 0:
		first = -math.Pi / 2
	}
	radius := v.radius() * vg.Length(math.Sqrt(2*math.Pi/count/math.Sin(2*math.Pi/count)))
	for k := range int(count) {
		sin, cos := math.Sincos(first + 2*math.Pi*float64(k)/count)
		corner := vg.Point{X: at.X + radius*vg.Length(cos), Y: at.Y + radius*vg.Length(sin)}
		if k == 0 {
			path.Move(corner)
			continue
		}
		path.Line(corner)
	}
	return path
}

// Thumbnail draws a small node for the key.
func (v Node) Thumbnail(c *draw.Canvas) {
	v.Radius = 4.5
	v.paint(*c, vg.Point{X: (c.Min.X + c.Max.X) / 2, Y: (c.Min.Y + c.Max.Y) / 2})
}

// fill returns the colour within a node.
func (v Node) fill() color.RGBA {
	if v.Fill.A > 0 {
		return v.Fill
	}
	return towardsWhite(v.Ink.color(), 1-cmp.Or(v.Share, 0.3))
}

// paint fills a node and draws its border.
func (v Node) paint(c draw.Canvas, at vg.Point) {
	outline := v.outline(at)
	c.SetColor(v.fill())
	c.Fill(outline)
	c.SetLineStyle(draw.LineStyle{Color: v.Ink.color(), Width: vg.Points(1.4)})
	c.Stroke(outline)
}

func (n Network) link(c draw.Canvas, l Link, from, to vg.Point) {
	dx, dy := float64(to.X-from.X), float64(to.Y-from.Y)
	length := math.Hypot(dx, dy)
	if length == 0 {
		return
	}
	style := draw.LineStyle{Color: l.Ink.color(), Width: vg.Points(1.1)}
	if l.Thick {
		style.Width = vg.Points(2.8)
	}
	end := n.Nodes[l.To].radius()
	stop := vg.Point{X: to.X - end*vg.Length(dx/length), Y: to.Y - end*vg.Length(dy/length)}
	if n.Directed {
		arrow(c, style, from, stop)
	} else {
		c.StrokeLine2(style, from.X, from.Y, stop.X, stop.Y)
	}
	if l.Text == "" {
		return
	}
	letter := letters(11)
	letter.Color, letter.XAlign = Black.color(), draw.XCenter
	middle := vg.Point{X: (from.X + to.X) / 2, Y: (from.Y + to.Y) / 2}
	c.FillPolygon(towardsWhite(l.Ink.color(), 1), square(middle, 6.5))
	c.FillText(letter, middle, l.Text)
}

// square returns the corners of a square around a place.
func square(at vg.Point, half vg.Length) []vg.Point {
	return []vg.Point{{X: at.X - half, Y: at.Y - half}, {X: at.X + half, Y: at.Y - half}, {X: at.X + half, Y: at.Y + half}, {X: at.X - half, Y: at.Y + half}}
}
