package gallery

import (
	"fmt"
	"math"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/data"
)

// Points are what a figure is drawn from.
type Points struct {
	Source string
	Names  []string     // of the coordinates
	X      data.Vectors // one or two numbers each
	Target string
	Y      []float64 // for Curve
	Labels []int     // for Classes; nil: none
	Named  []string  // the classes
}

// mostPoints is the number of points that dots in a picture can still show, and that all
// methods take in a few seconds.
const mostPoints = 2000

// Columns choose those of a table.
type Columns struct{ X, Y, Target string }

// FromTable takes points from a table: the columns that are named, or the first numeric ones
// that are not the target, which a format such as LIBSVM says itself. Coordinates of the plane
// are standardised to mean 0 and deviation 1, so that one width of a kernel suits both. Errors
// name the column, and the row of a missing cell.
func FromTable(t *data.Table, takes Takes, c Columns) (*Points, error) {
	if c.Target == "" && takes != Number {
		c.Target = t.Target
	}
	p := &Points{Source: t.Source, Target: c.Target}
	target := -1
	if c.Target != "" {
		var err error
		if target, err = t.Find(c.Target); err != nil {
			return nil, err
		}
	} else if takes == Curve || takes == Classes {
		return nil, fmt.Errorf("gallery: the figure takes %s: name the column with --target", takes)
	}
	want := 2
	if takes == Number || takes == Curve {
		want = 1
	}
	chosen, err := coordinates(t, target, want, c)
	if err != nil {
		return nil, err
	}
	if n := t.Rows(); n < 3 || n > mostPoints {
		return nil, fmt.Errorf("gallery: %s has %d rows; a figure is drawn from 3 to %d: take a sample of more", t.Source, n, mostPoints)
	}
	p.X = data.MakeVectors(t.Rows(), want)
	for j, at := range chosen {
		x, err := numeric(t, at)
		if err != nil {
			return nil, err
		}
		name := t.Columns[at].Name
		if want == 2 {
			if err := standardize(x); err != nil {
				return nil, fmt.Errorf("gallery: %s: column %s: %w", t.Source, name, err)
			}
			name += " (standardised)"
		}
		p.Names = append(p.Names, name)
		for i, v := range x {
			p.X.At(i)[j] = v
		}
	}
	switch {
	case target < 0:
	case takes == Curve:
		p.Target = t.Columns[target].Name
		p.Y, err = numeric(t, target)
	default:
		p.Target = t.Columns[target].Name
		err = p.label(t, target)
	}
	if err == nil && takes == Classes && len(p.Named) < 2 {
		err = fmt.Errorf("gallery: %s: column %s has one label, %q; the figure needs two", t.Source, p.Target, p.Named[0])
	}
	return p, err
}

// coordinates returns the columns of the coordinates.
func coordinates(t *data.Table, target, want int, c Columns) ([]int, error) {
	var chosen []int
	for _, name := range []string{c.X, c.Y}[:want] {
		if name == "" {
			continue
		}
		i, err := t.Find(name)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, i)
	}
	for i := range t.Columns {
		if len(chosen) < want && i != target && t.Columns[i].Kind == data.Numeric && !has(chosen, i) {
			chosen = append(chosen, i)
		}
	}
	if len(chosen) < want {
		return nil, fmt.Errorf("gallery: %s has %d numeric columns beside the target, the figure needs %d; %s", t.Source, len(chosen), want, t.Listing())
	}
	return chosen, nil
}

func has(list []int, v int) bool {
	for _, w := range list {
		if w == v {
			return true
		}
	}
	return false
}

// numeric returns a column of numbers without gaps.
func numeric(t *data.Table, at int) ([]float64, error) {
	c := &t.Columns[at]
	if c.Kind != data.Numeric {
		return nil, fmt.Errorf("gallery: %s: column %s is %s; the figure needs numbers there", t.Source, c.Name, c.Kind)
	}
	out := make([]float64, t.Rows())
	for i := range out {
		if c.Missing != nil && c.Missing[i] {
			return nil, fmt.Errorf("gallery: %s: the cell is missing; leave the row out", t.Where(i, at))
		}
		if out[i] = c.Numbers[i]; math.IsNaN(out[i]) || math.IsInf(out[i], 0) {
			return nil, fmt.Errorf("gallery: %s: the number is %g; leave the row out", t.Where(i, at), out[i])
		}
	}
	return out, nil
}

// standardize subtracts the mean and divides by the deviation.
func standardize(x []float64) error {
	mean, square := 0.0, 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		square += (v - mean) * (v - mean) / float64(len(x))
	}
	if !(square > 0) || math.IsInf(square, 0) {
		return fmt.Errorf("all %d values are %g; it cannot be drawn", len(x), x[0])
	}
	for i := range x {
		x[i] = (x[i] - mean) / math.Sqrt(square)
	}
	return nil
}

// mostClasses is the number of classes that colours and shapes tell apart.
const mostClasses = 10

// label numbers the labels in the order in which they first occur.
func (p *Points) label(t *data.Table, at int) error {
	c := &t.Columns[at]
	numbers := map[string]int{}
	for i := range t.Rows() {
		if c.Missing != nil && c.Missing[i] {
			return fmt.Errorf("gallery: %s: the label is missing; leave the row out", t.Where(i, at))
		}
		label := fmt.Sprint(cell(c, i))
		k, known := numbers[label]
		if !known {
			k = len(p.Named)
			numbers[label], p.Named = k, append(p.Named, label)
		}
		if len(p.Named) > mostClasses {
			return fmt.Errorf("gallery: %s: column %s has more than %d labels; a picture cannot tell so many apart", t.Source, c.Name, mostClasses)
		}
		p.Labels = append(p.Labels, k)
	}
	return nil
}

func cell(c *data.Column, i int) any {
	if c.Kind == data.Numeric {
		return c.Numbers[i]
	}
	return c.Strings[i]
}

// dots returns the points as layers, one for each class.
func (p *Points) dots() []figure.Layer {
	if p.Labels == nil {
		return []figure.Layer{figure.Dots{X: column(p.X, 0), Y: column(p.X, 1), Ink: figure.Black, Size: 2}}
	}
	return classDots(p.X, p.Labels, p.Named)
}

// classDots returns points as layers, one for each class, with its colour and shape.
func classDots(x data.Vectors, labels []int, names []string) []figure.Layer {
	var out []figure.Layer
	size := 2.6 * min(1, math.Pow(120/float64(max(1, len(labels))), 0.4)) // many are drawn small
	for k, name := range names {
		d := figure.Dots{Name: name, Ink: figure.Ink(k), Shape: figure.ShapeOf(k), Size: size}
		for i, label := range labels {
			if label == k {
				d.X, d.Y = append(d.X, x.At(i)[0]), append(d.Y, x.At(i)[1])
			}
		}
		out = append(out, d)
	}
	return out
}

// marks are small black dots for a field in colours of its own, with the shapes of the
// classes.
func (p *Points) marks() []figure.Layer {
	layers := p.dots()
	for i := range layers {
		d := layers[i].(figure.Dots)
		d.Ink, d.Size = figure.Black, 1.9
		layers[i] = d
	}
	return layers
}

// axes returns a panel with the names of the coordinates.
func (p *Points) axes(title string, layers ...figure.Layer) figure.Panel {
	return figure.Panel{Title: title, X: p.Names[0], Y: p.Names[1], Layers: layers}
}
