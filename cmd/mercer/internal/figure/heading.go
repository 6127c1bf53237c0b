package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// heading is the title of a panel: one line, centred above its axes.
type heading struct {
	text    string
	letters text.Style
}

// headingGap is the space between the axes and their title.
const headingGap = vg.Length(7)

// height returns the space that the title takes.
func (h heading) height() vg.Length {
	if h.text == "" {
		return 0
	}
	return h.letters.Height(h.text) + headingGap
}

// GlyphBoxes keep the space above the axes.
func (h heading) GlyphBoxes(*plot.Plot) []plot.GlyphBox {
	return []plot.GlyphBox{{X: 0.5, Y: 1, Rectangle: vg.Rectangle{Max: vg.Point{X: 1, Y: h.height()}}}}
}

// Plot draws nothing: the place of the title depends on what is around the axes.
func (heading) Plot(draw.Canvas, *plot.Plot) {}

// draw writes the title above the axes, between two places, in letters that fit.
func (h heading) draw(axes draw.Canvas, left, right vg.Length) {
	if h.text == "" {
		return
	}
	style, text := fitted(h.letters, h.text, right-left)
	half := style.Width(text) / 2
	x := min(max((axes.Min.X+axes.Max.X)/2, left+half), right-half)
	style.XAlign, style.YAlign = draw.XCenter, draw.YBottom
	axes.FillText(style, vg.Point{X: x, Y: axes.Max.Y + headingGap - 1}, text)
}
