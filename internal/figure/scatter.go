package figure

import (
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Views are pictures of the same rows side by side, of the parts that are given: where the
// rows lie, how much of the variance components explain, and how well clusters are apart.
type Views struct {
	Scatter     *Scatter
	Explained   []float64 // shares of the total variance
	Silhouettes *Silhouettes
}

// PNG draws the picture as PNG.
func (v Views) PNG() ([]byte, error) {
	p, err := v.page()
	if err != nil {
		return nil, err
	}
	return p.png()
}

// SVG draws the picture as SVG.
func (v Views) SVG() ([]byte, error) {
	p, err := v.page()
	if err != nil {
		return nil, err
	}
	return p.svg()
}

func (v Views) page() (page, error) {
	out := page{height: 12 * vg.Centimeter}
	add := func(p *plot.Plot, err error, width vg.Length) error {
		out.plots = append(out.plots, p)
		out.width += width
		return err
	}
	if v.Scatter != nil {
		p, err := v.Scatter.plot()
		if err := add(p, err, 14*vg.Centimeter); err != nil {
			return page{}, err
		}
	}
	if len(v.Explained) > 0 {
		p, err := explained(v.Explained)
		if err := add(p, err, 14*vg.Centimeter); err != nil {
			return page{}, err
		}
	}
	if v.Silhouettes != nil {
		p, err := v.Silhouettes.plot()
		if err := add(p, err, 14*vg.Centimeter); err != nil {
			return page{}, err
		}
	}
	if len(out.plots) == 0 {
		return page{}, fmt.Errorf("figure: there is nothing to draw of these rows")
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
}

// maxGroups is the number of pairs of a colour and a shape.
const maxGroups = 24

func (s *Scatter) plot() (*plot.Plot, error) {
	if len(s.Points) == 0 {
		return nil, fmt.Errorf("figure: there are no points to draw")
	}
	if len(s.Groups) > maxGroups {
		return nil, fmt.Errorf("figure: %d groups cannot be told apart; at most %d can", len(s.Groups), maxGroups)
	}
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = s.Title, s.X, s.Y
	p.Add(plotter.NewGrid())
	for class := range max(1, len(s.Groups)) {
		if err := s.group(p, class); err != nil {
			return nil, err
		}
	}
	for _, e := range s.Ellipses {
		if err := e.add(p); err != nil {
			return nil, err
		}
	}
	var corners Curves
	for _, q := range s.Points {
		corners.X, corners.Y = append(corners.X, q.X), append(corners.Y, q.Y)
	}
	p.Legend.Top, p.Legend.Left = corners.emptiest()
	p.Legend.Padding = vg.Points(1.5)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		room := 0.04 * (a.Max - a.Min)
		a.Min, a.Max = a.Min-room, a.Max+room
	}
	return p, nil
}

// group draws the points of one class; many are drawn small.
func (s *Scatter) group(p *plot.Plot, class int) error {
	var points plotter.XYs
	for _, q := range s.Points {
		if q.Class == class {
			points = append(points, plotter.XY{X: q.X, Y: q.Y})
		}
	}
	if points == nil {
		return nil
	}
	marks, err := plotter.NewScatter(points)
	if err != nil {
		return fmt.Errorf("figure: %w", err)
	}
	radius := max(0.8, 3*math.Pow(max(1, float64(len(s.Points))/200), -0.25))
	marks.GlyphStyle = draw.GlyphStyle{Color: ink(class), Radius: vg.Points(radius), Shape: shapes[class%len(shapes)]}
	p.Add(marks)
	if len(s.Groups) > 0 {
		named := *marks
		named.Radius = vg.Points(3)
		p.Legend.Add(s.Groups[class], &named)
	}
	return nil
}

// explained draws the shares of the variance as bars, and what they add up to as a line.
func explained(shares []float64) (*plot.Plot, error) {
	p := plot.New()
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = "explained variance", "component", "% of the total"
	values, sums, total := make(plotter.Values, len(shares)), make(plotter.XYs, len(shares)), 0.0
	for j, v := range shares {
		total += v
		values[j], sums[j] = 100*v, plotter.XY{X: float64(j + 1), Y: 100 * total}
	}
	bars, err := plotter.NewBarChart(values, vg.Points(min(24, 200/float64(len(shares)))))
	if err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	bars.XMin, bars.Color, bars.LineStyle.Width = 1, inks[1], 0
	line, marks, err := plotter.NewLinePoints(sums)
	if err != nil {
		return nil, fmt.Errorf("figure: %w", err)
	}
	line.Color, line.Width = inks[0], vg.Points(1.5)
	marks.GlyphStyle = draw.GlyphStyle{Color: inks[0], Radius: vg.Points(2.5), Shape: draw.CircleGlyph{}}
	p.Add(plotter.NewGrid(), bars, line, marks)
	p.Legend.Add("each", bars)
	p.Legend.Add("together", line, marks)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0.4, float64(len(shares))+0.6, 0, 105
	p.X.Tick.Marker = wholeNumbers{}
	p.Y.Tick.Marker = plot.ConstantTicks{{Value: 0, Label: "0"}, {Value: 20, Label: "20"}, {Value: 40, Label: "40"}, {Value: 60, Label: "60"}, {Value: 80, Label: "80"}, {Value: 100, Label: "100"}}
	p.Legend.Padding = vg.Points(1.5)
	if p.Legend.Top, p.Legend.Left = shares[0] < 0.75, shares[0] < 0.75; !p.Legend.Top {
		p.Legend.YOffs = 2 * vg.Centimeter // above the small bars
	}
	return p, nil
}

// wholeNumbers are ticks at whole numbers, at most about ten.
type wholeNumbers struct{}

// Ticks returns them.
func (wholeNumbers) Ticks(low, high float64) (ticks []plot.Tick) {
	step := math.Ceil((high - low) / 11)
	for v := math.Ceil(low); v <= high; v++ {
		if math.Mod(v, step) == 0 || step == 1 {
			ticks = append(ticks, plot.Tick{Value: v, Label: fmt.Sprint(v)})
		}
	}
	return ticks
}
