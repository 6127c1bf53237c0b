package gallery

import (
	"context"
	"fmt"
	"math"
	"strings"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/rkhs"
	"example.org/mercer/supervised/kfda"
)

var distanceFigures = []Figure{
	{Name: "gauss-distance", Title: "Distance in the feature space of the Gaussian kernel", Formula: "d(x, y) = √(k(x, x) + k(y, y) − 2k(x, y)) = √(2(1 − exp(−‖x − y‖²/(2σ²))))",
		draw:     drawGaussDistance,
		Commands: []string{"mercer kernel 'rbf(sigma=0.5)' --at 0 --plot distance.png"},
		See:      "All points are on the unit sphere, so distances stay below √2: near points are as far apart as ‖x − y‖/σ, far ones no longer differ."},
	{Name: "distance-1d", Title: "Distance to the set {2, 3}", Commands: []string{"mercer geom distance numbers.csv --to set.csv --kernel 'rbf(sigma=0.2)' --no-standardize --plot distance.png"}, Formula: "d(x, S)² = k(x, x) − (2/n) Σ k(x, xᵢ) + (1/n²) ΣΣ k(xᵢ, xⱼ)", Takes: Number,
		draw: drawDistance1,
		See:  "With the linear kernel it is the distance to the mean 2.5. The barycentre of Gaussian bumps has no pre-image: with σ = 0.2 the distance has two minima, at the two points."},
	{Name: "distance-2d", Title: "Distance to three points of the plane", Commands: []string{"mercer geom distance points.csv --to set.csv --kernel 'rbf(sigma=0.2)' --no-standardize --plot distance.png"}, Formula: "d(x, S) = ‖Φ(x) − (1/n) Σ Φ(xᵢ)‖", Takes: Plane,
		draw: drawDistance2,
		See:  "One point of the feature space, the barycentre, carries much of what the data look like: the smaller σ, the more."},
	{Name: "barycentres", Title: "Discrimination by barycentres", Formula: "f(x) = d(x, S₁)² − d(x, S₂)²", Takes: Classes,
		draw:     drawBarycentres,
		Commands: []string{"mercer fit barycentre points.csv --target label --kernel 'rbf(sigma=1)' -o nearest.mercer", "mercer eval nearest.mercer points.csv --plot barycentres.png"},
		See:      "The sign of f says which barycentre is nearer; the thick line is f = 0. It is straight for the linear kernel and follows the points for small σ."},
}

// threeKernels are those of the lecture's illustrations.
func threeKernels() []vec.Kernel {
	return []vec.Kernel{vec.Linear{}, vec.RBF{Sigma: 1}, vec.RBF{Sigma: 0.2}}
}

// kernelName writes a kernel as the lecture does.
func kernelName(k vec.Kernel) string {
	if rbf, ok := k.(vec.RBF); ok {
		return fmt.Sprintf("Gaussian, σ = %.3g", rbf.Sigma)
	}
	return strings.TrimSuffix(k.String(), "()")
}

func drawGaussDistance(context.Context, *figureContext) (figure.Picture, error) {
	at := linspace(0, 4, 200)
	panel := figure.Panel{X: "‖x − y‖", Y: "distance of Φ(x) and Φ(y)", Layers: []figure.Layer{figure.Lattice{}}, Bounds: &figure.Bounds{X0: 0, X1: 4, Y0: 0, Y1: 1.7}}
	for i, sigma := range []float64{0.2, 0.5, 1, 2} {
		k := vec.RBF{Sigma: sigma}
		d := make([]float64, len(at))
		for j, t := range at {
			x, y := []float64{0}, []float64{t}
			d[j] = math.Sqrt(k.Eval(x, x) + k.Eval(y, y) - 2*k.Eval(x, y))
		}
		panel.Layers = append(panel.Layers, figure.Line{Name: fmt.Sprintf("σ = %g", sigma), X: at, Y: d, Ink: figure.Ink(i)})
	}
	panel.Layers = append(panel.Layers, figure.Line{Name: "√2", X: []float64{0, 4}, Y: []float64{math.Sqrt2, math.Sqrt2}, Ink: figure.Grey, Dashed: true, Thin: true})
	return figure.Sheet{Panels: []figure.Panel{panel}, Width: 14, Height: 9}, nil
}

// distance returns ‖Φ(x) − μ‖ from points to the barycentre μ of a set: μ(x) = ⟨Φ(x), μ⟩,
// so that ‖Φ(x) − μ‖² = k(x, x) − 2μ(x) + ‖μ‖².
func (s *figureContext) distance(ctx context.Context, k vec.Kernel, set, at data.Vectors) ([]float64, error) {
	mean, err := rkhs.Mean(k, set, nil)
	if err != nil {
		return nil, err
	}
	norm2, err := mean.Norm2(ctx, s.Compute)
	if err != nil {
		return nil, err
	}
	out, err := mean.Values(ctx, at, s.Compute)
	if err != nil {
		return nil, err
	}
	for i, v := range out {
		x := at.At(i)
		out[i] = math.Sqrt(max(0, k.Eval(x, x)-2*v+norm2))
	}
	return out, nil
}

func drawDistance1(ctx context.Context, s *figureContext) (figure.Picture, error) {
	p := s.points(func(*random) *Points { return &Points{Names: []string{"x"}, X: numbers([]float64{2, 3})} })
	lo, hi := math.Inf(1), math.Inf(-1)
	for _, x := range p.X.Raw() {
		lo, hi = min(lo, x), max(hi, x)
	}
	if lo == hi {
		lo, hi = lo-0.5, hi+0.5
	}
	at := linspace(lo-2*(hi-lo), hi+2*(hi-lo), 401)
	kernels := threeKernels()
	if s.Points != nil {
		kernels[1], kernels[2] = vec.RBF{Sigma: hi - lo}, vec.RBF{Sigma: (hi - lo) / 5}
	}
	var sheet figure.Sheet
	for _, k := range kernels {
		d, err := s.distance(ctx, k, p.X, numbers(at))
		if err != nil {
			return nil, err
		}
		sheet.Panels = append(sheet.Panels, figure.DistanceLine(kernelName(k), p.Names[0], at, d, p.X.Raw()))
	}
	sheet.Width, sheet.Height = 8.5, 7.5
	return sheet, nil
}

func drawDistance2(ctx context.Context, s *figureContext) (figure.Picture, error) {
	p := s.points(func(*random) *Points {
		return &Points{Names: []string{"x₁", "x₂"}, X: vectors([]float64{1, 1}, []float64{1, 2}, []float64{2, 2})}
	})
	g := within(figure.Bounds{X0: 0, X1: 3, Y0: 0, Y1: 3}, 81)
	if s.Points != nil {
		g = over(p.X, 0.15, 81)
	}
	sheet := figure.Sheet{Width: 9, Height: 7.5}
	for _, k := range threeKernels() {
		d, err := s.distance(ctx, k, p.X, g.points)
		if err != nil {
			return nil, err
		}
		panel := figure.DistanceField(kernelName(k), p.Names[0], p.Names[1], figure.FieldOf(g.xs, g.ys, d), column(p.X, 0), column(p.X, 1))
		panel.Equal = true
		sheet.Panels = append(sheet.Panels, panel)
	}
	return sheet, nil
}

func drawBarycentres(ctx context.Context, s *figureContext) (figure.Picture, error) {
	p := s.points(func(*random) *Points {
		return &Points{Names: []string{"x₁", "x₂"}, Named: []string{"S₁", "S₂"}, Labels: []int{0, 0, 1, 1},
			X: vectors([]float64{1, 1}, []float64{1, 2}, []float64{1, 3}, []float64{2, 2})}
	})
	if len(p.Named) != 2 {
		return nil, fmt.Errorf("gallery: %s has %d classes; the difference of two distances needs two", p.Source, len(p.Named))
	}
	g := within(figure.Bounds{X0: 0, X1: 3, Y0: 0.5, Y1: 3.5}, 81)
	if s.Points != nil {
		g = over(p.X, 0.15, 81)
	}
	sheet := figure.Sheet{Width: 9, Height: 7.5}
	for _, k := range threeKernels() {
		f, _, err := kfda.FitBarycentres(ctx, k, p.X, p.Labels, kfda.BarycentreOptions{Compute: s.Compute})
		if err != nil {
			return nil, err
		}
		values, err := f.Predict(ctx, g.points, s.Compute)
		if err != nil {
			return nil, err
		}
		// The functions are f_c = (k(x, x) − d_c²)/2, so d₁² − d₂² is 2(f₂ − f₁).
		difference := g.field(func(i int) float64 { return 2 * (values.At(i, 1) - values.At(i, 0)) })
		difference.Signed = true
		panel := p.axes(kernelName(k), append([]figure.Layer{difference}, p.dots()...)...)
		panel.Bounds, panel.Equal = g.bounds, true
		sheet.Panels = append(sheet.Panels, panel)
	}
	return sheet, nil
}
