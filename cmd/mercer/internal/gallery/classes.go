package gallery

import (
	"context"
	"fmt"
	"math"

	"example.org/mercer/cmd/mercer/internal/figure"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/vec"
	"example.org/mercer/linalg"
	"example.org/mercer/loss"
	"example.org/mercer/space"
	"example.org/mercer/supervised/klr"
	"example.org/mercer/supervised/newton"
)

var classFigures = []Figure{
	{Name: "classes", Title: "Binary classification by kernel logistic regression", Formula: "P(y | x) = σ(y·f(x)),  min (1/n) Σ ln(1 + e^(−yᵢf(xᵢ))) + (λ/2)‖f‖²", Takes: Classes,
		draw:     drawClasses,
		Commands: []string{"mercer fit klr points.csv --target label --kernel 'rbf(sigma=median)' --lambda 1e-2 -o odds.mercer", "mercer eval odds.mercer points.csv --plot classes.png"},
		See:      "Left: the data. Right: lines of equal probability; the thick one is ½. Far from all points the probability goes back to that of the intercept."},
	{Name: "irls", Title: "Convergence of iteratively reweighted least squares", Formula: "α ← solveWKRR(K, W, z),  Wᵢ = σ(mᵢ)σ(−mᵢ),  zᵢ = mᵢ + yᵢ/σ(yᵢmᵢ),  m = Kα", Takes: Classes,
		draw:     drawIRLS,
		Commands: []string{"mercer fit klr points.csv --target label --lambda 1e-3 -o odds.mercer --plot steps.png --plot-of newton"},
		See:      "Newton's method: once near the minimum, the correct digits double with every weighted ridge regression. A smaller λ takes more steps to come near."},
}

func drawClasses(ctx context.Context, s *figureContext) (figure.Picture, error) {
	p := s.points(moons)
	if len(p.Named) != 2 {
		return nil, fmt.Errorf("gallery: %s has %d classes; this figure shows two", p.Source, len(p.Named))
	}
	k, err := s.gaussian(ctx, p, 0.6)
	if err != nil {
		return nil, err
	}
	f, _, err := klr.Fit(ctx, vec.Kernel(k), p.X, p.Labels, klr.Options{Lambda: 1e-3, Compute: s.Compute})
	if err != nil {
		return nil, err
	}
	g := over(p.X, 0.12, 81)
	values, err := f.Predict(ctx, g.points, s.Compute)
	if err != nil {
		return nil, err
	}
	// The log odds of the second class; levels at the odds of these probabilities.
	odds := g.output(values, 0)
	odds.Name = "log odds"
	for _, q := range []float64{0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95} {
		odds.Levels = append(odds.Levels, math.Log(q/(1-q)))
	}
	points := p.axes("the data", p.dots()...)
	regions := p.axes(fmt.Sprintf("P(%s) = 5, 10, 25, 50, … %%, %s", p.Named[1], kernelName(k)), append([]figure.Layer{odds}, p.dots()...)...)
	for _, panel := range []*figure.Panel{&points, &regions} {
		panel.Bounds, panel.Equal = g.bounds, true
	}
	return figure.Sheet{Panels: []figure.Panel{points, regions}, Width: 11, Height: 7.6}, nil
}

func drawIRLS(ctx context.Context, s *figureContext) (figure.Picture, error) {
	p := s.points(moons)
	if len(p.Named) != 2 {
		return nil, fmt.Errorf("gallery: %s has %d classes; this figure shows two", p.Source, len(p.Named))
	}
	k, err := s.gaussian(ctx, p, 0.6)
	if err != nil {
		return nil, err
	}
	xs := p.X
	y := make([]float64, len(p.Labels))
	for i, label := range p.Labels {
		y[i] = 1 - 2*float64(label)
	}
	var fits []figure.Iteration
	for _, lambda := range []float64{1e-1, 1e-3, 1e-5} {
		g, err := gram.Dense(ctx, kernel.Bind(vec.Kernel(k), xs, xs), s.Compute)
		if err != nil {
			return nil, err
		}
		in := space.NewDual(g, linalg.Options{Workers: s.Compute.Workers})
		rows := &newton.Rows{Loss: loss.Logistic{}, Y: y}
		_, trace, err := newton.Minimize(ctx, in, lambda*float64(len(y)), rows.Model(), space.Zero(in, 1, true), newton.Options{})
		if err != nil {
			return nil, err
		}
		fits = append(fits, figure.Iteration{Name: fmt.Sprintf("λ = %g", lambda), Values: trace.Values, Decrements: trace.Decrements})
	}
	return figure.Convergence(fits...), nil
}
