package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Shape is that of a mark. The numbers 0 … 9 are those of classes.
type Shape int

// Shapes of marks. A ring is round what it marks.
const (
	circle Shape = iota
	box
	triangle
	diamond
	plus
	down // a triangle that stands on its tip
	Cross
	fiveRays
	left
	hexagon
	Ring Shape = -1
)

// countOfShapes is the number of shapes of classes.
const countOfShapes = 10

// ShapeOf is the shape of a class. After ten classes it has another colour.
func ShapeOf(class int) Shape { return Shape((class + class/len(inks)) % countOfShapes) }

// regular returns the corners of a polygon, the first at an angle.
func regular(corners int, first float64) [][2]float64 {
	out := make([][2]float64, corners)
	for k := range out {
		sin, cos := math.Sincos(first + 2*math.Pi*float64(k)/float64(corners))
		out[k] = [2]float64{cos, sin}
	}
	return out
}

// crossed returns a cross of two bars, turned by an angle.
func crossed(turned float64) [][2]float64 {
	const w, l = 0.34, 1.1
	sin, cos := math.Sincos(turned)
	var out [][2]float64
	for _, c := range [][2]float64{{w, w}, {w, l}, {-w, l}, {-w, w}, {-l, w}, {-l, -w}, {-w, -w}, {-w, -l}, {w, -l}, {w, -w}, {l, -w}, {l, w}} {
		out = append(out, [2]float64{cos*c[0] - sin*c[1], sin*c[0] + cos*c[1]})
	}
	return out
}

// outlines are the corners of shapes of about the same area; a circle has none.
var outlines = [countOfShapes][][2]float64{
	box: scaled(1.22, regular(4, math.Pi/4)), triangle: scaled(1.4, regular(3, math.Pi/2)), diamond: scaled(1.3, regular(4, 0)),
	plus: scaled(1.15, crossed(0)), down: scaled(1.4, regular(3, -math.Pi/2)), Cross: scaled(1.15, crossed(math.Pi/4)),
	fiveRays: star(1.5, 0.62), left: scaled(1.4, regular(3, math.Pi)), hexagon: scaled(1.15, regular(6, 0)),
}

func scaled(by float64, corners [][2]float64) [][2]float64 {
	for i := range corners {
		corners[i][0], corners[i][1] = by*corners[i][0], by*corners[i][1]
	}
	return corners
}

// star returns the corners of a star of five rays.
func star(outer, inner float64) [][2]float64 {
	out := regular(10, math.Pi/2)
	for i := range out {
		r := []float64{outer, inner}[i%2]
		out[i][0], out[i][1] = r*out[i][0], r*out[i][1]
	}
	return out
}

// path returns the border of a mark.
func (s Shape) path(at vg.Point, radius vg.Length) (path vg.Path) {
	if s == circle || s == Ring {
		path.Move(vg.Point{X: at.X + radius, Y: at.Y})
		path.Arc(at, radius, 0, 2*math.Pi)
	}
	if s > circle {
		for i, c := range outlines[s%countOfShapes] {
			q := vg.Point{X: at.X + radius*vg.Length(c[0]), Y: at.Y + radius*vg.Length(c[1])}
			if i == 0 {
				path.Move(q)
				continue
			}
			path.Line(q)
		}
	}
	path.Close()
	return path
}

// mark is a shape as a glyph: with a white edge it is seen on every ground.
type mark struct {
	Shape
	edge vg.Length // 0: none
}

// DrawGlyph draws the mark.
func (m mark) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	path := m.path(at, style.Radius)
	if m.Shape == Ring {
		c.SetLineStyle(draw.LineStyle{Color: color.White, Width: 4})
		c.Stroke(path)
		c.SetLineStyle(draw.LineStyle{Color: style.Color, Width: 1.8})
		c.Stroke(path)
		return
	}
	if m.edge > 0 {
		c.SetLineStyle(draw.LineStyle{Color: color.White, Width: 2 * m.edge})
		c.Stroke(path)
	}
	c.SetColor(style.Color)
	c.Fill(path)
}
