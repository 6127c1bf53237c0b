package figure

import (
	"cmp"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
)

// Silhouettes describe how much nearer every row is to its own cluster than to the next:
// one area for each cluster, its rows by falling silhouette, and the mean of all as a line.
type Silhouettes struct {
	Values   []float64
	Clusters []int
	Names    []string
	Mean     float64
}

func (s *Silhouettes) panel() (Panel, error) {
	if len(s.Values) != len(s.Clusters) || len(s.Values) == 0 {
		return Panel{}, fmt.Errorf("figure: %d silhouettes of %d rows", len(s.Values), len(s.Clusters))
	}
	between := max(1, len(s.Values)/40)
	at := float64(len(s.Values) + between*(len(s.Names)-1)) // from the top
	p := Panel{Title: fmt.Sprintf("silhouettes, mean %.3f", s.Mean), X: "silhouette", Y: "rows by cluster",
		Bounds: &Bounds{X0: min(0, slices.Min(s.Values)), X1: max(slices.Max(s.Values), s.Mean, 0.05) * 1.03, Y1: at}}
	mean := Line{X: []float64{s.Mean, s.Mean}, Y: []float64{0, at}, Ink: Black, Dashed: true}
	var names []plot.Tick
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
		x, y := []float64{0}, []float64{at}
		for i, v := range values {
			x, y = append(x, v, v), append(y, at-float64(i), at-float64(i+1))
		}
		p.Layers = append(p.Layers, Area{X: append(x, 0), Y: append(y, at-float64(len(values))), Ink: Ink(class)}, Line{X: x, Y: y, Ink: Ink(class), Thin: true})
		names = append(names, plot.Tick{Value: at - float64(len(values))/2, Label: name})
		at -= float64(len(values) + between)
	}
	p.Layers = append(p.Layers, mean, layer(func(p *panel) error {
		p.Y.Tick.Marker, p.Y.Tick.Length = plot.ConstantTicks(names), 0
		return nil
	}))
	return p, nil
}
