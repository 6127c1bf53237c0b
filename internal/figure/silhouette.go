package figure

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Silhouettes describe how much nearer every row is to its own cluster than to the next:
// one area for each cluster, its rows by falling silhouette, and the mean of all as a line.
type Silhouettes struct {
	Values   []float64
	Clusters []int
	Names    []string
	Mean     float64
}

func (s *Silhouettes) plot() (*plot.Plot, error) {
	if len(s.Values) != len(s.Clusters) || len(s.Values) == 0 {
		return nil, fmt.Errorf("figure: %d silhouettes of %d rows", len(s.Values), len(s.Clusters))
	}
	p := plot.New()
	p.Title.Text = fmt.Sprintf("silhouettes, mean %.3f", s.Mean)
	p.X.Label.Text, p.Y.Label.Text = "silhouette", "rows by cluster"
	gap := max(1, len(s.Values)/40)
	at := float64(len(s.Values) + gap*(len(s.Names)-1)) // from the top
	var ticks []plot.Tick
	for class, name := range s.Names {
		var values []float64
		for i, c := range s.Clusters {
			if c == class {
				values = append(values, s.Values[i])
			}
		}
		if values == nil {
			continue
		}
		slices.SortFunc(values, func(a, b float64) int { return cmp.Compare(b, a) })
		outline := plotter.XYs{{X: 0, Y: at}}
		for i, v := range values {
			outline = append(outline, plotter.XY{X: v, Y: at - float64(i)}, plotter.XY{X: v, Y: at - float64(i+1)})
		}
		area, err := plotter.NewPolygon(append(outline, plotter.XY{X: 0, Y: at - float64(len(values))}))
		if err != nil {
			return nil, fmt.Errorf("figure: %w", err)
		}
		area.Color, area.LineStyle = tint(class), draw.LineStyle{Color: ink(class), Width: vg.Points(0.6)}
		p.Add(area)
		ticks = append(ticks, plot.Tick{Value: at - float64(len(values))/2, Label: name})
		at -= float64(len(values) + gap)
	}
	p.Y.Tick.Marker = plot.ConstantTicks(ticks)
	p.Y.Tick.Length = 0
	p.Y.Min, p.Y.Max = 0, float64(len(s.Values)+gap*(len(s.Names)-1))
	p.X.Min, p.X.Max = min(0, slices.Min(s.Values)), max(slices.Max(s.Values), s.Mean, 0.05)*1.03
	return p, line(p, s.Mean, p.Y.Min, s.Mean, p.Y.Max)
}
