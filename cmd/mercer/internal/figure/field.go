package figure

import (
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Field is a function of two variables on a grid, drawn as bands of colour between its
// level sets, with the level sets as lines.
type Field struct {
	Name   string      // of the values, along the colour bar
	Xs, Ys []float64   // ascending
	Z      [][]float64 // [y][x]
	// Levels are the lines; nil means twelve, evenly between the least and the greatest
	// value, and symmetric about 0 if Signed.
	Levels []float64
	// Signed fields have the colour of the first class below 0 and that of the second
	// above, with a thick line at 0; others are the darker the greater.
	Signed bool
	// OrangeAbove gives the first colour to what is above 0.
	OrangeAbove bool
}

// FieldOf arranges values on a grid, the first axis fastest.
func FieldOf(xs, ys, values []float64) Field {
	f := Field{Xs: xs, Ys: ys}
	for j := range ys {
		f.Z = append(f.Z, values[j*len(xs):(j+1)*len(xs)])
	}
	return f
}

func (f Field) add(p *panel) error {
	if err := f.check(); err != nil {
		return err
	}
	lo, hi := extent(f.Z...)
	if f.Levels == nil {
		f.Levels = f.even(lo, hi)
	}
	p.Add(f)
	if len(f.Levels) > 1 && lo < hi {
		p.Add(f.bar(lo, hi))
	}
	return nil
}

// check reports a table of values that does not fit its grid, or is not finite.
func (f Field) check() error {
	if len(f.Xs) < 2 || len(f.Ys) < 2 || len(f.Z) != len(f.Ys) {
		return fmt.Errorf("a field of %d values upwards on a grid of %d × %d", len(f.Z), len(f.Xs), len(f.Ys))
	}
	for j, row := range f.Z {
		if len(row) != len(f.Xs) {
			return fmt.Errorf("row %d of a field has %d values, the grid has %d", j+1, len(row), len(f.Xs))
		}
		for i, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return fmt.Errorf("a field is %g at (%g, %g)", v, f.Xs[i], f.Ys[j])
			}
		}
	}
	return nil
}

// bar says which values the bands have.
func (f Field) bar(lo, hi float64) colourBar {
	b := colourBar{Name: f.Name, Edges: []float64{lo}}
	for k, level := range f.Levels {
		if level > b.Edges[len(b.Edges)-1] && level < hi {
			b.Edges, b.Of = append(b.Edges, level), append(b.Of, f.shade(k))
		}
	}
	b.Edges, b.Of = append(b.Edges, hi), append(b.Of, f.shade(len(f.Levels)))
	return b
}

// even returns levels at equal distances, those of a signed field multiples of one step.
func (f Field) even(lo, hi float64) []float64 {
	const bands = 12
	var out []float64
	if f.Signed {
		step := max(-lo, hi) / (bands / 2)
		for k := -bands/2 + 1; k < bands/2; k++ {
			if v := float64(k) * step; lo < v && v < hi {
				out = append(out, v)
			}
		}
		return out
	}
	for k := 1; k < bands; k++ {
		out = append(out, lo+(hi-lo)*float64(k)/bands)
	}
	return out
}

// DataRange returns the bounds of the grid.
func (f Field) DataRange() (x0, x1, y0, y1 float64) {
	return f.Xs[0], f.Xs[len(f.Xs)-1], f.Ys[0], f.Ys[len(f.Ys)-1]
}

// Plot paints the sets above rising levels over one another, then their boundaries.
func (f Field) Plot(c draw.Canvas, p *plot.Plot) {
	toX, toY := p.Transforms(&c)
	x0, x1, y0, y1 := f.DataRange()
	c.FillPolygon(f.shade(0), []vg.Point{{X: toX(x0), Y: toY(y0)}, {X: toX(x1), Y: toY(y0)}, {X: toX(x1), Y: toY(y1)}, {X: toX(x0), Y: toY(y1)}})
	border := func(r ring, i, k int) bool {
		a, b := r[i], r[k]
		return a.X == b.X && (a.X == x0 || a.X == x1) || a.Y == b.Y && (a.Y == y0 || a.Y == y1)
	}
	lines := make([][][]vg.Point, len(f.Levels))
	for k, level := range f.Levels {
		var path vg.Path
		for _, r := range rings(f.Xs, f.Ys, f.Z, level) {
			points := make([]vg.Point, len(r))
			for i, q := range r {
				points[i] = vg.Point{X: toX(q.X), Y: toY(q.Y)}
			}
			path.Move(points[0])
			run := []vg.Point{points[0]}
			for i := 1; i <= len(points); i++ {
				to := i % len(points)
				if i < len(points) {
					path.Line(points[i])
				}
				if border(r, i-1, to) {
					lines[k], run = append(lines[k], run), nil
				}
				run = append(run, points[to])
			}
			lines[k] = append(lines[k], run)
			path.Close()
		}
		c.SetColor(f.shade(k + 1))
		c.Fill(path)
	}
	for k, level := range f.Levels {
		style := draw.LineStyle{Color: color.RGBA{R: 0x60, G: 0x60, B: 0x60, A: 0xff}, Width: vg.Points(0.5)}
		if f.Signed && math.Abs(level) < 1e-12 {
			style = draw.LineStyle{Color: Black.color(), Width: vg.Points(1.8)}
		}
		for _, run := range lines[k] {
			if len(run) > 1 {
				c.StrokeLines(style, run)
			}
		}
	}
}

// shade returns the colour of the band above k levels. The darkest colours are left to what
// is drawn on the field.
func (f Field) shade(k int) color.RGBA {
	const darkest = 0.56
	if !f.Signed {
		return sequential(darkest * float64(k) / float64(max(1, len(f.Levels))))
	}
	lower, upper := math.Inf(-1), math.Inf(1)
	top := 0.0
	for _, l := range f.Levels {
		top = max(top, math.Abs(l))
	}
	if k > 0 {
		lower = f.Levels[k-1]
	}
	if k < len(f.Levels) {
		upper = f.Levels[k]
	}
	if top == 0 { // the sign alone
		if upper <= 0 {
			return f.side(-0.25)
		}
		return f.side(0.25)
	}
	middle := (max(lower, -1.2*top) + min(upper, 1.2*top)) / 2
	return f.side(darkest * middle / (1.1 * top))
}

// side is the colour of a number between −1 and 1.
func (f Field) side(v float64) color.RGBA {
	if f.OrangeAbove {
		return diverging(-v)
	}
	return diverging(v)
}

// DistanceLine draws the distance of numbers to a set of numbers in feature space, and the
// set.
func DistanceLine(title, variable string, at, distance, set []float64) Panel {
	return Panel{Title: title, X: variable, Y: "d(x, S)", Layers: []Layer{Lattice{}, Line{Name: "d(x, S)", X: at, Y: distance, Ink: 1},
		Dots{Name: "S", X: set, Y: make([]float64, len(set)), Ink: 0, Size: 3.5}}}
}

// DistanceField draws the distance of points of the plane to a set in feature space, and
// the set.
func DistanceField(title, x, y string, distance Field, setX, setY []float64) Panel {
	distance.Name = "d(x, S)"
	return Panel{Title: title, X: x, Y: y, Layers: []Layer{distance, Dots{Name: "S", X: setX, Y: setY, Ink: 0, Size: 3}},
		Bounds: &Bounds{X0: distance.Xs[0], X1: distance.Xs[len(distance.Xs)-1], Y0: distance.Ys[0], Y1: distance.Ys[len(distance.Ys)-1]}}
}
