package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Views are pictures of the same rows side by side, of the parts that are given: where the
// rows lie, how much of the variance components explain, and how well clusters are apart.
type Views struct {
	Scatter     *Scatter
	Explained   []float64 // shares of the total variance
	Silhouettes *Silhouettes
}

// PNG draws the picture as PNG.
func (v Views) PNG() ([]byte, error) { return asPNG(v.sheet()) }

// SVG draws the picture as SVG.
func (v Views) SVG() ([]byte, error) { return asSVG(v.sheet()) }

func (v Views) sheet() (Sheet, error) {
	out := Sheet{Width: 12.5, Height: 10}
	add := func(p Panel, err error) error {
		out.Panels = append(out.Panels, p)
		return err
	}
	if v.Scatter != nil {
		if err := add(v.Scatter.panel()); err != nil {
			return Sheet{}, err
		}
	}
	if len(v.Explained) > 0 {
		_ = add(explained(v.Explained), nil)
	}
	if v.Silhouettes != nil {
		if err := add(v.Silhouettes.panel()); err != nil {
			return Sheet{}, err
		}
	}
	if len(out.Panels) == 0 {
		return Sheet{}, fmt.Errorf("figure: there is nothing to draw of these rows")
	}
	return out, nil
}

// Scatter describes where rows lie in a plane. Their groups have colours and shapes of
// their own.
type Scatter struct {
	Title, X, Y string
	Points      []Point
	Groups      []string // names of the classes of the points; none: they have none
	Ellipses    []Ellipse
	// Values give the points colours in place of groups, NaN where one is missing; they are numbers
	// of a name.
	Values []float64
	Value  string
}

// maxGroups is the number of pairs of a colour and a shape.
const maxGroups = 50

func (s *Scatter) panel() (Panel, error) {
	if len(s.Points) == 0 {
		return Panel{}, fmt.Errorf("figure: there are no points to draw")
	}
	if len(s.Groups) > maxGroups {
		return Panel{}, fmt.Errorf("figure: %d groups cannot be told apart; at most %d can", len(s.Groups), maxGroups)
	}
	p := Panel{Title: s.Title, X: s.X, Y: s.Y, Layers: []Layer{Lattice{}}}
	size := max(0.8, 3*math.Pow(max(1, float64(len(s.Points))/200), -0.25)) // many points are drawn small
	if s.Values != nil {
		p.Layers = append(p.Layers, s.shaded(size))
		return p, nil
	}
	for class := range max(1, len(s.Groups)) {
		d := Dots{Ink: Ink(class), Shape: ShapeOf(class), Size: size}
		if len(s.Groups) > 0 {
			d.Name = s.Groups[class]
		}
		for _, q := range s.Points {
			if q.Class == class {
				d.X, d.Y = append(d.X, q.X), append(d.Y, q.Y)
			}
		}
		p.Layers = append(p.Layers, d)
	}
	for _, e := range s.Ellipses {
		p.Layers = append(p.Layers, e)
	}
	return p, nil
}

// shaded are the points in the colours of their values.
func (s *Scatter) shaded(size float64) Shaded {
	out := Shaded{Name: s.Value, Values: s.Values, Size: size}
	for _, q := range s.Points {
		out.X, out.Y = append(out.X, q.X), append(out.Y, q.Y)
	}
	return out
}

// explained draws the shares of the variance as bars, and what they add up to as a line.
func explained(shares []float64) Panel {
	p := Panel{Title: "explained variance", X: "component", Y: "% of the total", Bounds: &Bounds{X0: 0.4, X1: float64(len(shares)) + 0.6, Y1: 105}, Layers: []Layer{Lattice{}}}
	var at, each, together []float64
	total := 0.0
	for j, v := range shares {
		total += v
		at, each, together = append(at, float64(j+1)), append(each, 100*v), append(together, 100*total)
	}
	p.Layers = append(p.Layers, columns{Name: "each", X: at, Heights: each, Width: 0.7, Ink: 1}, Line{X: at, Y: together, Ink: 0}, Dots{Name: "together", X: at, Y: together, Ink: 0},
		layer(func(p *panel) error { p.X.Tick.Marker = wholeNumbers{}; return nil }))
	return p
}

// columns are bars from 0 to some heights.
type columns struct {
	Name       string
	X, Heights []float64
	Width      float64 // in units of the axis
	Ink        Ink
}

func (c columns) add(p *panel) error {
	for i, x := range c.X {
		left, right := x-c.Width/2, x+c.Width/2
		bar, err := plotter.NewPolygon(plotter.XYs{{X: left}, {X: left, Y: c.Heights[i]}, {X: right, Y: c.Heights[i]}, {X: right}})
		if err != nil {
			return fmt.Errorf("bar %d of %q: %w", i+1, c.Name, err)
		}
		bar.Color, bar.LineStyle.Width = c.Ink.color(), 0
		p.Add(bar)
		p.name(c.Name, bar)
	}
	return nil
}

// wholeNumbers are ticks at whole numbers, at most about ten.
type wholeNumbers struct{}

// Ticks returns them.
func (wholeNumbers) Ticks(low, high float64) (ticks []plot.Tick) {
	step := math.Ceil((high - low) / 11)
	for v := math.Ceil(low); v <= high; v++ {
		if math.Mod(v, step) == 0 || step == 1 {
			ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprint(int(v))})
		}
	}
	return ticks
}
