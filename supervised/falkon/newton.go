package falkon

import (
	"context"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/loss"
)

const (
	// fall is the factor between two penalties of the sequence, firstPenalty the first one
	// beside the mean of k(c, c) times the sum of the weights: far from the minimum steps
	// at a large penalty are safe, and each minimum is close to the next.
	fall, firstPenalty = 0.1, 0.1
	// loosest is the relative residual of a step at first; the root of that of the gradient
	// later, so that steps converge superlinearly (Eisenstat and Walker, Choosing the forcing
	// terms in an inexact Newton method, 1996).
	loosest = 0.1
	// armijo is the part of the predicted decrease that a step must achieve; shortest the
	// step length at which a search ends, shortNewton that below which the parabola above
	// the loss takes over.
	armijo, shortest, shortNewton = 1e-4, 1e-10, 1.0 / 4
	// mostStalled is the number of steps without half the residual after which rounding is
	// held to be the cause.
	mostStalled = 5
	// mostSteps bounds the Newton steps at the last penalty.
	mostSteps = 100
)

// newton minimises a loss other than the squared one: one step at each of a sequence of
// penalties that falls to the ridge, then steps there until the gradient, computed in
// double precision, is below the tolerance.
func (j *job) newton(ctx context.Context, pt *point, ridge float64) (*point, error) {
	var err error
	first := pt == j.start
	for penalty := firstPenalty * j.s.scale * j.total; penalty > ridge/fall && first; penalty *= fall {
		if pt, err = j.descend(ctx, pt, penalty); err != nil {
			return nil, err
		}
	}
	before, least, stalled := math.Inf(1), math.Inf(1), 0
	for step := 0; ; step++ {
		last := j.passesLeft() <= 0 || step == mostSteps
		after := j.relative(pt.negativeGradient(ridge))
		if stalled++; after <= least/2 {
			least, stalled = after, 0
		}
		if stalled == mostStalled {
			j.useDouble(least)
		}
		if (after <= j.report.Tolerance || last) && !pt.precise {
			if err := j.pass(ctx, j.exact, pt, false); err != nil {
				return nil, err
			}
			after = j.relative(pt.negativeGradient(ridge))
		}
		if after <= j.report.Tolerance || last {
			return pt, nil
		}
		if pt.precise {
			if after > before/2 {
				j.useDouble(min(before, after))
			}
			before = after
		}
		next, err := j.descend(ctx, pt, ridge)
		if err != nil {
			return nil, err
		}
		if next == pt && j.k == j.exact { // no way down beyond rounding
			return pt, j.pass(ctx, j.exact, pt, false)
		} else if next == pt {
			j.useDouble(after)
			if err := j.pass(ctx, j.exact, pt, false); err != nil {
				return nil, err
			}
			continue
		}
		pt = next
		if j.held != nil {
			if enough, err := j.held.try(ctx, j, pt); enough || err != nil {
				return j.held.best, j.certify(ctx, err)
			}
		}
	}
}

// certify looks at the best function that validation has seen in double precision.
func (j *job) certify(ctx context.Context, err error) error {
	if err != nil {
		return err
	}
	return j.pass(ctx, j.exact, j.held.best, false)
}

// descend makes a step at a penalty; it returns the function itself where no step leads
// down.
func (j *job) descend(ctx context.Context, pt *point, ridge float64) (*point, error) {
	next, length, err := j.search(ctx, pt, ridge, false)
	if err != nil || next != nil && length >= shortNewton {
		return next, err
	}
	if _, ok := j.loss.(loss.Majorant); !ok || j.passesLeft() <= 0 {
		return orSelf(next, pt), nil
	}
	// Newton's step is too long: one with the parabola above the loss, from here.
	if next != nil {
		pt = next
	}
	if err := j.pass(ctx, j.k, pt, true); err != nil {
		return nil, err
	}
	next, _, err = j.search(ctx, pt, ridge, true)
	if err != nil {
		return nil, err
	}
	if next == nil { // the curvatures of the parabola must not stay
		err = j.pass(ctx, j.k, pt, false)
	}
	return orSelf(next, pt), err
}

func orSelf(next, pt *point) *point {
	if next == nil {
		return pt
	}
	return next
}

// search solves for a step and halves it until the objective falls enough. It returns nil
// where it never does.
func (j *job) search(ctx context.Context, pt *point, ridge float64, majorized bool) (next *point, length float64, err error) {
	rest := pt.negativeGradient(ridge)
	rel := j.relative(rest)
	pre, err := j.precondition(ctx, pt, ridge)
	if err != nil {
		return nil, 0, err
	}
	inner := max(min(loosest, math.Sqrt(rel)), innerFloor, j.report.Tolerance/4/rel)
	step, err := j.direction(ctx, pt, ridge, rest, pre, min(inner, 0.5), majorized)
	if err != nil {
		return nil, 0, err
	}
	if !step.reached {
		j.growSample()
	}
	d := step.d
	decrement := decrement(pt, step, rest)
	if !(decrement > 0) {
		return nil, 0, nil
	}
	from := pt.objective(ridge)
	full := j.moved(pt, d, step.constants, 1)
	if err := j.pass(ctx, j.k, full, false); err != nil {
		return nil, 0, err
	}
	slack := 1e-13 * math.Abs(from)
	if j.k != j.exact {
		slack = 1e-7 * math.Abs(from) // values in single precision
	}
	if full.objective(ridge) <= from-armijo*decrement+slack {
		return full, 1, nil
	}
	for t := 0.5; t >= shortest; t /= 2 {
		part := j.between(pt, full, d, t)
		if part.objective(ridge) <= from-armijo*t*decrement {
			return part, t, j.pass(ctx, j.k, part, false)
		}
	}
	return nil, 0, nil
}

// decrement returns −∇Pᵀd, which a short step gains per unit of its length.
func decrement(pt *point, s *step, rest *mat.Dense) float64 {
	sum := 0.0
	for a := range s.d.RawMatrix().Rows {
		r := rest.RawRowView(a)
		for c, v := range s.d.RawRowView(a) {
			sum += r[c] * v
		}
	}
	for c, v := range s.constants {
		sum += v * pt.slopes[c]
	}
	return sum
}

// between returns the function a part of the way to another, with its value but without
// what a pass finds.
func (j *job) between(pt, full *point, d *mat.Dense, t float64) *point {
	next := &point{gamma: mat.DenseCopyOf(pt.gamma), bias: append([]float64(nil), pt.bias...), eta: mat.DenseCopyOf(pt.eta)}
	next.gamma.Apply(func(a, c int, v float64) float64 { return v + t*d.At(a, c) }, next.gamma)
	for c := range next.bias {
		next.bias[c] += t * (full.bias[c] - pt.bias[c])
	}
	for i := range next.eta.RawMatrix().Rows {
		w := 1.0
		if j.w != nil {
			w = j.w[i]
		}
		row, far := next.eta.RawRowView(i), full.eta.RawRowView(i)
		for c := range row {
			row[c] += t * (far[c] - row[c])
		}
		if w > 0 {
			next.value += w * j.lossAt(i, row)
		}
	}
	return next
}
