package erm

import (
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/loss"
)

// Work is the size of a fit, all that a plan needs.
type Work struct {
	Rows     int // n
	Columns  int // numbers in a point, d; 0 where points are not vectors
	Features int // dimension D of the kernel's feature map; 0: none
	Losses   []loss.Loss
	Solver   Solver
	Limit    int64 // of memory, in bytes; 0: none
}

// steps are the weighted ridge regressions that a loss is assumed to take.
func (w Work) steps(primal bool) (steps int) {
	for _, l := range w.Losses {
		switch l.(type) {
		case loss.Nonconvex:
			d := w.Rows
			if primal {
				d = w.Features
			}
			steps += 40 + 2*starts(w.Rows, d)
		case loss.Piecewise:
			steps += 15
		case loss.Scalable:
			steps += 30
		case loss.Squared:
			steps += 2
		default:
			steps += 8
		}
	}
	return steps
}

// Plan predicts stages, memory and time of [Fit] on a machine whose PairRate is that of
// the bound kernel, with the other solver as the alternative.
func Plan(w Work, m compute.Machine) compute.Plan {
	primal := w.Solver == Primal || w.Solver != Cholesky && w.Features > 0 && w.Features < w.Rows
	p := w.plan(primal, m)
	if w.Features > 0 {
		p.Alternatives = append(p.Alternatives, w.plan(!primal, m))
	}
	return p
}

// held reports whether the features of all rows are.
func (w Work) held() bool { return compute.FitsInMemory(8*int64(w.Rows)*int64(w.Features), w.Limit) }

// Maps is how often the features of a row are computed: for their mean and once more where they
// are held, else to weigh them and for a gradient in each step.
func (w Work) Maps() int {
	if w.held() {
		return 2
	}
	return 1 + 2*w.steps(true)
}

// plan predicts one solver.
func (w Work) plan(primal bool, m compute.Machine) compute.Plan {
	solver, step, stages := Cholesky, compute.FactorCost(w.Rows, m), []compute.Cost(nil)
	if primal {
		solver, step = Primal, gram.PrimalCost(w.Rows, w.Features, 1, m)
		if !w.held() {
			step.Memory -= 8 * int64(w.Rows) * int64(w.Features)
		}
	} else {
		if w.Columns > 0 {
			stages = append(stages, compute.BindCost(w.Rows, w.Columns, m))
		}
		stages = append(stages, gram.DenseGramCost(w.Rows, m))
	}
	steps := w.steps(primal)
	step.Stage = fmt.Sprintf("minimise (%d steps)", steps)
	step.Flops *= float64(steps)
	step.Seconds *= float64(steps)
	step.Memory += 8 * 64 * int64(w.Rows) // values, gradients, directions, sides of a programme
	p := compute.NewPlan(string(solver), m, append(stages, step)...)
	p.Hint = "--solver " + string(solver)
	p.Notes = append(p.Notes, fmt.Sprintf("the losses are assumed to take %d weighted ridge regressions; a small λ takes more", steps))
	return p
}
