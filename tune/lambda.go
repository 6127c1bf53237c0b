package tune

import (
	"context"
	"fmt"
	"math"
)

// Range is an interval of positive numbers. With a Start, which must be inside, the
// first descent of [Gradient] begins exactly there and at the starts of the
// parameters, and so does [Compass]; without one it begins at the best of some coarse trials.
// Without bounds it is 1e-10 … 100 times the mean of k(x, x).
type Range struct{ Lower, Upper, Start float64 }

// check returns why λ cannot be searched there.
func (r Range) check() error {
	if (r.Lower != 0 || r.Upper != 0) && !(r.Lower > 0 && r.Lower < r.Upper && !math.IsInf(r.Upper, 1)) {
		return fmt.Errorf("tune: the range of λ, %v to %v, must be positive, finite and ascending", r.Lower, r.Upper)
	}
	if r.Start != 0 && r.Upper != 0 && !(r.Lower <= r.Start && r.Start <= r.Upper) || r.Start < 0 || math.IsNaN(r.Start) || math.IsInf(r.Start, 1) {
		return fmt.Errorf("tune: λ starts at %v, outside its range", r.Start)
	}
	return nil
}

// orDefault returns the range, or where it has no bounds that for a kernel whose k(x, x) is so
// large in the mean, around its start.
func (r Range) orDefault(diagonal float64) Range {
	if r.Upper != 0 {
		return r
	}
	of := RangeFor(diagonal)
	if of.Start = r.Start; r.Start > 0 {
		of.Lower, of.Upper = min(of.Lower, r.Start), max(of.Upper, r.Start)
	}
	return of
}

// RangeFor returns the range of λ for a kernel whose k(x, x) is so large in the mean: from 1e-10
// to 100 of it.
func RangeFor(diagonal float64) Range {
	if !(diagonal > 0) || math.IsInf(diagonal, 1) {
		diagonal = 1
	}
	return Range{Lower: 1e-10 * diagonal, Upper: 100 * diagonal}
}

// Edge returns the end of the range at which λ lies; ok is false where it is within.
func (r Range) Edge(lambda float64) (end float64, ok bool) {
	for _, end := range []float64{r.Lower, r.Upper} {
		if near(lambda, end) {
			return end, true
		}
	}
	return 0, false
}

// near reports whether a value lies on a bound, to the precision of a search.
func near(v, bound float64) bool { return math.Abs(v-bound) <= 0.02*math.Abs(bound) }

// perDecade is the number of values of λ in a decade of a grid.
const perDecade = 2

// lambdas returns a geometric grid over the range, both ends included.
func (r Range) lambdas() []float64 {
	steps := max(1, int(math.Ceil(math.Log10(r.Upper/r.Lower)*perDecade-1e-9)))
	out := make([]float64, steps+1)
	for i := range out {
		out[i] = r.Lower * math.Pow(r.Upper/r.Lower, float64(i)/float64(steps))
	}
	return out
}

// curve is the score as a function of λ for one kernel; failed says why a λ has none. Many at once
// are cheaper than one by one.
type curve func(ctx context.Context, lambdas []float64) (scores []float64, failed []error)

// alongLambda is the curve of a method whose only parameter is λ. A score that is no number has the
// largest loss.
func (s Scorer) alongLambda(ctx context.Context, lambdas []float64) ([]float64, []error) {
	scores, failed, values := make([]float64, len(lambdas)), make([]error, len(lambdas)), make([][]float64, len(lambdas))
	for i, l := range lambdas {
		values[i] = []float64{l}
	}
	found, err := s(ctx, values, 1)
	for i := range lambdas {
		if scores[i], failed[i] = math.NaN(), err; err == nil {
			scores[i], failed[i] = found[i].Value, found[i].Failed
		}
	}
	return scores, failed
}

// lambdaPrecision is the relative precision to which an optimal λ is found; the
// criterion is flat there.
const lambdaPrecision = 0.01

// bestLambda minimises the loss of a curve over a range of λ: by the grid, and by golden
// section between the neighbours of its best point. It returns the last error if λ fails
// everywhere.
func bestLambda(ctx context.Context, f curve, over Range, signed func(score float64) float64) (lambda, score float64, err error) {
	loss := func(score float64) float64 {
		if math.IsNaN(score) {
			return math.Inf(1)
		}
		return signed(score)
	}
	grid := over.lambdas()
	scores, failed := f(ctx, grid)
	if ctx.Err() != nil {
		return 0, 0, ctx.Err()
	}
	at := -1
	for i, v := range scores {
		if failed[i] != nil {
			err = failed[i]
		} else if at < 0 || loss(v) < loss(scores[at]) {
			at = i
		}
	}
	if at < 0 {
		return 0, 0, err
	}
	lambda, score = grid[at], scores[at]
	try := func(logarithm float64) float64 {
		l := math.Exp(logarithm)
		v, _ := f(ctx, []float64{l})
		if loss(v[0]) < loss(score) {
			lambda, score = l, v[0]
		}
		return loss(v[0])
	}
	a, b := math.Log(grid[max(0, at-1)]), math.Log(grid[min(len(grid)-1, at+1)])
	x, y := b-(b-a)/math.Phi, a+(b-a)/math.Phi
	fx, fy := try(x), try(y)
	for b-a > lambdaPrecision {
		if ctx.Err() != nil {
			return 0, 0, ctx.Err()
		}
		if fx <= fy {
			b, y, fy = y, x, fx
			x = b - (b-a)/math.Phi
			fx = try(x)
		} else {
			a, x, fx = x, y, fy
			y = a + (b-a)/math.Phi
			fy = try(y)
		}
	}
	return lambda, score, nil
}
