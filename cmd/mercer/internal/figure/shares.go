package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Waterfall describes one number as the way to it from another: a bar for each share, each from
// where the one below it ends. The last share is the lowest.
type Waterfall struct {
	Title string
	X     string
	Base  float64
	Names []string
	// Values are the shares, in the order of the names: from the top.
	Values []float64
}

// Waterfalls is a picture of several, side by side.
type Waterfalls []Waterfall

// PNG draws the picture as PNG.
func (w Waterfalls) PNG() ([]byte, error) { return asPNG(w.sheet()) }

// SVG draws the picture as SVG.
func (w Waterfalls) SVG() ([]byte, error) { return asSVG(w.sheet()) }

func (w Waterfalls) sheet() (Sheet, error) {
	return sharesSheet(len(w), func(i int) (Panel, int, error) {
		p, err := w[i].panel()
		return p, len(w[i].Names), err
	})
}

// sharesSheet lays out panels with names on their left, as high as the most names ask for.
func sharesSheet(panels int, at func(i int) (p Panel, names int, err error)) (Sheet, error) {
	out := Sheet{Columns: min(panels, 3), Width: 14}
	most := 0
	for i := range panels {
		p, names, err := at(i)
		if err != nil {
			return Sheet{}, err
		}
		out.Panels, most = append(out.Panels, p), max(most, names)
	}
	if panels == 0 || most == 0 {
		return Sheet{}, fmt.Errorf("figure: there are no shares to draw")
	}
	out.Height = 3 + 0.7*float64(most)
	return out, nil
}

func (w Waterfall) panel() (Panel, error) {
	if len(w.Names) != len(w.Values) {
		return Panel{}, fmt.Errorf("figure: %d shares of %d names", len(w.Values), len(w.Names))
	}
	n := len(w.Names)
	from, at := make([]float64, n), w.Base
	low, high := w.Base, w.Base
	for i := n - 1; i >= 0; i-- {
		from[i] = at
		at += w.Values[i]
		low, high = min(low, at), max(high, at)
	}
	room := 0.16*(high-low) + 1e-9*math.Abs(at)
	p := Panel{Title: w.Title, X: w.X, Bounds: &Bounds{X0: low - room, X1: high + room, Y0: -0.5, Y1: float64(n) - 0.5}}
	for _, x := range []float64{w.Base, at} {
		p.Layers = append(p.Layers, Line{X: []float64{x, x}, Y: []float64{-0.5, float64(n) - 0.5}, Ink: Grey, Thin: true, Dashed: true})
	}
	for i, v := range w.Values {
		y, end, ink, align := float64(n-1-i), from[i]+v, Ink(0), 1
		if v < 0 {
			ink, align = 1, -1
		}
		p.Layers = append(p.Layers, beam{x0: from[i], x1: end, y: y, ink: ink}, Text{X: end, Y: y, Text: fmt.Sprintf(" %+.3g ", v), Ink: Black, Size: 9, Align: align})
	}
	p.Layers = append(p.Layers, rowsNamed(w.Names))
	return p, nil
}

// rowsNamed writes a name beside every row of a panel, the first on top.
func rowsNamed(names []string) layer {
	return func(p *panel) error {
		ticks := make([]plot.Tick, len(names))
		for i, name := range names {
			ticks[i] = plot.Tick{Value: float64(len(names) - 1 - i), Label: name}
		}
		p.Y.Tick.Marker, p.Y.Tick.Length = plot.ConstantTicks(ticks), 0
		return nil
	}
}

// beam is a bar that lies around a height.
type beam struct {
	x0, x1, y float64
	ink       Ink
}

func (b beam) add(p *panel) error {
	p.Add(b)
	return nil
}

// Plot paints the bar.
func (b beam) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	x0, x1, y0, y1 := toX(b.x0), toX(b.x1), toY(b.y-0.36), toY(b.y+0.36)
	c.FillPolygon(b.ink.color(), []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}})
}

// Beeswarm describes the shares of many rows: a line for every name with a dot for each row,
// beside one another where they are many.
type Beeswarm struct {
	Title string
	X     string
	Names []string // from the top
	// Values has the shares of each name, one for every row; Shades the numbers behind them, NaN
	// where there is none, which are standardised over the rows.
	Values, Shades [][]float64
}

// Beeswarms is a picture of several, side by side.
type Beeswarms []Beeswarm

// PNG draws the picture as PNG.
func (b Beeswarms) PNG() ([]byte, error) { return asPNG(b.sheet()) }

// SVG draws the picture as SVG.
func (b Beeswarms) SVG() ([]byte, error) { return asSVG(b.sheet()) }

func (b Beeswarms) sheet() (Sheet, error) {
	return sharesSheet(len(b), func(i int) (Panel, int, error) {
		p, err := b[i].panel()
		return p, len(b[i].Names), err
	})
}

func (b Beeswarm) panel() (Panel, error) {
	n := len(b.Names)
	if n == 0 || len(b.Values) != n || len(b.Shades) != n {
		return Panel{}, fmt.Errorf("figure: %d names with %d lists of shares and %d of shades", n, len(b.Values), len(b.Shades))
	}
	for i, values := range b.Values {
		if len(values) != len(b.Shades[i]) || len(values) == 0 {
			return Panel{}, fmt.Errorf("figure: %q has %d shares with %d shades", b.Names[i], len(values), len(b.Shades[i]))
		}
	}
	low, high := extent(b.Values...)
	low, high = min(low, 0), max(high, 0)
	room := 0.04*(high-low) + 1e-12
	p := Panel{Title: b.Title, X: b.X, Bounds: &Bounds{X0: low - room, X1: high + room, Y0: -0.5, Y1: float64(n) - 0.5}}
	p.Layers = append(p.Layers, Line{X: []float64{0, 0}, Y: []float64{-0.5, float64(n) - 0.5}, Ink: Grey, Thin: true})
	for i, values := range b.Values {
		p.Layers = append(p.Layers, swarm{x: values, y: aside(values, low, high, float64(n-1-i)), z: standardised(b.Shades[i])})
	}
	p.Layers = append(p.Layers, rowsNamed(b.Names), layer(func(p *panel) error {
		p.Add(evenBar("standardised value", -2, 2, heat))
		return nil
	}))
	return p, nil
}

// heat is the colour of a standardised number: blue of low ones, orange of high ones, and grey of
// those between and of what is no number.
func heat(z float64) color.RGBA {
	stops := []color.RGBA{Ink(1).color(), {0xb4, 0xb4, 0xb4, 0xff}, Ink(0).color()}
	if z != z {
		return stops[1]
	}
	return along(stops, (z+2)/4)
}

// standardised are numbers less their mean, divided by their deviation.
func standardised(values []float64) []float64 {
	sum, squares, n := 0.0, 0.0, 0.0
	for _, v := range values {
		if v == v {
			sum, n = sum+v, n+1
		}
	}
	for _, v := range values {
		if v == v {
			squares += (v - sum/n) * (v - sum/n)
		}
	}
	out := slices.Clone(values)
	for i, v := range out {
		if out[i] = v - sum/n; squares > 0 {
			out[i] /= math.Sqrt(squares / n)
		}
	}
	return out
}

// aside moves the dots of one line apart: those in the same of 80 bins alternate above and below
// it, the further the more there are.
func aside(values []float64, low, high, line float64) []float64 {
	const bins = 80
	bin := func(v float64) int {
		if high > low {
			return int(math.Round((v - low) / (high - low) * bins))
		}
		return 0
	}
	var counts, done [bins + 1]int
	for _, v := range values {
		counts[bin(v)]++
	}
	most := slices.Max(counts[:])
	step := min(0.1, 0.8/float64(most))
	y := make([]float64, len(values))
	for i, v := range values {
		k := done[bin(v)]
		done[bin(v)]++
		y[i] = line + step*float64((k+1)/2)*float64(1-2*(k%2))
	}
	return y
}

// swarm is dots with a colour each.
type swarm struct{ x, y, z []float64 }

func (s swarm) add(p *panel) error {
	p.Add(s)
	return nil
}

// Plot draws the dots.
func (s swarm) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	for i, z := range s.z {
		c.DrawGlyph(draw.GlyphStyle{Color: heat(z), Radius: vg.Points(1.9), Shape: mark{Shape: circle}}, vg.Point{X: toX(s.x[i]), Y: toY(s.y[i])})
	}
}
