package tune

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// mostTrials bounds a grid.
const mostTrials = 100_000

// grid tries every combination of the values of the parameters with every λ.
func (s *search[T]) grid(ctx context.Context) error {
	count := s.o.Trials
	if count == 0 {
		count = 9
	}
	axes, kernels := make([][]float64, len(s.space.Parameters)), 1
	for i := range axes {
		axes[i] = s.space.Parameters[i].axis(count)
		kernels *= len(axes[i])
		if kernels > mostTrials {
			return fmt.Errorf("tune: a grid over %d parameters with %d values each has more than %d kernels: use method %q or %q", len(axes), count, mostTrials, Random, Gradient)
		}
	}
	lambdas := s.o.Lambda.lambdas()
	s.budget = kernels * len(lambdas)
	for at := range kernels {
		values := make([]float64, len(axes))
		for i := len(axes) - 1; i >= 0; i-- {
			values[i] = axes[i][at%len(axes[i])]
			at /= len(axes[i])
		}
		f, err := s.prepare(ctx, values)
		if err != nil {
			return err
		}
		for _, l := range lambdas {
			t := Trial{Values: values, Lambda: l}
			if f == nil {
				break
			}
			if t.Score, err = f(ctx, l); err != nil {
				t.Score, t.Failed = 0, err.Error()
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			s.add(t)
		}
	}
	return nil
}

// axis returns the values of a grid: the start times powers of 2 on either side where
// positive, else equal steps between the bounds; within the bounds, ascending.
func (p *Parameter) axis(count int) []float64 {
	var out []float64
	for i := range count {
		v := p.Start
		switch {
		case p.Positive:
			v *= math.Exp2(float64(i - (count-1)/2))
		case count > 1:
			v = p.Lower + (p.Upper-p.Lower)*float64(i)/float64(count-1)
		}
		out = append(out, min(max(v, p.Lower), p.Upper))
	}
	return slices.Compact(out)
}

// prepare builds a kernel and its curve. Where the values make no kernel, or its Gram
// matrix cannot be used, the reason becomes a failed trial and the curve is nil.
func (s *search[T]) prepare(ctx context.Context, values []float64) (curve, error) {
	k, err := s.space.Build(values)
	if err == nil {
		if err = s.gramOf(ctx, k); err == nil {
			var f curve
			if f, err = s.curveOf(ctx); err == nil {
				return f, nil
			}
		}
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s.add(Trial{Values: values, Failed: err.Error()})
	return nil, nil
}

// randomReach is how far, as a factor, random search goes from a positive start.
const randomReach = 32

// random tries the start, and then kernels whose parameters are drawn independently:
// log-uniform within a factor of 32 of a positive start, uniform between the bounds
// otherwise. Each gets its best λ.
func (s *search[T]) random(ctx context.Context) error {
	count := s.o.Trials
	if count == 0 {
		count = 40
	}
	if len(s.space.Parameters) == 0 {
		count = 1
	}
	s.budget = count
	rng := searchStream.rand(s.o.Seed)
	for at := range count {
		values := s.space.starts()
		for i := range values {
			p, u := &s.space.Parameters[i], rng.Float64()
			if at == 0 {
				continue
			}
			low, high := p.Lower, p.Upper
			if p.Positive {
				low, high = max(low, p.Start/randomReach), min(high, p.Start*randomReach)
			}
			low, high = p.coordinate(low), p.coordinate(high)
			values[i] = p.value(low + (high-low)*u)
		}
		if err := s.tryKernel(ctx, values); err != nil {
			return err
		}
	}
	return nil
}

// tryKernel adds the trial of a kernel with its best λ.
func (s *search[T]) tryKernel(ctx context.Context, values []float64) error {
	f, err := s.prepare(ctx, values)
	if f == nil {
		return err
	}
	lambda, score, err := s.bestLambda(ctx, f)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	t := Trial{Values: values, Lambda: lambda, Score: score}
	if err != nil {
		t = Trial{Values: values, Failed: err.Error()}
	}
	s.add(t)
	return nil
}
