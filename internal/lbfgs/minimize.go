// Package lbfgs minimises smooth functions whose evaluations take long, by L-BFGS: the
// optimiser of gonum, which asks for value and gradient one after the other and fails in more ways
// than a search in doubt should.
package lbfgs

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

// Function returns a value, +Inf where there is none, so that a line search turns back, and the
// gradient there, which is not used then. What it leaves behind must be determined by the points
// so far: a search that is started again asks for the same points in the same order, so that its
// evaluations may be steps of a checkpoint. An error ends the search.
type Function func(z []float64) (value float64, grad []float64, err error)

// Options say when a search ends. The zero value of a field sets no end.
type Options struct {
	Evaluations int     // at most so many
	Steps       int     // at most so many, each of some evaluations
	Gradient    float64 // where no derivative is larger
	// Where a value has not changed by Absolute + Relative·|value| for so many steps.
	Absolute, Relative float64
	Unchanged          int
	Enough             func() bool // where it says so, after an evaluation
	// Stepped, if not nil, is called with of the start and of where every step has ended, which is
	// the point that was evaluated last.
	Stepped func(z []float64) error
}

// Result says how a search ended.
type Result struct {
	Steps int
	Limit bool // it was cut off by the number of evaluations
	// Stuck says why a line search found nothing better, as at the precision of the values: that is
	// for the caller to judge, and no failure of the search.
	Stuck error
}

// Minimize goes down from a start. The error is that of f or of Stepped.
func Minimize(start []float64, f Function, o Options) (Result, error) {
	s := &search{f: f, o: o, unchanged: optimize.FunctionConverge{Absolute: o.Absolute, Relative: o.Relative, Iterations: o.Unchanged}}
	problem := optimize.Problem{
		Func: func(z []float64) float64 { s.at(z); return s.value },
		Grad: func(grad, z []float64) { s.at(z); copy(grad, s.grad) },
		Status: func() (optimize.Status, error) {
			switch {
			case s.err != nil:
				return optimize.Failure, s.err
			case o.Enough != nil && o.Enough():
				return optimize.FunctionConvergence, nil
			}
			return optimize.NotTerminated, nil
		},
	}
	settings := &optimize.Settings{FuncEvaluations: o.Evaluations, GradientThreshold: math.NaN(), Converger: s}
	found, err := optimize.Minimize(problem, start, settings, &optimize.LBFGS{})
	if s.err != nil {
		return Result{}, s.err
	}
	limit := err == nil && found.Status == optimize.FunctionEvaluationLimit
	return Result{Steps: max(0, s.told-1), Limit: limit, Stuck: err}, nil
}

// search remembers the last evaluation.
type search struct {
	f         Function
	o         Options
	unchanged optimize.FunctionConverge
	told      int // the start and the steps
	z         []float64
	value     float64
	grad      []float64
	err       error
}

func (s *search) at(z []float64) {
	if s.err != nil || slices.Equal(z, s.z) {
		return
	}
	s.z = slices.Clone(z)
	if s.value, s.grad, s.err = s.f(s.z); s.err != nil {
		s.value = math.Inf(1)
	}
	if math.IsInf(s.value, 1) {
		s.grad = make([]float64, len(z))
	}
}

// Init and Converged make an [optimize.Converger], which is asked at the start and after every
// step.
func (s *search) Init(dim int) { s.unchanged.Init(dim) }

// Converged says whether the search ends here.
func (s *search) Converged(at *optimize.Location) optimize.Status {
	s.told++
	if s.o.Stepped != nil && s.err == nil {
		s.err = s.o.Stepped(at.X)
	}
	switch {
	case s.err != nil:
		return optimize.Failure
	case floats.Norm(at.Gradient, math.Inf(1)) < s.o.Gradient:
		return optimize.GradientThreshold
	case s.o.Steps > 0 && s.told > s.o.Steps:
		return optimize.IterationLimit
	case s.o.Unchanged > 0:
		return s.unchanged.Converged(at)
	}
	return optimize.NotTerminated
}
