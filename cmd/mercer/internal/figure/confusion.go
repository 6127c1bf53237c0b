package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Confusion describes a picture of how often rows of each class were said to be of each: a
// square with the number for every pair, the darker the greater its share of the true class.
type Confusion struct {
	Title  string
	Labels []string    // of the classes
	Counts [][]float64 // [true][predicted]
}

const (
	// numberedClasses is the number of classes whose counts can still be read.
	numberedClasses = 40
	// nameLength is the number of letters of a class that are written.
	nameLength = 22
)

// PNG draws the picture as PNG.
func (m Confusion) PNG() ([]byte, error) { return asPNG(m.sheet()) }

// SVG draws the picture as SVG.
func (m Confusion) SVG() ([]byte, error) { return asSVG(m.sheet()) }

func (m Confusion) sheet() (Sheet, error) {
	p, err := m.panel()
	return Sheet{Panels: []Panel{p}, Width: m.side() + 5, Height: m.side() + 2.5}, err
}

// side is about how wide the squares are together, in cm.
func (m Confusion) side() float64 { return min(max(9, 0.8*float64(len(m.Labels))), 26) }

func (m Confusion) panel() (Panel, error) {
	n := len(m.Labels)
	if n == 0 || len(m.Counts) != n || slices.ContainsFunc(m.Counts, func(row []float64) bool { return len(row) != n }) {
		return Panel{}, fmt.Errorf("figure: a confusion matrix of %d classes with %d rows; it needs a count for every pair of classes", n, len(m.Counts))
	}
	names := layer(func(p *panel) error {
		p.X.Tick.Marker, p.Y.Tick.Marker = classNames(m.Labels, false), classNames(m.Labels, true)
		for _, a := range []*plot.Axis{&p.X, &p.Y} {
			a.Tick.Length, a.LineStyle.Width, a.Padding = vg.Points(2), 0, 0
			a.Tick.LineStyle.Width = 0
		}
		upright(p, m.Labels, vg.Length(m.side()/float64(n))*vg.Centimeter)
		return nil
	})
	return Panel{Title: m.Title, X: "predicted", Y: "true", Equal: true, Bounds: &Bounds{X1: float64(n), Y1: float64(n)},
		Layers: []Layer{names, counts{m.Counts}, bar(evenBar("share of the true class", 0, 1, sequential))}}, nil
}

// upright turns the names below the squares where they are wider than those.
func upright(p *panel, labels []string, square vg.Length) {
	style := &p.X.Tick.Label
	if !slices.ContainsFunc(labels, func(l string) bool { return style.Width(short(l)) > 0.9*square }) {
		return
	}
	style.Rotation, style.XAlign, style.YAlign = turn, draw.XRight, draw.YCenter
	p.X.Padding = vg.Points(9) // turned letters reach above their place
}

// turn is the rotation of letters that are read from below.
const turn = math.Pi / 2

// short cuts a name that is too long for an axis.
func short(name string) string {
	if letters := []rune(name); len(letters) > nameLength {
		return string(letters[:nameLength-1]) + "…"
	}
	return name
}

// classNames are ticks in the middle of the squares, from the top or from the left; of many
// classes some are named.
func classNames(labels []string, fromTop bool) plot.ConstantTicks {
	var out plot.ConstantTicks
	n := len(labels)
	step := 1 + (n-1)/numberedClasses
	for i := 0; i < n; i += step {
		at := float64(i) + 0.5
		if fromTop {
			at = float64(n) - at
		}
		out = append(out, plot.Tick{Value: at, Label: short(labels[i])})
	}
	return out
}

// bar adds a colour bar to a panel.
func bar(b colourBar) Layer { return layer(func(p *panel) error { p.Add(b); return nil }) }

// counts are the squares of a confusion matrix.
type counts struct{ of [][]float64 }

func (m counts) add(p *panel) error { p.Add(m); return nil }

// Plot paints the squares, and writes the counts where they can be read.
func (m counts) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	n := len(m.of)
	cell := toX(1) - toX(0)
	for i, row := range m.of {
		total := 0.0
		for _, v := range row {
			total += v
		}
		for j, v := range row {
			ground := sequential(0)
			if total > 0 {
				ground = sequential(v / total)
			}
			x, y := toX(float64(j)), toY(float64(n-1-i))
			c.FillPolygon(ground, []vg.Point{{X: x, Y: y}, {X: x + cell, Y: y}, {X: x + cell, Y: y + cell}, {X: x, Y: y + cell}})
			if n <= numberedClasses && (v != 0 || n <= 10) {
				m.write(c, vg.Point{X: x + cell/2, Y: y + cell/2}, cell, v, ground)
			}
		}
	}
	white := draw.LineStyle{Color: color.White, Width: min(1, cell/12)}
	for k := 1; k < n; k++ {
		c.StrokeLine2(white, toX(float64(k)), c.Min.Y, toX(float64(k)), c.Max.Y)
		c.StrokeLine2(white, c.Min.X, toY(float64(k)), c.Max.X, toY(float64(k)))
	}
}

// write puts a count into its square, in letters that fit.
func (m counts) write(c draw.Canvas, at vg.Point, cell vg.Length, v float64, ground color.RGBA) {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if v != math.Trunc(v) {
		text = strconv.FormatFloat(v, 'g', 3, 64)
	}
	style := letters(12)
	if wide := style.Width(text); wide > 0.86*cell {
		style.Font.Size *= 0.86 * cell / wide
	}
	style.Color, style.XAlign = on(ground), draw.XCenter
	at.Y += style.Font.Size * 0.07 // digits have no descent
	c.FillText(style, at, text)
}
