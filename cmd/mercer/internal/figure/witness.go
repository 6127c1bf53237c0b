package figure

import (
	"fmt"
	"math"
)

// Witness describes the function that tells two samples apart best: positive where the
// first is denser. With one axis it is a line over the rows, with two a map, and without
// any two histograms of its values at the rows of either sample.
type Witness struct {
	Title    string
	Samples  [2]string // names
	First    int       // rows of the first sample, which stand before the others
	Features []string
	Axes     [][]float64 // of the grid: none, one or two
	Values   []float64   // on the grid, the first axis fastest
	Points   [][]float64 // coordinates of the rows on the axes
	AtRows   []float64   // values at the rows
}

func (w *Witness) panel() (Panel, error) {
	if w.First < 1 || len(w.Axes) > 2 || len(w.Features) < len(w.Axes) || len(w.Points) < len(w.Axes) {
		return Panel{}, fmt.Errorf("figure: a witness is drawn over at most two features, with the rows of two samples")
	}
	switch len(w.Axes) {
	case 1:
		return w.line(), nil
	case 2:
		return w.field()
	}
	return w.histograms()
}

// of returns the rows of one sample.
func (w *Witness) of(sample int, v []float64) []float64 {
	if sample == 0 {
		return v[:w.First]
	}
	return v[w.First:]
}

// rows are those of a sample at some places.
func (w *Witness) rows(sample int, x, y []float64) Dots {
	return Dots{Name: w.Samples[sample], X: x, Y: y, Ink: Ink(sample), Shape: ShapeOf(sample), Size: 2}
}

// line draws the function and, above and below it, the rows.
func (w *Witness) line() Panel {
	p := Panel{Title: w.Title, X: w.Features[0], Y: "witness", Layers: []Layer{Lattice{}, Line{X: w.Axes[0], Y: w.Values, Ink: Black}}}
	low, high := extent(w.Values)
	room := 0.08 * (high - low)
	for s, at := range []float64{high + room, low - room} {
		xs := w.of(s, w.Points[0])
		ys := make([]float64, len(xs))
		for i := range ys {
			ys[i] = at + room*0.6*(float64(i%5)/4-0.5) // spread, so that rows are seen
		}
		p.Layers = append(p.Layers, w.rows(s, xs, ys))
	}
	return p
}

// field draws the function as a map in the colours of the samples where they are denser,
// and the rows on it.
func (w *Witness) field() (Panel, error) {
	xs, ys := w.Axes[0], w.Axes[1]
	if len(w.Values) != len(xs)*len(ys) {
		return Panel{}, fmt.Errorf("figure: %d values of a witness on a grid of %d × %d", len(w.Values), len(xs), len(ys))
	}
	f := FieldOf(xs, ys, w.Values)
	f.Name, f.Signed, f.OrangeAbove = "witness", true, true // the first sample is orange
	p := Panel{Title: w.Title, X: w.Features[0], Y: w.Features[1], Bounds: &Bounds{X0: xs[0], X1: xs[len(xs)-1], Y0: ys[0], Y1: ys[len(ys)-1]}, Layers: []Layer{f}}
	for s := range 2 {
		p.Layers = append(p.Layers, w.rows(s, w.of(s, w.Points[0]), w.of(s, w.Points[1])))
	}
	return p, nil
}

// histograms draws how the values are distributed in either sample.
func (w *Witness) histograms() (Panel, error) {
	low, high := extent(w.AtRows)
	if !(high > low) {
		return Panel{}, fmt.Errorf("figure: the witness is %g at all rows", low)
	}
	p := Panel{Title: w.Title, X: "witness", Y: "share of the sample", Layers: []Layer{Lattice{}}}
	bins := min(40, max(5, int(math.Sqrt(float64(len(w.AtRows))))))
	for s := range 2 {
		values := w.of(s, w.AtRows)
		x, y := outline(values, bins, low, high)
		for i := range y {
			y[i] /= float64(len(values))
		}
		p.Layers = append(p.Layers, Line{Name: w.Samples[s], X: append(append([]float64{low}, x...), high), Y: append(append([]float64{0}, y...), 0), Ink: Ink(s), Dashed: s == 1})
	}
	return p, nil
}
