package tune

import (
	"context"
	"fmt"
	"math"
	"slices"
)

// Steps of a compass search: λ by √10 and a positive parameter of the kernel by √2, as on a grid,
// and any other by a part of its range.
const (
	lambdaStep  = 3.1622776601683795
	kernelStep  = math.Sqrt2
	linearParts = 12
)

// mostMoves bounds a compass search, whose score may be noise, and leastGain is what a move must
// gain, as a part of the score, for another: along a λ that does not matter it would go on to the
// end of its range.
const (
	mostMoves = 20
	leastGain = 1e-4
)

// compass goes from the start to the nearest minimum on a grid that is not computed as a whole:
//
//  1. It begins at the start of every parameter of the kernel, and at the start of λ, or without
//     one at the best λ of that kernel.
//  2. It tries λ a step to either side, and then every parameter of the kernel a step to either
//     side, with λ and its neighbours: a wider kernel has its best λ elsewhere. Nothing is tried
//     twice.
//  3. It moves to the best of these, and goes on from 2 until none is better by 10⁻⁴ of it.
//
// Near a known optimum that is a handful of kernels with a few λ each, which need
// no decomposition. It is pattern search: Hooke and Jeeves (1961); Kolda, Lewis and Torczon,
// Optimization by direct search, SIAM Review 45, 2003, section 3.
func (s *search[T]) compass(ctx context.Context) error {
	kernels, lambdas := s.space.compassRound()
	s.budget = kernels * lambdas
	c := &compassSearch[T]{search: s, start: append(s.space.starts(), s.space.Lambda.Start), tried: map[string]bool{}}
	last, at := len(c.start)-1, make([]int, len(c.start))
	if c.start[last] == 0 {
		if err := s.tryPath(ctx, c.start[:last]); err != nil || s.best < 0 {
			return err
		}
		c.start[last], s.at = s.trials[s.best].Values[last], nil // anew, as after a search that goes on
		c.best = at
		c.tried[fmt.Sprint(at)] = true
	}
	for range mostMoves {
		before := c.loss()
		next, err := c.move(ctx, at)
		if err != nil || slices.Equal(next, at) || before-c.loss() < leastGain*math.Abs(before) {
			return err
		}
		at = next
	}
	return nil
}

// loss is that of the best trial, without a bound where there is none.
func (c *compassSearch[T]) loss() float64 {
	if c.search.best < 0 {
		return math.MaxFloat64
	}
	return c.scale.loss(c.trials[c.search.best].Score)
}

// compassRound returns the kernels and the λ for each with which a compass search is planned: every
// neighbour of the start, and a move.
func (f *Free) compassRound() (kernels, lambdas int) { return 2 + 2*len(f.Parameters), 3 }

// compassSearch is a search on the grid around its start. A place has the steps of every parameter
// of the kernel, and of λ last.
type compassSearch[T any] struct {
	*search[T]
	start []float64
	tried map[string]bool
	best  []int // place of the best trial
}

// move tries the neighbours of a place, and returns the best place so far.
func (c *compassSearch[T]) move(ctx context.Context, at []int) ([]int, error) {
	if err := c.along(ctx, at); err != nil || c.best == nil {
		return at, err
	}
	at = c.best
	for i := range len(at) - 1 {
		for _, step := range []int{-1, 1} {
			next := slices.Clone(at)
			next[i] += step
			if err := c.along(ctx, next); err != nil {
				return nil, err
			}
		}
	}
	return c.best, nil
}

// along tries the kernel of a place with its λ and the two beside it, as far as they are within
// the bounds and were not tried before.
func (c *compassSearch[T]) along(ctx context.Context, at []int) error {
	last := len(at) - 1
	x := candidate{kernel: make([]float64, last), share: 1}
	for i := range x.kernel {
		if x.kernel[i] = c.space.Parameters[i].steps(c.start[i], at[i]); !within(x.kernel[i], c.space.Parameters[i].Lower, c.space.Parameters[i].Upper) {
			return nil
		}
	}
	var places [][]int
	for _, step := range []int{-1, 0, 1} {
		place := slices.Clone(at)
		place[last] += step
		lambda, key := c.start[last]*math.Pow(lambdaStep, float64(place[last])), fmt.Sprint(place)
		if c.tried[key] || !within(lambda, c.space.Lambda.Lower, c.space.Lambda.Upper) {
			continue
		}
		c.tried[key] = true
		places, x.method = append(places, place), append(x.method, []float64{lambda})
	}
	if x.method == nil {
		return nil
	}
	first, before := len(c.trials), c.search.best
	err := c.try(ctx, x)
	if err == nil && c.search.best != before {
		c.best = places[c.search.best-first]
	}
	return err
}

// steps returns the value so many steps from a start.
func (p *Parameter) steps(start float64, steps int) float64 {
	if p.Positive {
		return start * math.Pow(kernelStep, float64(steps))
	}
	return start + float64(steps)*(p.Upper-p.Lower)/linearParts
}

// within reports whether a value is between bounds, but for rounding.
func within(v, lower, upper float64) bool {
	if lower > 0 { // λ may run over twelve decades
		return lower*(1-1e-12) <= v && v <= upper*(1+1e-12)
	}
	slack := 1e-12 * math.Max(math.Abs(lower), math.Abs(upper))
	return lower-slack <= v && v <= upper+slack
}
