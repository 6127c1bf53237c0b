package figure

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
)

// Bars describes numbers that belong to names, several to each: a group of bars for every
// name, a colour for every series.
type Bars struct {
	Title  string
	YLabel string
	Names  []string // of the groups; an empty one is not written
	Series []Series
	Lines  []float64 // heights to compare with, dashed
}

// Series is one number for every name.
type Series struct {
	Name   string
	Values []float64
}

// BarPanels is a picture of several plots of bars side by side.
type BarPanels []Bars

// PNG draws the picture as PNG.
func (b BarPanels) PNG() ([]byte, error) {
	p, err := b.page()
	if err != nil {
		return nil, err
	}
	return p.png()
}

// SVG draws the picture as SVG.
func (b BarPanels) SVG() ([]byte, error) {
	p, err := b.page()
	if err != nil {
		return nil, err
	}
	return p.svg()
}

// panelWidth is that of one plot of bars.
const panelWidth = 14 * vg.Centimeter

func (b BarPanels) page() (page, error) {
	p := page{width: panelWidth * vg.Length(len(b)), height: 9 * vg.Centimeter}
	for _, panel := range b {
		one, err := panel.plot()
		if err != nil {
			return page{}, err
		}
		p.plots = append(p.plots, one)
	}
	if len(p.plots) == 0 {
		return page{}, fmt.Errorf("figure: there are no bars to draw")
	}
	return p, nil
}

func (b Bars) plot() (*plot.Plot, error) {
	if len(b.Series) == 0 || len(b.Names) == 0 {
		return nil, fmt.Errorf("figure: %d series of %d bars: there is nothing to draw", len(b.Series), len(b.Names))
	}
	p := plot.New()
	p.Title.Text, p.Y.Label.Text = b.Title, b.YLabel
	p.Title.Padding = 2 * vg.Millimeter
	p.NominalX(b.Names...)
	p.X.Tick.Label.XAlign = text.XCenter
	width := 0.8 * panelWidth * 0.85 / vg.Length(len(b.Names)*len(b.Series))
	for i, s := range b.Series {
		if len(s.Values) != len(b.Names) {
			return nil, fmt.Errorf("figure: series %q has %d numbers for %d names", s.Name, len(s.Values), len(b.Names))
		}
		bars, err := plotter.NewBarChart(plotter.Values(s.Values), width)
		if err != nil {
			return nil, fmt.Errorf("figure: series %q: %w", s.Name, err)
		}
		bars.Color, bars.LineStyle.Width = ink(i), 0
		bars.Offset = width * vg.Length(float64(i)-float64(len(b.Series)-1)/2)
		p.Add(bars)
		p.Legend.Add(s.Name, bars)
	}
	for _, at := range b.Lines {
		line, err := plotter.NewLine(plotter.XYs{{X: -0.5, Y: at}, {X: float64(len(b.Names)) - 0.5, Y: at}})
		if err != nil {
			return nil, fmt.Errorf("figure: the line at %v: %w", at, err)
		}
		line.Color, line.Dashes = color.Gray{0x60}, []vg.Length{vg.Points(4), vg.Points(3)}
		p.Add(line)
	}
	p.Legend.Top = true
	p.Y.Max += 0.08 * float64(len(b.Series)) * (p.Y.Max - p.Y.Min) // room for the legend
	return p, nil
}
