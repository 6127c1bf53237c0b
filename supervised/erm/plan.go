package erm

import (
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/loss"
	"example.org/mercer/space"
)

// Work is the size of a fit, all that a plan needs.
type Work struct {
	Rows     int // n
	Columns  int // numbers in a point, d; 0 where points are not vectors
	Features int // dimension D of the kernel's feature map; 0: none
	Losses   []loss.Loss
	Solver   Solver
	// Precision of the factors or of most products; Primal ignores it.
	Precision compute.Precision
	Limit     int64 // of memory, in bytes; 0: none
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
	primal := w.Features > 0 && w.Solver.InFeatures(w.Features, w.Rows)
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
	solver, steps := w.Solver, w.steps(primal)
	vectors := 8 * 64 * int64(w.Rows) // values, gradients, directions, sides of a programme
	var stages []compute.Cost
	var notes []string
	if primal {
		step := gram.PrimalCost(w.Rows, w.Features, 1, m)
		if !w.held() {
			step.Memory -= 8 * int64(w.Rows) * int64(w.Features)
		}
		step.Stage = fmt.Sprintf("minimise (%d steps)", steps)
		step.Flops *= float64(steps)
		step.Seconds *= float64(steps)
		solver, stages = Primal, append(stages, step)
	} else {
		if solver != Packed && solver != CG {
			solver = Cholesky
		}
		stages, notes = space.Systems{Rows: w.Rows, Columns: w.Columns, Solver: solver, Precision: w.Precision, Count: steps, Sides: 2, Limit: w.Limit}.Costs(m)
	}
	stages[len(stages)-1].Memory += vectors
	p := compute.NewPlan(string(solver), m, stages...)
	p.Hint = "--solver " + string(solver)
	p.Notes = append(p.Notes, notes...)
	p.Notes = append(p.Notes, fmt.Sprintf("the losses are assumed to take %d weighted ridge regressions; a small λ takes more", steps))
	return p
}
