package gallery

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/open"
	"example.org/mercer/model"
	"example.org/mercer/unsupervised/gmm"
)

var mixtureFigures = []Figure{
	{Name: "em", Title: "Steps of EM for a mixture of Gaussians", Formula: "q_ij = πⱼ N(xᵢ | μⱼ, Σⱼ) / Σ_l π_l N(xᵢ | μ_l, Σ_l),  μⱼ = Σᵢ q_ij xᵢ / Σᵢ q_ij", Takes: Plane,
		draw:     drawEM,
		Commands: []string{"mercer cluster gmm points.csv --clusters 3 --shape tied --plot em.png"},
		See:      "Every step makes the data likelier. Ellipses are two standard deviations wide; three components share one covariance matrix (tied)."},
}

// faithful returns the eruptions of Old Faithful, or points like them.
func (s *figureContext) faithful(ctx context.Context) (*Points, error) {
	p := &Points{Source: "faithful", Names: []string{"eruption, minutes", "waiting, minutes"}}
	if s.Data == "" {
		s.note = "The points are a generated stand-in: 272 draws from a mixture of two Gaussians with means, deviations and shares like those of the eruptions of Old Faithful. `--data DIR` with faithful.csv draws these."
		m := gmm.Mixture{Shape: gmm.Full, Weights: []float64{0.36, 0.64}, Means: vectors([]float64{2.04, 54.5}, []float64{4.29, 80}),
			Covariances: []*mat.SymDense{mat.NewSymDense(2, []float64{0.07, 0.44, 0.44, 34}), mat.NewSymDense(2, []float64{0.17, 0.94, 0.94, 36})}}
		var err error
		p.X, _, err = m.Sample(272, s.random().Uint64())
		return p, err
	}
	path, err := s.find("faithful.csv")
	if err != nil {
		return nil, err
	}
	t, err := open.Read(ctx, path, open.Options{Budget: compute.ReadingBudget(0)})
	if err != nil {
		return nil, err
	}
	p.X = data.MakeVectors(t.Rows(), 2)
	for j, name := range []string{"eruptions", "waiting"} {
		at, err := t.Find(name)
		if err != nil {
			return nil, err
		}
		x, err := numeric(t, at)
		if err != nil {
			return nil, err
		}
		for i, v := range x {
			p.X.At(i)[j] = v
		}
	}
	return p, nil
}

const mixed = 3 // components

func drawEM(ctx context.Context, s *figureContext) (figure.Picture, error) {
	p := s.Points
	if p == nil {
		var err error
		if p, err = s.faithful(ctx); err != nil {
			return nil, err
		}
	}
	start := roughStart(p.X)
	sheet := figure.Sheet{Columns: 4, Width: 6.6, Height: 6.4, Small: true}
	var trace []float64
	frame := *over(p.X, 0.05, 2).bounds // grows with the ellipses
	for _, steps := range []int{0, 1, 2, 5, 10, 20, 2000} {
		m := start
		title := "start"
		if steps > 0 {
			fitted, report, err := gmm.Fit(ctx, p.X, mixed, gmm.Tied, gmm.Options{Start: start, MaxIterations: steps, Tolerance: 1e-9, Compute: s.Compute})
			if err != nil {
				return nil, err
			}
			m, trace = fitted, append(report.Trace, report.LogLikelihood)
			if title = fmt.Sprintf("after %d steps", report.Iterations); report.Iterations == 1 {
				title = "after 1 step"
			}
			if report.Converged {
				title = fmt.Sprintf("end, ln L = %.1f", report.LogLikelihood)
			}
		}
		panel, err := p.mixture(ctx, title, m, &frame)
		if err != nil {
			return nil, err
		}
		sheet.Panels = append(sheet.Panels, panel)
	}
	steps := make([]float64, len(trace))
	for i := range steps {
		steps[i] = float64(i)
	}
	sheet.Panels = append(sheet.Panels, figure.Panel{Title: "log-likelihood", X: "step", Y: "ln L", Layers: []figure.Layer{figure.Lattice{}, figure.Line{X: steps, Y: trace, Ink: figure.Black}}})
	return sheet, nil
}

// roughStart has three equal components at the mean and half a deviation to both sides of
// the first coordinate, with the variances of all points.
func roughStart(x data.Vectors) *gmm.Mixture {
	n := float64(x.Len())
	var mean [2]float64
	for i := range x.Len() {
		for j := range mean {
			mean[j] += x.At(i)[j] / n
		}
	}
	covariance := mat.NewSymDense(2, nil)
	for i := range x.Len() {
		d := mat.NewVecDense(2, []float64{x.At(i)[0] - mean[0], x.At(i)[1] - mean[1]})
		covariance.SymRankOne(covariance, 1/n, d)
	}
	side := math.Sqrt(covariance.At(0, 0))
	covariance = mat.NewSymDense(2, []float64{covariance.At(0, 0), 0, 0, covariance.At(1, 1)})
	m := &gmm.Mixture{Shape: gmm.Tied, Covariances: []*mat.SymDense{covariance}}
	var means [][]float64
	for j := range mixed {
		m.Weights = append(m.Weights, 1.0/mixed)
		means = append(means, []float64{mean[0] + float64(j-1)*side/2, mean[1]})
	}
	m.Means = vectors(means...)
	return m
}

// mixture draws points in the colours of their likeliest components, with ellipses, and
// widens the frame, which several panels share, where these leave it.
func (p *Points) mixture(ctx context.Context, title string, m *gmm.Mixture, frame *figure.Bounds) (figure.Panel, error) {
	q, _, err := m.Posterior(ctx, p.X, 1)
	if err != nil {
		return figure.Panel{}, err
	}
	var names []string
	for k := range m.Weights {
		names = append(names, fmt.Sprintf("component %d", k+1))
	}
	panel := p.axes(title, classDots(p.X, model.Largest(q), names)...)
	for k := range m.Weights {
		x, y := ellipseOf(m.Means.At(k), m.Covariances[min(k, len(m.Covariances)-1)], 2)
		frame.X0, frame.X1 = min(frame.X0, slices.Min(x)), max(frame.X1, slices.Max(x))
		frame.Y0, frame.Y1 = min(frame.Y0, slices.Min(y)), max(frame.Y1, slices.Max(y))
		panel.Layers = append(panel.Layers, figure.Line{X: x, Y: y, Ink: figure.Ink(k)},
			figure.Dots{X: m.Means.At(k)[:1], Y: m.Means.At(k)[1:2], Ink: figure.Black, Shape: figure.Cross, Size: 5})
	}
	panel.Bounds = frame
	return panel, nil
}

// ellipseOf returns the points at a number of deviations from a mean.
func ellipseOf(mean []float64, covariance *mat.SymDense, deviations float64) (x, y []float64) {
	var c mat.Cholesky
	if !c.Factorize(covariance) {
		return mean[:1], mean[1:2] // a component without extent is a point
	}
	var l mat.TriDense
	c.LTo(&l)
	for _, angle := range linspace(0, 2*math.Pi, 73) {
		u, v := deviations*math.Cos(angle), deviations*math.Sin(angle)
		x, y = append(x, mean[0]+l.At(0, 0)*u), append(y, mean[1]+l.At(1, 0)*u+l.At(1, 1)*v)
	}
	return x, y
}
