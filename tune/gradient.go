package tune

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/data"
	"example.org/mercer/internal/lbfgs"
	"example.org/mercer/kernel"
)

const (
	// gradientSquares are held by a descent: the Gram matrix, an inverse and a gradient.
	gradientSquares = 3
	// screenRows is the number of rows on which starts are compared.
	screenRows = 512
	// screenSteps is how many factors of 2 either way of the start are compared.
	screenSteps = 4
	// enough is the change of the objective, a logarithm of an error or nats per row,
	// below which a descent ends: 1e-4 of an error.
	enough = 1e-4
	// jitter is the standard deviation, in logarithmic coordinates, by which further
	// starts differ from the first.
	jitter = 1.0
)

// descend minimises the criterion by L-BFGS from the best of some coarse starts, in
// the coordinates of the parameters and ln λ.
func (s *search[T]) descend(ctx context.Context) error {
	starts := max(1, s.o.Trials)
	perStart := 30 + 10*len(s.space.Parameters)
	s.budget = starts * perStart
	first := s.coordinates(append(s.space.starts(), s.space.Lambda.Start))
	if s.space.Lambda.Start == 0 {
		var err error
		if first, err = s.screen(ctx); err != nil {
			return err
		}
	}
	rng := searchStream.rand(s.o.Seed)
	for at := range starts {
		start := slices.Clone(first)
		if at > 0 {
			for i := range start {
				start[i] += jitter * rng.NormFloat64()
			}
		}
		if err := s.descendFrom(ctx, start, perStart); err != nil {
			return err
		}
	}
	return nil
}

// screen compares the starting values of the positive parameters times powers of 2,
// each with its best λ, on a random subset of rows, and returns the coordinates of the
// best. λ, unlike R = Nλ, carries over from fewer rows to all of them.
func (s *search[T]) screen(ctx context.Context) ([]float64, error) {
	part := *s
	part.trials, part.best, part.report, part.at = nil, -1, nil, nil
	if n := s.xs.Len(); n > screenRows {
		rows := screenStream.rand(s.o.Seed).Perm(n)[:screenRows]
		slices.Sort(rows)
		part.xs, part.criterion = data.Subset(s.xs, rows), s.closed.part(rows)
		part.k = mat.NewSymDense(screenRows, nil)
		part.o.Compute.Store = nil // tiles of random rows are of no use to anybody
		k, err := s.space.Build(s.space.starts())
		if err != nil {
			return nil, err
		}
		if part.shared, err = kernel.BindReusable(ctx, k, part.xs, 0, nil); err != nil {
			return nil, err
		}
	}
	for step := -screenSteps; step <= screenSteps; step++ {
		values := s.space.starts()
		for i := range values {
			if p := &s.space.Parameters[i]; p.Positive {
				values[i] = min(max(p.Start*math.Exp2(float64(step)), p.Lower), p.Upper)
			}
		}
		if err := part.tryPath(ctx, values); err != nil {
			return nil, err
		}
	}
	if part.best < 0 {
		return nil, fmt.Errorf("tune: none of %d kernels can be a start; the last one: %s", len(part.trials), part.trials[len(part.trials)-1].Failed)
	}
	return s.coordinates(part.trials[part.best].Values), nil
}

// coordinates returns those of the parameters, and ln λ.
func (s *search[T]) coordinates(values []float64) []float64 {
	c := make([]float64, len(values))
	for i, p := range s.space.all() {
		c[i] = p.coordinate(values[i])
	}
	return c
}

// box maps unbounded z to coordinates between bounds: c = mid + h·tanh((z − mid)/h),
// h half the width. Its slope is 1 in the middle, so that steps keep their size.
type box struct{ mid, half []float64 }

func (s *search[T]) box() box {
	var b box
	for _, p := range s.space.all() {
		low, high := p.coordinate(p.Lower), p.coordinate(p.Upper)
		b.mid, b.half = append(b.mid, (low+high)/2), append(b.half, (high-low)/2)
	}
	return b
}

// inside returns the coordinates of z and the slopes dc/dz. Bounds that coincide pin
// their coordinate.
func (b box) inside(z []float64) (c, slope []float64) {
	c, slope = make([]float64, len(z)), make([]float64, len(z))
	for i, v := range z {
		c[i] = b.mid[i]
		if b.half[i] > 0 {
			t := math.Tanh((v - b.mid[i]) / b.half[i])
			c[i], slope[i] = b.mid[i]+b.half[i]*t, 1-t*t
		}
	}
	return c, slope
}

// outside is the inverse of inside; a start on a bound is moved in a little.
func (b box) outside(c []float64) []float64 {
	z := slices.Clone(c)
	for i, v := range c {
		if b.half[i] > 0 {
			t := min(max((v-b.mid[i])/b.half[i], -0.99), 0.99)
			z[i] = b.mid[i] + b.half[i]*math.Atanh(t)
		}
	}
	return z
}

// descent evaluates the objective within a box.
type descent[T any] struct {
	s   *search[T]
	ctx context.Context
	box box
}

// descendFrom runs one descent of at most the given number of evaluations. That it
// ends by a line search that finds nothing better is no failure.
func (s *search[T]) descendFrom(ctx context.Context, start []float64, evaluations int) error {
	d := &descent[T]{s: s, ctx: ctx, box: s.box()}
	r, err := lbfgs.Minimize(d.box.outside(start), d.at, lbfgs.Options{Gradient: enough, Evaluations: evaluations, Absolute: enough, Unchanged: 3})
	if err == nil && r.Stuck != nil && s.best < 0 {
		return fmt.Errorf("tune: the descent failed at its start: %w", r.Stuck)
	}
	return err
}

// at evaluates objective and gradient at z and adds the trial. Where there is no Gram
// matrix or it cannot be factored the objective is +Inf, and the line search turns
// back.
func (d *descent[T]) at(z []float64) (float64, []float64, error) {
	c, slope := d.box.inside(z)
	last := len(c) - 1
	values := make([]float64, len(c))
	for i := range last {
		values[i] = d.s.space.Parameters[i].value(c[i])
	}
	values[last] = math.Exp(c[last])
	value, grad := []float64{0}, make([]float64, len(z))
	failed, err := d.s.recall(d.ctx, "evaluation", value, grad, func() (cannot, fatal error) {
		var found []float64
		value[0], found, cannot = d.s.evaluate(d.ctx, values[:last], values[last])
		copy(grad, found)
		return cannot, nil
	})
	if err != nil {
		return 0, nil, err
	}
	d.s.add(scored(values, 1, Scored{Value: value[0], Failed: failed}))
	if failed != nil {
		return math.Inf(1), nil, nil
	}
	f, scale := d.s.closed.objective(value[0])
	for i := range grad {
		grad[i] *= scale * slope[i]
	}
	return f, grad, nil
}

// evaluate returns the criterion and its gradient in the coordinates of the free
// parameters and ln λ: ∂/∂cⱼ = Σₗ (Σₐ_b ∂/∂K_ab · ∂K_ab/∂θₗ)·∂θₗ/∂cⱼ over the kernel's own
// parameters θ.
func (s *search[T]) evaluate(ctx context.Context, values []float64, lambda float64) (float64, []float64, error) {
	k, err := s.space.Build(values)
	if err != nil {
		return 0, nil, err
	}
	differentiable, ok := k.(kernel.Differentiable[T])
	if !ok {
		return 0, nil, fmt.Errorf("kernel %s has no gradient, unlike that of the starting values", k)
	}
	b, err := s.bind(ctx, k)
	if err != nil {
		return 0, nil, err
	}
	value, dk, dlog, err := s.closed.sensitivity(ctx, b.Gram, lambda)
	if err != nil {
		return 0, nil, err
	}
	raw := dk.RawSymmetric()
	theta, err := kernel.Contract(ctx, differentiable, s.xs, kernel.Tile{Rows: raw.N, Cols: raw.N, Stride: raw.Stride, Data: raw.Data}, s.o.Compute.Workers)
	if err != nil {
		return 0, nil, err
	}
	slopes, err := s.slopes(values)
	if err != nil {
		return 0, nil, err
	}
	grad := make([]float64, len(values)+1)
	for j := range values {
		for l, t := range theta {
			grad[j] += slopes[j][l] * t
		}
	}
	grad[len(values)] = dlog
	return value, grad, nil
}

// slopeStep is the step, in coordinates, of the central differences of [search.slopes].
// A kernel's parameter is nearly always a power of the free one, whose slope in
// logarithms they give without error.
const slopeStep = 1e-4

// slopes returns ∂θₗ/∂cⱼ of the kernel's own parameters, on the scale of their
// coordinates, by the free coordinates: free gamma moves sigma with slope −½.
func (s *search[T]) slopes(values []float64) ([][]float64, error) {
	theta := func(j int, step float64) ([]float64, float64, error) {
		v := slices.Clone(values)
		p := &s.space.Parameters[j]
		v[j] = p.value(p.coordinate(v[j]) + step)
		k, err := s.space.Build(v)
		if err != nil { // on the edge of the kernels: a one-sided difference
			v[j] = values[j]
			if k, err = s.space.Build(v); err != nil {
				return nil, 0, err
			}
		}
		own := k.(kernel.Tunable[T]).Parameters()
		c := make([]float64, len(own))
		for l, q := range own {
			c[l] = (&Parameter{Positive: q.Positive}).coordinate(q.Value)
		}
		return c, p.coordinate(v[j]), nil
	}
	out := make([][]float64, len(values))
	for j := range values {
		above, ca, err := theta(j, slopeStep)
		if err != nil {
			return nil, err
		}
		below, cb, err := theta(j, -slopeStep)
		if err != nil {
			return nil, err
		}
		out[j] = make([]float64, len(above))
		for l := range above {
			if ca != cb {
				out[j][l] = (above[l] - below[l]) / (ca - cb)
			}
		}
	}
	return out, nil
}
