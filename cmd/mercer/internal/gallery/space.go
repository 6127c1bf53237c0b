package gallery

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/supervised/krr"
)

var spaceFigures = []Figure{
	{Name: "norms", Title: "The norm of a function bounds how fast it varies", Formula: "|f(x) − f(x′)| ≤ ‖f‖ · d(x, x′),  d(x, x′) = ‖Φ(x) − Φ(x′)‖", Commands: []string{"mercer geom function model.mercer new.csv --plot slopes.png"},
		draw: drawNorms,
		See:  "Left: linear functions of norm 2, 1 and ½ have these slopes. Right: a fitted function at all pairs of 60 points; no pair is above the line of slope ‖f‖."},
	{Name: "centring", Title: "Centring data in the feature space", Formula: "Kᶜ = (I − U) K (I − U),  Uᵢⱼ = 1/n", Takes: Plane,
		draw:     drawCentring,
		Commands: []string{"mercer gram points.csv --target label --kernel 'rbf(sigma=median)' --plot gram.png"},
		See:      "Gaussian kernel values are positive: all images lie in one cone. About their barycentre, points of different clusters have negative inner products, and every row adds up to 0."},
}

func drawNorms(ctx context.Context, s *figureContext) (figure.Picture, error) {
	left := figure.Panel{Title: "linear kernel: f(x) = wx", X: "x", Y: "f(x)", Layers: []figure.Layer{figure.Lattice{}}}
	for i, norm := range []float64{2, 1, 0.5} {
		left.Layers = append(left.Layers, figure.Line{Name: fmt.Sprintf("‖f‖ = %g", norm), X: []float64{-1, 1}, Y: []float64{-norm, norm}, Ink: figure.Ink(i), Dashed: i == 2})
	}
	p := wave(s.random())
	k := vec.RBF{Sigma: 1}
	f, report, err := krr.Fit(ctx, vec.Kernel(k), p.X, mat.NewDense(len(p.Y), 1, p.Y), krr.Options{Lambda: 1e-2, NoIntercept: true, Compute: s.Compute})
	if err != nil {
		return nil, err
	}
	values, err := s.evaluate(ctx, f, p.X.Raw())
	if err != nil {
		return nil, err
	}
	var d, slope []float64
	for i := range values {
		for j := range i {
			x, y := p.X.At(i), p.X.At(j)
			d = append(d, math.Sqrt(max(0, k.Eval(x, x)+k.Eval(y, y)-2*k.Eval(x, y))))
			slope = append(slope, math.Abs(values[i]-values[j]))
		}
	}
	norm := math.Sqrt(report.Norm2[0])
	right := figure.Panel{Title: "Gaussian kernel, f by ridge regression", X: "d(x, x′)", Y: "|f(x) − f(x′)|", Layers: []figure.Layer{figure.Lattice{},
		figure.Dots{Name: "pairs of points", X: d, Y: slope, Ink: 1, Size: 1.2},
		figure.Line{Name: fmt.Sprintf("‖f‖·d, ‖f‖ = %.3g", norm), X: []float64{0, math.Sqrt2}, Y: []float64{0, norm * math.Sqrt2}, Ink: 0}}}
	return figure.Sheet{Panels: []figure.Panel{left, right}}, nil
}

func drawCentring(ctx context.Context, s *figureContext) (figure.Picture, error) {
	p := s.points(few)
	title := "points"
	if p.Labels != nil {
		p = p.byLabel()
	}
	if rows := figure.Thinned(p.X.Len()); len(rows) < p.X.Len() {
		title = fmt.Sprintf("%d of %d points", len(rows), p.X.Len())
		p = p.chosen(rows)
	}
	k, err := s.gaussian(ctx, p, 0.4)
	if err != nil {
		return nil, err
	}
	g, err := gram.Dense(ctx, kernel.Bind(vec.Kernel(k), p.X, p.X), s.Compute)
	if err != nil {
		return nil, err
	}
	points := p.axes(title, p.dots()...)
	before := figure.MatrixPanel("K, "+kernelName(k), rowsOf(g))
	if _, err := gram.Centre(ctx, g, s.Compute); err != nil {
		return nil, err
	}
	after := figure.MatrixPanel("centred: Kᶜ", rowsOf(g))
	return figure.Sheet{Panels: []figure.Panel{points, before, after}, Width: 8.5, Height: 8}, nil
}

func rowsOf(k mat.Matrix) [][]float64 {
	n, _ := k.Dims()
	out := make([][]float64, n)
	for i := range out {
		out[i] = mat.Row(nil, i, k)
	}
	return out
}

// chosen returns the points with the given numbers.
func (p *Points) chosen(order []int) *Points {
	q := *p
	q.X, q.Labels = p.X.Gather(order), nil
	if p.Labels != nil {
		for _, i := range order {
			q.Labels = append(q.Labels, p.Labels[i])
		}
	}
	return &q
}

// byLabel returns the points with those of a class together.
func (p *Points) byLabel() *Points {
	var order []int
	for k := range p.Named {
		for i, label := range p.Labels {
			if label == k {
				order = append(order, i)
			}
		}
	}
	return p.chosen(order)
}
