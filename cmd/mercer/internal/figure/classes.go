package figure

import (
	"fmt"
	"image/color"
	"slices"
)

// Classes describes a picture of how well classes are told apart: of the parts that are
// given, the regions of a model on two features, the margin of a support vector machine, receiver
// operating characteristics, and the reliability of probabilities, side by side.
type Classes struct {
	Title       string
	Regions     *Regions
	Margin      *Margin
	ROC         []Curve // of every class that has one; x: false alarms, y: hits
	Reliability []Curve // x: mean predicted probability, y: observed share
}

// Regions describe what a model says on a grid over two features, and points with their
// true classes.
type Regions struct {
	X, Y   string // names of the features
	Labels []string
	Xs, Ys []float64 // coordinates of the grid, ascending
	Class  [][]int   // [y][x], a number in Labels
	// Sure is the probability of that class, in tenths of which a region is paler where
	// it is smaller; nil: it is not known.
	Sure   [][]float64
	Points []Point
	Open   []Point // without a class
}

// Point is a row with its true class.
type Point struct {
	X, Y  float64
	Class int
}

// ink returns the colour of a class.
func ink(class int) color.RGBA { return inks[class%len(inks)] }

// shade is a colour for the region of a class with a probability of some tenths.
func shade(class, tenths int) color.RGBA { return paler(ink(class), tenths) }

// paler is a tint of a colour, the paler the fewer tenths.
func paler(c color.RGBA, tenths int) color.RGBA { return towardsWhite(c, 1-float64(tenths)/25) }

// PNG draws the picture as PNG.
func (c Classes) PNG() ([]byte, error) { return asPNG(c.sheet()) }

// SVG draws the picture as SVG.
func (c Classes) SVG() ([]byte, error) { return asSVG(c.sheet()) }

func (c Classes) sheet() (Sheet, error) {
	out := Sheet{Width: 11.5, Height: 10}
	if c.Regions != nil {
		out.Panels = append(out.Panels, c.Regions.panel(c.Title))
	}
	if c.Margin != nil {
		out.Panels = append(out.Panels, c.Margin.panel())
	}
	if len(c.ROC) > 0 {
		out.Panels = append(out.Panels, unitSquare("receiver operating characteristic", "false alarms", "hits", withAreas(c.ROC), false))
	}
	if len(c.Reliability) > 0 {
		out.Panels = append(out.Panels, unitSquare("reliability", "predicted probability", "observed share", c.Reliability, true))
	}
	if len(out.Panels) == 0 {
		return Sheet{}, fmt.Errorf("figure: there is nothing to draw of these classes: the model gives neither scores per class nor probabilities, and has not two features")
	}
	return out, nil
}

// panel draws every cell of the grid in the shade of its class, and the points on top.
func (r *Regions) panel(title string) Panel {
	p := Panel{Title: title, X: r.X, Y: r.Y, Layers: []Layer{Cells{Xs: r.Xs, Ys: r.Ys, Class: r.Class, Sure: r.Sure}},
		Bounds: &Bounds{X0: r.Xs[0], X1: r.Xs[len(r.Xs)-1], Y0: r.Ys[0], Y1: r.Ys[len(r.Ys)-1]}}
	if r.Open != nil {
		d := Dots{Name: "without a label", Ink: Grey, Size: 1.5}
		for _, q := range r.Open {
			d.X, d.Y = append(d.X, q.X), append(d.Y, q.Y)
		}
		p.Layers = append(p.Layers, d)
	}
	for class, label := range r.Labels {
		d := Dots{Name: label, Ink: Ink(class), Shape: ShapeOf(class), Size: 2.8}
		for _, q := range r.Points {
			if q.Class == class {
				d.X, d.Y = append(d.X, q.X), append(d.Y, q.Y)
			}
		}
		p.Layers = append(p.Layers, d)
	}
	return p
}

// withAreas adds to the name of every curve the area under it.
func withAreas(roc []Curve) []Curve {
	out := slices.Clone(roc)
	for i, c := range roc {
		area := 0.0
		for k := 1; k < len(c.X); k++ {
			area += (c.X[k] - c.X[k-1]) * (c.Y[k] + c.Y[k-1]) / 2
		}
		out[i].Name = fmt.Sprintf("%s, AUC %.3f", c.Name, area)
	}
	return out
}

// unitSquare draws curves in the unit square with its diagonal; marked adds their points.
func unitSquare(title, x, y string, curves []Curve, marked bool) Panel {
	p := Panel{Title: title, X: x, Y: y, Bounds: &Bounds{X1: 1, Y1: 1}, Layers: []Layer{Lattice{}, Line{X: []float64{0, 1}, Y: []float64{0, 1}, Ink: Grey, Thin: true, Dashed: true}}}
	for k, c := range curves {
		l := Line{Name: c.Name, X: c.X, Y: c.Y, Ink: Ink(k), Dashed: k >= len(inks)}
		if marked {
			p.Layers = append(p.Layers, Dots{X: c.X, Y: c.Y, Ink: Ink(k), Shape: ShapeOf(k), Size: 2.8})
		}
		p.Layers = append(p.Layers, l)
	}
	return p
}
