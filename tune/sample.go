package tune

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// mostKernels bounds a grid.
const mostKernels = 100_000

// gridValues is the number of values of a parameter in a grid by default.
const gridValues = 13

// grid tries every combination of the values of the parameters with every λ, and
// prefers flat minima: see [search.smoothest].
func (s *search[T]) grid(ctx context.Context) error {
	count := s.o.Trials
	if count == 0 {
		count = gridValues
	}
	axes, kernels := make([][]float64, len(s.space.Parameters)), 1
	for i := range axes {
		axes[i] = s.space.Parameters[i].axis(count)
		kernels *= len(axes[i])
		if kernels > mostKernels {
			return fmt.Errorf("tune: a grid over %d parameters with %d values each has more than %d kernels: use method %q or %q", len(axes), count, mostKernels, Random, Gradient)
		}
	}
	lambdas := s.o.Lambda.lambdas()
	s.budget = kernels * len(lambdas)
	for at := range kernels {
		values := make([]float64, len(axes))
		for i, rest := len(axes)-1, at; i >= 0; i-- {
			values[i] = axes[i][rest%len(axes[i])]
			rest /= len(axes[i])
		}
		if err := s.tryLambdas(ctx, values, lambdas); err != nil {
			return err
		}
	}
	var lengths []int
	for _, a := range axes {
		lengths = append(lengths, len(a))
	}
	s.smoothest(append(lengths, len(lambdas)))
	return nil
}

// tryLambdas adds a trial of one kernel for each λ.
func (s *search[T]) tryLambdas(ctx context.Context, values, lambdas []float64) error {
	scores, failed := make([]float64, len(lambdas)), make([]error, len(lambdas))
	all, err := s.recall(ctx, "kernel", scores, nil, func() error {
		f, err := s.prepare(ctx, values)
		if err != nil {
			return err
		}
		var found []float64
		found, failed = f(ctx, lambdas)
		copy(scores, found)
		return nil
	})
	if err != nil {
		return err
	}
	if all != nil {
		failed = slices.Repeat([]error{all}, len(lambdas))
	}
	for i, l := range lambdas {
		t := Trial{Values: values, Lambda: l}
		if failed[i] == nil {
			t.Score = scores[i]
		} else {
			t.Failed = failed[i].Error()
		}
		s.add(t)
	}
	return nil
}

// smoothWeight is the share of each of the two neighbours on an axis: with 2/3 for the
// node itself, the values of a cubic B-spline.
const smoothWeight = 1. / 6

// smoothest makes the best trial that with the least loss averaged over its
// neighbours in the grid, along one axis after the other. A criterion computed from
// few rows is itself a noisy estimate, and the deepest of many minima is often one
// by luck (Cawley & Talbot, On over-fitting in model selection and subsequent
// selection bias, JMLR 11, 2010); one that its neighbours share is not. Losses that
// are errors are averaged as logarithms. Where a neighbour is missing or has failed,
// the node stands in for it.
func (s *search[T]) smoothest(lengths []int) {
	loss := make([]float64, len(s.trials))
	for i, t := range s.trials {
		loss[i] = math.Inf(1)
		if t.Failed == "" {
			loss[i] = s.loss(t.Score)
			if s.isError() {
				loss[i] = math.Log(loss[i])
			}
		}
	}
	stride := 1
	for axis := len(lengths) - 1; axis >= 0; axis-- {
		smooth := slices.Clone(loss)
		for i, own := range loss {
			if math.IsInf(own, 0) {
				continue
			}
			at := i / stride % lengths[axis]
			for _, step := range []int{-1, 1} {
				if to := at + step; to >= 0 && to < lengths[axis] && !math.IsInf(loss[i+step*stride], 0) {
					smooth[i] += smoothWeight * (loss[i+step*stride] - own)
				}
			}
		}
		loss = smooth
		stride *= lengths[axis]
	}
	for i, l := range loss {
		if s.trials[i].Failed == "" && l < loss[s.best] {
			s.best = i
		}
	}
}

// isError reports whether the criterion is a positive error.
func (s *search[T]) isError() bool {
	switch s.o.Criterion {
	case Evidence:
		return false
	case CV:
		return !s.o.Score.LargerIsBetter()
	}
	return true
}

// axis returns the values of a grid: the start times powers of √2 on either side where
// positive, else equal steps between the bounds; within the bounds, ascending.
func (p *Parameter) axis(count int) []float64 {
	var out []float64
	for i := range count {
		v := p.Start
		switch {
		case p.Positive:
			v *= math.Exp2(float64(i-(count-1)/2) / 2)
		case count > 1:
			v = p.Lower + (p.Upper-p.Lower)*float64(i)/float64(count-1)
		}
		out = append(out, min(max(v, p.Lower), p.Upper))
	}
	return slices.Compact(out)
}

// prepare builds a kernel and its curve.
func (s *search[T]) prepare(ctx context.Context, values []float64) (curve, error) {
	k, err := s.space.Build(values)
	if err != nil {
		return nil, err
	}
	if s.space.Features != nil {
		return s.featureCurve(ctx, k)
	}
	if err := s.gramOf(ctx, k); err != nil {
		return nil, err
	}
	return s.curveOf(ctx)
}

// randomReach is how far, as a factor, random search goes from a positive start.
const randomReach = 32

// randomKernels is the number of kernels that random search tries by default.
const randomKernels = 40

// random tries the start, and then kernels whose parameters are drawn independently:
// log-uniform within a factor of 32 of a positive start, uniform between the bounds
// otherwise. Each gets its best λ.
func (s *search[T]) random(ctx context.Context) error {
	count := cmp.Or(s.o.Trials, randomKernels)
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

// tryKernel adds the trial of a kernel with its best λ. Values that make no kernel, or
// one whose Gram matrix cannot be used, make a failed trial, not an error.
func (s *search[T]) tryKernel(ctx context.Context, values []float64) error {
	best := make([]float64, 2) // score and λ
	failed, err := s.recall(ctx, "kernel", best[:1], best[1:], func() error {
		f, err := s.prepare(ctx, values)
		if err == nil {
			best[1], best[0], err = bestLambda(ctx, f, s.o.Lambda, s.loss)
		}
		return err
	})
	if err != nil {
		return err
	}
	t := Trial{Values: values, Score: best[0], Lambda: best[1]}
	if failed != nil {
		t = Trial{Values: values, Failed: failed.Error()}
	}
	s.add(t)
	return nil
}
