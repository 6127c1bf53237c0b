package gallery

import (
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/data"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/unsupervised/kpca"
	"example.org/mercer/unsupervised/pca"
)

var componentFigures = []Figure{
	{Name: "pca", Title: "Principal components and the projection on one", Formula: "wᵢ = arg max wᵀXᵀXw,  ‖w‖ = 1, w ⊥ w₁, …, wᵢ₋₁", Takes: Plane,
		draw:     drawPCA,
		Commands: []string{"mercer embed pca points.csv --components 2 --plot pca.png"},
		See:      "The first component points where the variance is largest, the second is perpendicular. The projections on the first are the nearest points of its line."},
	{Name: "kpca-clusters", Title: "Kernel PCA: level sets of the first eight components on three clusters", Formula: "fⱼ(x) = Σ αⱼᵢ k̃(xᵢ, x),  K̃αⱼ = nλⱼαⱼ,  αⱼᵀK̃αⱼ = 1", Takes: Plane,
		draw:     drawComponents(blobs, math.Sqrt(0.05)),
		Commands: []string{"mercer embed kpca points.csv --kernel 'rbf(sigma=median)' --components 2 --plot kpca.png"},
		See:      "The first two components tell the three clusters apart; the next ones cut each cluster into two, and so on: directions that a plane does not have."},
	{Name: "kpca-circles", Title: "Kernel PCA on circles", Formula: "zⱼ(x) = ⟨vⱼ, Φ(x) − μ⟩", Takes: Plane,
		draw:     drawCircles,
		Commands: []string{"mercer embed kpca points.csv --kernel 'rbf(sigma=median)' --components 2 --plot kpca.png"},
		See:      "The level sets of the first component are circles: it tells the two rings apart. The next ones cut each ring into sectors. The scores of PCA are the points turned around; in those of kernel PCA a line separates the rings."},
}

func drawPCA(ctx context.Context, s *figureContext) (figure.Picture, error) {
	p := s.points(slope)
	m, report, err := pca.Fit(ctx, p.X, pca.Options{Compute: s.Compute})
	if err != nil {
		return nil, err
	}
	components := p.axes("components", p.dots()...)
	for j := range report.Components {
		arrow := direction(m, j, 2*math.Sqrt(report.Variances[j]), figure.Ink(j))
		arrow.Name = fmt.Sprintf("w%s", subscript(j+1))
		components.Layers = append(components.Layers, arrow)
	}
	// Scores of the first component alone lead back to its line.
	scores, err := m.Transform(p.X)
	if err != nil {
		return nil, err
	}
	for i := range p.X.Len() {
		for j := 1; j < report.Components; j++ {
			scores.Set(i, j, 0)
		}
	}
	onLine, err := m.Inverse(scores)
	if err != nil {
		return nil, err
	}
	projection := p.axes(fmt.Sprintf("projection: %.0f %% of the variance", 100*report.Ratio[0]))
	for i := range p.X.Len() {
		a, b := p.X.At(i), onLine.At(i)
		projection.Layers = append(projection.Layers, figure.Line{X: []float64{a[0], b[0]}, Y: []float64{a[1], b[1]}, Ink: figure.Grey, Thin: true})
	}
	projection.Layers = append(projection.Layers, p.dots()...)
	projection.Layers = append(projection.Layers, figure.Dots{Name: "on the first component", X: column(onLine, 0), Y: column(onLine, 1), Ink: 0, Shape: 1, Size: 1.8})
	components.Equal, projection.Equal = true, true
	return figure.Sheet{Panels: []figure.Panel{components, projection}, Width: 11, Height: 7.5}, nil
}

// drawComponents shows the level sets of eight components.
func drawComponents(sample sampleFunc, sigma float64) func(context.Context, *figureContext) (figure.Picture, error) {
	return func(ctx context.Context, s *figureContext) (figure.Picture, error) {
		p := s.points(sample)
		k, err := s.gaussian(ctx, p, sigma)
		if err != nil {
			return nil, err
		}
		if s.Points != nil { // fine structure is that of a width below the median
			k = rounded(0.4 * k.Sigma)
		}
		f, report, err := kpca.Fit(ctx, vec.Kernel(k), p.X, kpca.Options{Components: 8, Seed: s.Seed, Compute: s.Compute})
		if err != nil {
			return nil, err
		}
		g := over(p.X, 0.12, 61)
		values, err := f.Predict(ctx, g.points, s.Compute)
		if err != nil {
			return nil, err
		}
		sheet := figure.Sheet{Columns: 4, Width: 7.6, Height: 6.2, Small: true}
		for j := range report.Components {
			panel := p.axes(fmt.Sprintf("component %d, λ = %.3f", j+1, report.Variances[j]), append([]figure.Layer{g.output(values, j)}, p.marks()...)...)
			panel.Bounds = g.bounds
			sheet.Panels = append(sheet.Panels, panel)
		}
		return sheet, nil
	}
}

func drawCircles(ctx context.Context, s *figureContext) (figure.Picture, error) {
	p := s.points(func(r *random) *Points { return rings(r, 100, 0.06, 0.35, 1.1) })
	k, err := s.gaussian(ctx, p, 0.4)
	if err != nil {
		return nil, err
	}
	xs := p.X
	f, report, err := kpca.Fit(ctx, vec.Kernel(k), xs, kpca.Options{Components: 4, Seed: s.Seed, Compute: s.Compute})
	if err != nil {
		return nil, err
	}
	g := over(p.X, 0.1, 81)
	values, err := f.Predict(ctx, g.points, s.Compute)
	if err != nil {
		return nil, err
	}
	sheet := figure.Sheet{Columns: 3, Width: 8.6, Height: 7.2}
	for j := range report.Components {
		panel := p.axes(fmt.Sprintf("component %d", j+1), append([]figure.Layer{g.output(values, j)}, p.marks()...)...)
		panel.Bounds, panel.Equal = g.bounds, true
		sheet.Panels = append(sheet.Panels, panel)
	}
	scores, err := f.Predict(ctx, xs, s.Compute)
	if err != nil {
		return nil, err
	}
	m, _, err := pca.Fit(ctx, p.X, pca.Options{Components: 2, Compute: s.Compute})
	if err != nil {
		return nil, err
	}
	linear, err := m.Transform(p.X)
	if err != nil {
		return nil, err
	}
	sheet.Panels = append(sheet.Panels, p.scores("PCA", linear), p.scores("kernel PCA, "+kernelName(k), scores))
	return sheet, nil
}

// scores returns a panel with the points at their first two scores.
func (p *Points) scores(title string, z *mat.Dense) figure.Panel {
	q := &Points{Names: []string{"first score", "second score"}, X: data.MakeVectors(p.X.Len(), 2), Labels: p.Labels, Named: p.Named}
	_, m := z.Dims()
	for i := range p.X.Len() {
		for j := range min(2, m) {
			q.X.At(i)[j] = z.At(i, j)
		}
	}
	return q.axes(title, q.marks()...)
}
