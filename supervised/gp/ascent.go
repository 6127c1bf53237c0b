package gp

import (
	"context"
	"math"
	"slices"

	"example.org/mercer/internal/lbfgs"
)

// found is the best point of one search.
type found struct {
	c, grad   []float64 // coordinates, and the gradient of the log evidence there
	value     float64   // log evidence
	converged bool
}

// flat is the derivative of the log evidence by a logarithm below which a search ends.
const flat = 1e-5

// A search by products has a value and a derivative that agree up to the chance of the probes.
// It ends when so many evaluations in a row have together not added settled to the log evidence,
// which is less than any difference between kernels that the data could tell. They are more than a
// line search takes.
const (
	patience = 8
	settled  = 0.01
)

// ascent evaluates −(log evidence) at unbounded z, c = mid + h·tanh((z − mid)/h) with h
// half the width between the bounds.
type ascent[T any] struct {
	s         *search[T]
	ctx       context.Context
	mid, half []float64
	best      *found
	gain      gain
}

// gain counts the evaluations since the largest value has grown by settled, by one of them or by
// several together.
type gain struct {
	from float64 // the value that is to be exceeded
	any  bool    // whether there was a value
	idle int
}

func (g *gain) see(value float64) {
	if g.idle++; !g.any || value > g.from+settled {
		*g = gain{from: value, any: true}
	}
}

func (s *search[T]) newAscent(ctx context.Context) *ascent[T] {
	a := &ascent[T]{s: s, ctx: ctx}
	for i := range s.report.Parameters {
		p := &s.report.Parameters[i]
		low, high := p.coordinate(p.Lower), p.coordinate(p.Upper)
		a.mid, a.half = append(a.mid, (low+high)/2), append(a.half, (high-low)/2)
	}
	return a
}

// at evaluates at z. Where there is no kernel or no factor the objective is +Inf, and the
// line search turns back.
func (a *ascent[T]) at(z []float64) (float64, []float64, error) {
	c, slope := make([]float64, len(z)), make([]float64, len(z))
	for i, v := range z {
		t := math.Tanh((v - a.mid[i]) / a.half[i])
		c[i], slope[i] = a.mid[i]+a.half[i]*t, 1-t*t
	}
	a.s.report.Evaluations++
	value, grad, err := a.s.evaluate(a.ctx, c)
	if err != nil || math.IsInf(value, -1) {
		return math.Inf(1), nil, err
	}
	a.gain.see(value)
	if a.best == nil || value > a.best.value {
		a.best = &found{c: c, grad: grad, value: value}
	}
	down := make([]float64, len(z))
	for i, g := range grad {
		down[i] = -g * slope[i]
	}
	return -value, down, nil
}

// ascend runs one search; nil: its start has no evidence. That it ends by a line search
// that finds nothing better, as at the precision of the evidence, is no failure.
func (s *search[T]) ascend(ctx context.Context, start []float64) (*found, error) {
	a := s.newAscent(ctx)
	z := slices.Clone(start)
	for i, v := range start {
		t := min(max((v-a.mid[i])/a.half[i], -0.99), 0.99)
		z[i] = a.mid[i] + a.half[i]*math.Atanh(t)
	}
	evaluations := s.o.Evaluations
	if evaluations <= 0 {
		evaluations = 50 + 10*len(z)
	}
	r, err := lbfgs.Minimize(z, a.at, lbfgs.Options{Gradient: flat, Evaluations: evaluations, Absolute: 1e-10, Relative: 1e-13, Unchanged: 5,
		Enough: func() bool { return s.o.Solver == CG && a.gain.idle >= patience }})
	if err != nil {
		return nil, err
	}
	s.report.Iterations += r.Steps
	if a.best != nil {
		a.best.converged = !r.Limit
	}
	return a.best, nil
}
