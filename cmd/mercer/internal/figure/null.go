package figure

import (
	"fmt"
	"math"
	"slices"
)

// Null describes a picture of a test: how a statistic is distributed where the hypothesis
// holds, by a histogram of permutations or by a density, and where it was observed.
type Null struct {
	Title     string
	Statistic string    // name, for the axis
	Permuted  []float64 // nil: Density is drawn
	Density   *Curve
	Observed  float64
	P         float64
}

// PNG draws the picture as PNG.
func (n Null) PNG() ([]byte, error) { return Tested{Null: n}.PNG() }

// SVG draws the picture as SVG.
func (n Null) SVG() ([]byte, error) { return Tested{Null: n}.SVG() }

// panel draws how the statistic is distributed, and where it was observed.
func (n Null) panel() (Panel, error) {
	p := Panel{Title: n.Title, X: n.Statistic}
	var x, y []float64
	name := ""
	switch {
	case len(n.Permuted) > 0:
		low, high := extent(n.Permuted)
		x, y = outline(n.Permuted, min(50, max(5, int(math.Sqrt(float64(len(n.Permuted)))))), low, high)
		p.Y, name = "permutations", fmt.Sprintf("%d permutations", len(n.Permuted))
	case n.Density != nil:
		x, y, name = n.Density.X, n.Density.Y, n.Density.Name
		p.Y = "density"
	default:
		return p, fmt.Errorf("figure: a picture of a test needs permutations or a density")
	}
	top := slices.Max(y)
	low, high := extent(x, []float64{n.Observed})
	room := 0.04 * (high - low)
	p.Bounds = &Bounds{X0: low - room, X1: high + room, Y1: 1.05 * top}
	closed := func(v []float64, first, last float64) []float64 { return append(append([]float64{first}, v...), last) }
	p.Layers = []Layer{Area{X: closed(x, x[0], x[len(x)-1]), Y: closed(y, 0, 0), Ink: 1}, Line{Name: name, X: x, Y: y, Ink: 1, Thin: len(n.Permuted) > 0},
		Line{Name: fmt.Sprintf("observed, p = %.3g", n.P), X: []float64{n.Observed, n.Observed}, Y: []float64{0, top}, Ink: 0}}
	return p, nil
}

// outline returns the upper edge of a histogram between two numbers.
func outline(values []float64, bins int, low, high float64) (x, y []float64) {
	count := make([]float64, bins)
	for _, v := range values {
		at := bins - 1
		if v < high {
			at = int(float64(bins) * (v - low) / (high - low))
		}
		count[min(bins-1, at)]++
	}
	for b, v := range count {
		x = append(x, low+(high-low)*float64(b)/float64(bins), low+(high-low)*float64(b+1)/float64(bins))
		y = append(y, v, v)
	}
	return x, y
}

// Tested describes a test of two samples: the function that separates them best, where
// there is one, beside the distribution of the statistic.
type Tested struct {
	Witness *Witness
	Null    Null
}

// PNG draws the picture as PNG.
func (t Tested) PNG() ([]byte, error) { return asPNG(t.sheet()) }

// SVG draws the picture as SVG.
func (t Tested) SVG() ([]byte, error) { return asSVG(t.sheet()) }

func (t Tested) sheet() (Sheet, error) {
	out := Sheet{Width: 13, Height: 9.5}
	if t.Witness != nil {
		left, err := t.Witness.panel()
		if err != nil {
			return Sheet{}, err
		}
		out.Panels = append(out.Panels, left)
	}
	right, err := t.Null.panel()
	out.Panels = append(out.Panels, right)
	return out, err
}
