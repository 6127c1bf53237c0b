package gallery

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/svm"
	"example.org/mercer/unsupervised/pca"
)

var featureMapFigures = []Figure{
	{Name: "lift", Title: "Lifting the circle", Formula: "Φ(x₁, x₂) = (x₁, x₂, x₁² + x₂²)",
		Commands: []string{"mercer fit svc points.csv --target label --kernel 'poly(degree=2, offset=1)' --C 100 -o svc.mercer", "mercer eval svc.mercer points.csv --plot regions.png"},
		See:      "No line tells the disc from the ring. On the paraboloid a plane does; in the picture plane it is a circle. Plane and circle are one linear support vector machine on Φ(x).",
		Takes:    Classes, draw: func(ctx context.Context, s *figureContext) (figure.Picture, error) {
			return s.featureMap(ctx, disc, [3]string{"x₁", "x₂", "x₁² + x₂²"}, figure.View{Azimuth: -38, Elevation: 16}, func(x []float64) [3]float64 {
				return [3]float64{x[0], x[1], x[0]*x[0] + x[1]*x[1]}
			})
		}},
	{Name: "quadratic", Title: "The feature map of the polynomial kernel of degree 2", Formula: "Φ(x) = (x₁², √2·x₁x₂, x₂²),  ⟨Φ(x), Φ(y)⟩ = ⟨x, y⟩²",
		Commands: []string{"mercer fit svc points.csv --target label --kernel 'poly(degree=2, offset=1)' --C 100 -o svc.mercer", "mercer eval svc.mercer points.csv --plot regions.png"},
		See:      "An ellipse in the plane is a plane in the feature space: what is linear there is quadratic here.",
		Takes:    Classes, draw: func(ctx context.Context, s *figureContext) (figure.Picture, error) {
			return s.featureMap(ctx, ellipse, [3]string{"x₁²", "√2·x₁x₂", "x₂²"}, figure.View{Azimuth: -48, Elevation: 42}, func(x []float64) [3]float64 {
				return [3]float64{x[0] * x[0], math.Sqrt2 * x[0] * x[1], x[1] * x[1]}
			})
		}},
	{Name: "polar", Title: "Polar instead of Cartesian coordinates", Formula: "Φ(x) = (‖x‖, angle of x)",
		See:   "No principal direction of the plane tells the circles apart (their lines cross both). In polar coordinates every circle is a line, and the radius alone does.",
		Takes: Classes, draw: drawPolar},
}

// featureMap draws points in the plane and in space, and the plane that separates two classes
// there, with what it is in the plane.
func (s *figureContext) featureMap(ctx context.Context, sample sampleFunc, names [3]string, view figure.View, lift func([]float64) [3]float64) (figure.Picture, error) {
	p := s.points(sample)
	if len(p.Named) != 2 {
		return nil, fmt.Errorf("gallery: %s has %d classes; a plane tells two apart", p.Source, len(p.Named))
	}
	phi := data.MakeVectors(p.X.Len(), 3)
	for i := range p.X.Len() {
		v := lift(p.X.At(i))
		copy(phi.At(i), v[:])
	}
	f, _, err := svm.Fit(ctx, vec.Linear{}, phi, p.Labels, svm.Options{C: 1e3, Compute: s.Compute})
	if err != nil {
		return nil, err
	}
	g := over(p.X, 0.08, 81)
	up := data.MakeVectors(g.points.Len(), 3)
	for i := range up.Len() {
		v := lift(g.points.At(i))
		copy(up.At(i), v[:])
	}
	values, err := f.Predict(ctx, up, s.Compute)
	if err != nil {
		return nil, err
	}
	at, err := f.Predict(ctx, phi, s.Compute)
	if err != nil {
		return nil, err
	}
	border := g.output(values, 0)
	border.Levels = []float64{0}
	layers := append([]figure.Layer{border}, marginLines(g, values)...)
	layers = append(append(layers, p.dots()...), p.supportVectors(at))
	flat := p.axes("the plane, with border and margins", layers...)
	flat.Equal, flat.Bounds = true, g.bounds

	// f(e) − f(0) are the normal vector w, f(0) is b.
	unit, err := f.Predict(ctx, vectors([]float64{0, 0, 0}, []float64{1, 0, 0}, []float64{0, 1, 0}, []float64{0, 0, 1}), s.Compute)
	if err != nil {
		return nil, err
	}
	var normal [3]float64
	for j := range normal {
		normal[j] = unit.At(j+1, 0) - unit.At(0, 0)
	}
	space := figure.Panel{Title: "the feature space", Bare: true, Layers: inSpace(view, phi, p, names, normal, unit.At(0, 0))}
	return figure.Sheet{Panels: []figure.Panel{flat, space}, Width: 11, Height: 10}, nil
}

// marginLines are where the values of a support vector machine are −1 and 1.
func marginLines(g lattice, values *mat.Dense) []figure.Layer {
	of := g.output(values, 0)
	return []figure.Layer{figure.Contour{Name: "margins f(x) = ±1", Of: of, Levels: []float64{-1, 1}}}
}

// supportVectors rings the points on the margins, or on the wrong side of theirs.
func (p *Points) supportVectors(values *mat.Dense) figure.Dots {
	const rounding = 1e-3 // to which the machine is solved
	d := figure.Dots{Name: "support vectors", Ink: figure.Black, Shape: figure.Ring, Size: 4.6}
	for i, class := range p.Labels {
		if sign := float64(2*class - 1); sign*values.At(i, 0) <= 1+rounding {
			d.X, d.Y = append(d.X, p.X.At(i)[0]), append(d.Y, p.X.At(i)[1])
		}
	}
	return d
}

// inSpace draws lifted points over a floor, with axes and the plane ⟨w, z⟩ + b = 0.
func inSpace(view figure.View, phi data.Vectors, p *Points, names [3]string, w [3]float64, b float64) []figure.Layer {
	lo, hi := [3]float64{}, [3]float64{}
	for j := range 3 {
		for i := range phi.Len() {
			lo[j], hi[j] = min(lo[j], phi.At(i)[j]), max(hi[j], phi.At(i)[j])
		}
		room := 0.05 * (hi[j] - lo[j])
		lo[j], hi[j] = lo[j]-room, hi[j]+room
	}
	// The box is drawn as a cube: coordinates have units of their own.
	at := func(x [3]float64) (u, v float64) {
		return view.At((x[0]-lo[0])/(hi[0]-lo[0]), (x[1]-lo[1])/(hi[1]-lo[1]), 0.9*(x[2]-lo[2])/(hi[2]-lo[2]))
	}
	outline := func(corners ...[3]float64) (xs, ys []float64) {
		for _, c := range corners {
			u, v := at(c)
			xs, ys = append(xs, u), append(ys, v)
		}
		return xs, ys
	}
	var layers []figure.Layer
	floorX, floorY := outline([3]float64{lo[0], lo[1], lo[2]}, [3]float64{hi[0], lo[1], lo[2]}, [3]float64{hi[0], hi[1], lo[2]}, [3]float64{lo[0], hi[1], lo[2]}, [3]float64{lo[0], lo[1], lo[2]})
	layers = append(layers, figure.Line{X: floorX, Y: floorY, Ink: figure.Grey, Thin: true})
	if cut := section(lo, hi, w, b); len(cut) > 2 {
		x, y := outline(cut...)
		layers = append(layers, figure.Area{Name: "separating plane", X: x, Y: y, Ink: 2}, figure.Line{X: append(x, x[0]), Y: append(y, y[0]), Ink: 2, Thin: true})
	}
	for j, name := range names {
		start := lo
		if j == 2 { // the axis upwards is the one on the left
			start[1] = hi[1]
		}
		end := start
		end[j] = hi[j]
		u0, v0 := at(start)
		u1, v1 := at(end)
		layers = append(layers, figure.Arrow{X0: u0, Y0: v0, X1: u1, Y1: v1, Ink: figure.Black, Thin: true},
			figure.Text{X: u1 + 0.05*(u1-u0), Y: v1 + 0.06*(v1-v0), Text: name, Ink: figure.Black, Size: 12, Align: []int{1, -1, 0}[j]})
	}
	seen := data.MakeVectors(phi.Len(), 2)
	for i := range phi.Len() {
		z := phi.At(i)
		q := seen.At(i)
		q[0], q[1] = at([3]float64{z[0], z[1], z[2]})
	}
	return append(layers, classDots(seen, p.Labels, p.Named)...)
}

// section returns the corners of the polygon in which a plane cuts a box, in order.
func section(lo, hi, w [3]float64, b float64) [][3]float64 {
	corner := func(bits int) (c [3]float64) {
		for j := range c {
			if c[j] = lo[j]; bits>>j&1 == 1 {
				c[j] = hi[j]
			}
		}
		return c
	}
	value := func(c [3]float64) float64 { return w[0]*c[0] + w[1]*c[1] + w[2]*c[2] + b }
	var out [][3]float64
	for bits := range 8 {
		for j := range 3 {
			if bits>>j&1 == 1 {
				continue
			}
			from, to := corner(bits), corner(bits|1<<j)
			a, c := value(from), value(to)
			if a < 0 == (c < 0) {
				continue
			}
			t := a / (a - c)
			p := from
			p[j] += t * (to[j] - from[j])
			out = append(out, p)
		}
	}
	return around(out, w)
}

// around sorts the corners of a convex polygon of the plane with normal w by angle.
func around(corners [][3]float64, w [3]float64) [][3]float64 {
	if len(corners) < 3 {
		return nil
	}
	var mean [3]float64
	for _, c := range corners {
		for j := range mean {
			mean[j] += c[j] / float64(len(corners))
		}
	}
	// Two axes of the plane: from the mean to the first corner, and across.
	var u, v [3]float64
	for j := range u {
		u[j] = corners[0][j] - mean[j]
	}
	for j := range v {
		v[j] = w[(j+1)%3]*u[(j+2)%3] - w[(j+2)%3]*u[(j+1)%3]
	}
	angle := func(c [3]float64) float64 {
		x, y := 0.0, 0.0
		lu, lv := math.Hypot(math.Hypot(u[0], u[1]), u[2]), math.Hypot(math.Hypot(v[0], v[1]), v[2])
		for j := range c {
			x, y = x+(c[j]-mean[j])*u[j]/lu, y+(c[j]-mean[j])*v[j]/lv
		}
		return math.Atan2(y, x)
	}
	slices.SortFunc(corners, func(a, b [3]float64) int { return cmp.Compare(angle(a), angle(b)) })
	return corners
}

// drawPolar compares the first principal direction of the plane with that of polar
// coordinates.
func drawPolar(ctx context.Context, s *figureContext) (figure.Picture, error) {
	p := s.points(func(r *random) *Points { return rings(r, 70, 0.07, 0.5, 1.2) })
	flat := p.axes("Cartesian", p.dots()...)
	m, report, err := pca.Fit(ctx, p.X, pca.Options{Components: 1, Compute: s.Compute})
	if err != nil {
		return nil, err
	}
	axis := direction(m, 0, math.Sqrt(report.Variances[0])*1.6, figure.Black)
	axis.Name = "first principal direction"
	flat.Layers = append(flat.Layers, axis)
	flat.Equal = true
	polar := &Points{Source: p.Source, Names: []string{"radius ‖x‖", "angle"}, Labels: p.Labels, Named: p.Named, X: data.MakeVectors(p.X.Len(), 2)}
	for i := range p.X.Len() {
		x, q := p.X.At(i), polar.X.At(i)
		q[0], q[1] = math.Hypot(x[0], x[1]), math.Atan2(x[1], x[0])
	}
	return figure.Sheet{Panels: []figure.Panel{flat, polar.axes("polar", polar.dots()...)}}, nil
}

// direction returns an arrow from the mean along a component.
func direction(m *pca.Model, j int, length float64, ink figure.Ink) figure.Arrow {
	return figure.Arrow{X0: m.Mean[0], Y0: m.Mean[1], X1: m.Mean[0] + length*m.Components.At(j, 0), Y1: m.Mean[1] + length*m.Components.At(j, 1), Ink: ink}
}
