package preimage

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"mercer/data"
	"mercer/internal/parallel"
)

// FixedPoint iterates z ← Σ γᵢκ′(dᵢ)xᵢ / Σ γᵢκ′(dᵢ), dᵢ = ‖z − xᵢ‖², at whose fixed
// points the gradient of the residual vanishes, for kernels κ(‖x−y‖²). It starts at the
// given point and, because it may diverge or stop at a poor stationary point, at the
// training points with the nearest images; the end with the smallest residual is the
// answer. An iteration takes O(nd).
type FixedPoint struct {
	Profile    Profile
	Iterations int     // from each start; 0 means 500
	Tolerance  float64 // of a step, relative to the spread of the training points; 0 means 1e-8
	// Restarts is the number of training points to start at beside the given point; 0
	// means 2, less than 0 none.
	Restarts int
}

// PreImages implements [Method].
func (f FixedPoint) PreImages(ctx context.Context, t *Targets[[]float64], near data.Set[[]float64]) ([]Answer[[]float64], error) {
	if err := f.Profile.check(t); err != nil {
		return nil, err
	}
	if err := t.startsFit(near); err != nil {
		return nil, err
	}
	f = f.defaults()
	if near == nil && f.Restarts == 0 {
		return nil, fmt.Errorf("preimage: the fixed point iteration has no point to start from: give some, or allow restarts")
	}
	limit := f.Tolerance * spread(t)
	answers := make([]Answer[[]float64], t.Len())
	err := parallel.Each(ctx, t.compute.WorkerCount(), t.Len(), func(_, j int) {
		rows, _ := t.nearest(j, f.Restarts)
		var starts [][]float64
		if near != nil {
			starts = append(starts, near.At(j))
		}
		for _, i := range rows {
			starts = append(starts, t.points.At(i))
		}
		answers[j] = f.best(ctx, t, j, starts, limit)
	})
	if err != nil {
		return nil, err
	}
	return t.answered(ctx, answers)
}

func (f FixedPoint) defaults() FixedPoint {
	if f.Iterations <= 0 {
		f.Iterations = 500
	}
	if f.Tolerance <= 0 {
		f.Tolerance = 1e-8
	}
	switch {
	case f.Restarts == 0:
		f.Restarts = 2
	case f.Restarts < 0:
		f.Restarts = 0
	}
	return f
}

// best runs from every start and keeps the point with the largest Ψ(z): with κ(0) the
// same everywhere, that is the smallest residual.
func (f FixedPoint) best(ctx context.Context, t *Targets[[]float64], j int, starts [][]float64, limit float64) Answer[[]float64] {
	best, largest := Answer[[]float64]{Index: -1}, math.Inf(-1)
	for _, start := range starts {
		if ctx.Err() != nil {
			return best
		}
		a := f.run(ctx, t, j, start, limit)
		if v := f.weights(t, j, a.Point, nil); v > largest || best.Point == nil {
			a.Iterations += best.Iterations
			best, largest = a, v
			continue
		}
		best.Iterations += a.Iterations
	}
	return best
}

// run iterates from one start. Where the denominator vanishes it ends at the last point.
func (f FixedPoint) run(ctx context.Context, t *Targets[[]float64], j int, start []float64, limit float64) Answer[[]float64] {
	a := Answer[[]float64]{Point: slices.Clone(start), Index: -1}
	w, next := make([]float64, t.points.Len()), make([]float64, len(start))
	for a.Iterations < f.Iterations && ctx.Err() == nil {
		a.Iterations++
		f.weights(t, j, a.Point, w)
		sum := floats.Sum(w)
		if !(math.Abs(sum) > 1e-12*floats.Norm(w, 1)) || math.IsInf(sum, 0) {
			a.Note = "the denominator of the fixed point iteration vanished"
			return a
		}
		clear(next)
		for i, v := range w {
			floats.AddScaled(next, v/sum, t.points.At(i))
		}
		step := floats.Distance(next, a.Point, 2)
		copy(a.Point, next)
		if step <= limit {
			a.Converged = true
			return a
		}
	}
	a.Note = fmt.Sprintf("the fixed point iteration did not converge in %d steps", a.Iterations)
	return a
}

// weights stores γᵢκ′(‖z − xᵢ‖²) in w, if there is one, and returns Ψ(z).
func (f FixedPoint) weights(t *Targets[[]float64], j int, z, w []float64) float64 {
	value := 0.0
	for i, c := range t.coef.RawRowView(j) {
		v, slope := f.Profile.At(squared(z, t.points.At(i)))
		value += c * v
		if w != nil {
			w[i] = c * slope
		}
	}
	return value
}
