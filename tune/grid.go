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

// grid tries every combination of the values of the kernel with every set of values of the
// method. Where λ is followed it prefers flat minima: see [search.smoothest].
func (s *search[T]) grid(ctx context.Context) error {
	axes, kernels := s.space.grid(s.o.Trials), 1
	for _, values := range axes {
		if kernels *= len(values); kernels > mostKernels {
			return fmt.Errorf("tune: a grid over %d parameters with %d values each has more than %d kernels: search by %q", len(axes), len(values), mostKernels, slices.DeleteFunc(slices.Clone(s.space.Strategies()), func(x Strategy) bool { return x == Auto || x == Grid }))
		}
	}
	var own [][]float64
	for _, a := range s.space.Axes {
		own = append(own, a.Values)
	}
	if s.space.Lambda != nil {
		own = append(own, s.space.Lambda.lambdas())
	}
	sets := combinations(own)
	s.budget = kernels * len(sets)
	for _, values := range combinations(axes) {
		if err := s.try(ctx, candidate{kernel: values, method: sets, share: 1}); err != nil {
			return err
		}
	}
	if s.space.Lambda != nil {
		var lengths []int
		for _, a := range slices.Concat(axes, own) {
			lengths = append(lengths, len(a))
		}
		s.smoothest(lengths)
	}
	return nil
}

// grid returns the values of every parameter of the kernel: powers of 2 around its start, or of √2
// where all λ of a kernel cost little more than one.
func (f *Free) grid(count int) [][]float64 {
	out := make([][]float64, len(f.Parameters))
	for i := range out {
		if f.Lambda != nil {
			count := cmp.Or(count, pathGridValues)
			out[i] = f.Parameters[i].grid(count, (count-1)/2, 2)
		} else {
			count := cmp.Or(count, gridValues)
			out[i] = f.Parameters[i].grid(count, count/2, 1)
		}
	}
	return out
}

// grid returns count values: the start times powers of 2, some of them below it and so many an
// octave, or for a parameter that is not positive equal steps between the bounds; within the
// bounds, ascending.
func (p *Parameter) grid(count, below, perOctave int) []float64 {
	var out []float64
	for i := range count {
		v := p.Start
		switch {
		case p.Positive:
			v *= math.Exp2(float64(i-below) / float64(perOctave))
		case count > 1:
			v = p.Lower + (p.Upper-p.Lower)*float64(i)/float64(count-1)
		}
		out = append(out, min(max(v, p.Lower), p.Upper))
	}
	return slices.Compact(out)
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
			loss[i] = s.scale.loss(t.Score)
			if s.scale.Errors {
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
