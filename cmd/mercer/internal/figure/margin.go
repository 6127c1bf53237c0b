package figure

import "math"

// Margin describes on which side of a margin the rows of two classes lie: a histogram of decision
// values for each, with the lines f = −1, 0 and 1.
type Margin struct {
	Title  string
	Labels []string
	Values [][]float64 // of the rows of each class
}

// panel draws the histograms on the same cells, and the lines over them.
func (m *Margin) panel() Panel {
	rows, low, high := 0, -1.0, 1.0 // the margin is always in sight
	for _, values := range m.Values {
		if len(values) > 0 {
			lo, hi := extent(values)
			rows, low, high = rows+len(values), min(low, lo), max(high, hi)
		}
	}
	room := 0.04 * (high - low)
	low, high = low-room, high+room
	bins, top := min(50, max(10, int(2*math.Sqrt(float64(rows))))), 1.0
	p := Panel{Title: m.Title, X: "decision value f(x)", Y: "rows"}
	for class, values := range m.Values {
		if len(values) == 0 {
			continue
		}
		x, y := outline(values, bins, low, high)
		_, most := extent(y)
		top = max(top, most)
		p.Layers = append(p.Layers, Line{Name: m.Labels[class], X: append(append([]float64{low}, x...), high), Y: append(append([]float64{0}, y...), 0), Ink: Ink(class)})
	}
	p.Bounds = &Bounds{X0: low, X1: high, Y1: 1.05 * top}
	for _, at := range []float64{-1, 0, 1} {
		line := Line{X: []float64{at, at}, Y: []float64{0, 1.05 * top}, Ink: Grey, Thin: true, Dashed: at != 0}
		if at == 1 {
			line.Name = "margin, f = −1 and 1"
		}
		p.Layers = append(p.Layers, line)
	}
	return p
}
