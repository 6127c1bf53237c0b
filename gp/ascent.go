package gp

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"
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
// It ends when so many evaluations in a row have together not added settled to the log evidence, which is less
// than any difference between kernels that the data could tell. They are more than a line search takes.
const (
	patience = 8
	settled  = 0.01
)

// ascent evaluates −(log evidence) at unbounded z, c = mid + h·tanh((z − mid)/h) with h
// half the width between the bounds, and remembers the last point, because the
// optimiser asks for the value and the gradient separately.
type ascent[T any] struct {
	s         *search[T]
	ctx       context.Context
	mid, half []float64
	z         []float64
	f         float64
	grad      []float64
	best      *found
	gain      gain
	err       error
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
func (a *ascent[T]) at(z []float64) {
	if a.err != nil || slices.Equal(z, a.z) {
		return
	}
	a.z = slices.Clone(z)
	c, slope := make([]float64, len(z)), make([]float64, len(z))
	for i, v := range z {
		t := math.Tanh((v - a.mid[i]) / a.half[i])
		c[i], slope[i] = a.mid[i]+a.half[i]*t, 1-t*t
	}
	a.s.report.Evaluations++
	var value float64
	var grad []float64
	value, grad, a.err = a.s.evaluate(a.ctx, c)
	if a.grad = make([]float64, len(z)); a.err != nil || math.IsInf(value, -1) {
		a.f = math.Inf(1)
		return
	}
	a.gain.see(value)
	if a.best == nil || value > a.best.value {
		a.best = &found{c: c, grad: grad, value: value}
	}
	a.f = -value
	for i, g := range grad {
		a.grad[i] = -g * slope[i]
	}
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
	problem := optimize.Problem{
		Func: func(z []float64) float64 { a.at(z); return a.f },
		Grad: func(grad, z []float64) { a.at(z); copy(grad, a.grad) },
		Status: func() (optimize.Status, error) {
			if a.err != nil {
				return optimize.Failure, a.err
			}
			if s.o.Solver == CG && a.gain.idle >= patience {
				return optimize.FunctionConvergence, nil
			}
			return optimize.NotTerminated, nil
		},
	}
	settings := &optimize.Settings{GradientThreshold: flat, FuncEvaluations: evaluations,
		Converger: &optimize.FunctionConverge{Absolute: 1e-10, Relative: 1e-13, Iterations: 5}}
	result, err := optimize.Minimize(problem, z, settings, &optimize.LBFGS{})
	if a.err != nil {
		return nil, a.err
	}
	if result != nil {
		s.report.Iterations += result.MajorIterations
	}
	if a.best != nil {
		a.best.converged = err != nil || result.Status != optimize.FunctionEvaluationLimit
	}
	return a.best, nil
}
