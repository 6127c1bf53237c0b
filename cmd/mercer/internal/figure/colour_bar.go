package figure

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// colourBar says which colours stand for which numbers, to the right of the axes of a panel.
type colourBar struct {
	Name  string       // what the numbers are, along the bar; "" is not written
	Edges []float64    // ends of the bands, ascending: one more than there are colours
	Of    []color.RGBA // the bands; of a logarithmic bar any number, of the same height
	Log   bool         // its numbers are positive, and rise by factors
}

const (
	barGap   = vg.Length(7) // from the axes
	barWidth = vg.Length(11)
	barTick  = vg.Length(3)
)

// evenBar is a bar of a colour that changes evenly between two numbers.
func evenBar(name string, low, high float64, of func(v float64) color.RGBA) colourBar {
	const bands = 64
	b := colourBar{Name: name, Edges: []float64{low}}
	for k := range bands {
		b.Edges = append(b.Edges, low+(high-low)*float64(k+1)/bands)
		b.Of = append(b.Of, of(low+(high-low)*(float64(k)+0.5)/bands))
	}
	return b
}

func (b colourBar) ends() (low, high float64) { return b.Edges[0], b.Edges[len(b.Edges)-1] }

// marks are the labelled numbers of the bar.
func (b colourBar) marks() []plot.Tick {
	low, high := b.ends()
	var out []plot.Tick
	var of plot.Ticker = ticks{}
	if b.Log {
		of = decades{}
	}
	for _, t := range of.Ticks(low, high) {
		if t.Label != "" {
			out = append(out, t)
		}
	}
	return out
}

// widths returns how far the labels and the name reach from the axes.
func (b colourBar) widths() (labels, all vg.Length) {
	style := letters(barLetters)
	for _, t := range b.marks() {
		labels = max(labels, style.Width(t.Label))
	}
	all = barGap + barWidth + barTick + 2 + labels
	if b.Name != "" {
		all += 4 + style.Height(b.Name)
	}
	return labels, all
}

// barLetters is the size of the letters of a bar.
const barLetters = vg.Length(9.5)

// GlyphBoxes keep the space for the bar at the right of the axes.
func (b colourBar) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	_, all := b.widths()
	return []plot.GlyphBox{{X: 1, Y: 0.5, Rectangle: vg.Rectangle{Max: vg.Point{X: all + 1, Y: 1}}}}
}

// Plot draws the bar as high as the axes.
func (b colourBar) Plot(c draw.Canvas, _ *plot.Plot) {
	low, high := b.ends()
	left := c.Max.X + barGap
	right := left + barWidth
	height := func(v float64) vg.Length {
		share := (v - low) / (high - low)
		if b.Log {
			share = math.Log(v/low) / math.Log(high/low)
		}
		return c.Min.Y + (c.Max.Y-c.Min.Y)*vg.Length(share)
	}
	for k, shade := range b.Of {
		// Up to the top: the next bands cover what is too much, without white lines between them.
		bottom := c.Min.Y + (c.Max.Y-c.Min.Y)*vg.Length(k)/vg.Length(len(b.Of))
		if !b.Log {
			bottom = height(b.Edges[k])
		}
		c.FillPolygon(shade, []vg.Point{{X: left, Y: bottom}, {X: right, Y: bottom}, {X: right, Y: c.Max.Y}, {X: left, Y: c.Max.Y}})
	}
	thin := draw.LineStyle{Color: Black.color(), Width: vg.Points(0.5)}
	c.StrokeLines(thin, []vg.Point{{X: left, Y: c.Min.Y}, {X: right, Y: c.Min.Y}, {X: right, Y: c.Max.Y}, {X: left, Y: c.Max.Y}, {X: left, Y: c.Min.Y}})
	style := letters(barLetters)
	labels, _ := b.widths()
	for _, t := range b.marks() {
		y := height(t.Value)
		c.StrokeLine2(thin, right, y, right+barTick, y)
		c.FillText(style, vg.Point{X: right + barTick + 2, Y: y + 0.7}, t.Label)
	}
	if b.Name != "" {
		turned := style
		turned.Rotation, turned.XAlign, turned.YAlign = turn, draw.XCenter, draw.YTop
		c.FillText(turned, vg.Point{X: right + barTick + 6 + labels, Y: (c.Min.Y + c.Max.Y) / 2}, b.Name)
	}
}
