package figure

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// family is the font of pictures, which has the widths of Arial: an SVG picture looks the
// same where it is missing.
const family = "Liberation Sans"

// Sans returns the font of pictures in a size in points.
func Sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}

// letters returns the style of text of a size in points.
func letters(size vg.Length) text.Style {
	return text.Style{Color: Black.color(), Font: Sans(size), Handler: plot.DefaultTextHandler, YAlign: draw.YCenter}
}

// Sizes of letters in points: of a usual panel and of one of many.
var (
	usualSizes = sizes{title: 12, label: 11, tick: 9.5}
	smallSizes = sizes{title: 10.5, label: 9.5, tick: 9}
)

// leastLetters is the size of the smallest letters that are written.
const leastLetters = vg.Length(9)

type sizes struct{ title, label, tick vg.Length }

// set gives the axes of a plot their letters.
func (s sizes) set(p *plot.Plot) {
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font, a.Tick.Label.Font = Sans(s.label), Sans(s.tick)
		a.Label.TextStyle.Color, a.Tick.Label.Color = Black.color(), Black.color()
	}
}

// fitted returns a style in which a text is no wider than a width, and the text, which is cut
// where its letters would become too small.
func fitted(style text.Style, of string, width vg.Length) (text.Style, string) {
	wide := style.Width(of)
	if wide <= width {
		return style, of
	}
	style.Font.Size = max(leastLetters, style.Font.Size*width/wide)
	letters := []rune(of)
	for len(letters) > 1 && style.Width(of) > width {
		letters = letters[:len(letters)-1]
		of = string(letters) + "…"
	}
	return style, of
}
