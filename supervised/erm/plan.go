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

// steps are the weighted ridge regressions that all losses are assumed to take.
func (w Work) steps(primal bool) (steps int) {
	for _, l := range w.Losses {
		steps += w.stepsOf(l, primal)
	}
	return steps
}

// stepsOf are those of one loss.
func (w Work) stepsOf(l loss.Loss, primal bool) int {
	switch l.(type) {
	case loss.Nonconvex:
		d := w.Rows
		if primal {
			d = w.Features
		}
		return 40 + 2*starts(w.Rows, d)
	case loss.Piecewise:
		return 15
	case loss.Scalable:
		return 30
	case loss.Squared:
		return 2
	default:
		return 8
	}
}

// Plan predicts stages, memory and time of [Fit] on a machine whose PairRate is that of
// the bound kernel, with the other solver as the alternative.
func Plan(w Work, m compute.Machine) compute.Plan {
	primal := w.Features > 0 && w.Solver.InFeatures(w.Features, w.Rows)
	vectors := 8 * rowNumbers * int64(w.Rows)
	rows := space.Systems{Rows: w.Rows, Columns: w.Columns, Solver: w.Solver, Precision: w.Precision, Count: w.steps(false), Sides: 2, Limit: w.Limit}.Plans(m, func(_ space.Systems, stages []compute.Cost) []compute.Cost {
		stages[len(stages)-1].Memory += vectors
		return stages
	})
	for i := range rows {
		rows[i] = rows[i].AsRough(assumed(w.steps(false)))
	}
	var features *compute.Plan
	if w.Features > 0 {
		features = w.inFeatures(vectors, m)
	}
	return space.PlanOf(features, primal, rows)
}

// assumed says how many regressions a plan counts.
func assumed(steps int) string {
	return fmt.Sprintf("the losses are assumed to take %d weighted ridge regressions; a small λ takes more", steps)
}

// held reports whether the features of all rows are.
func (w Work) held() bool { return compute.FitsInMemory(8*int64(w.Rows)*int64(w.Features), w.Limit) }

// Maps is how often the features of a row are computed: for their mean and once more where they
// are held, else in passes, which losses share that are sought together.
func (w Work) Maps() int {
	if w.held() {
		return 2
	}
	sum, longest := 0, 0
	for _, l := range w.Losses {
		passes := 2 * w.stepsOf(l, true) // weights with a gradient, and values
		if _, ok := l.(loss.Piecewise); ok {
			passes = 5*w.stepsOf(l, true) + crossoverPasses
		}
		sum, longest = sum+passes, max(longest, passes)
	}
	return 1 + max(longest, sum/w.together())
}

// together is how many losses share their passes.
func (w Work) together() int {
	return min(len(w.Losses), space.MostConcurrent(w.Features, 8*rowNumbers*int64(w.Rows), w.Limit))
}

// inFeatures predicts the fit in the features of the kernel.
func (w Work) inFeatures(vectors int64, m compute.Machine) *compute.Plan {
	steps, step := w.steps(true), gram.PrimalCost(w.Rows, w.Features, 1, m)
	if !w.held() {
		step.Memory -= 8 * int64(w.Rows) * int64(w.Features)
		step.Memory += int64(w.together()-1) * (vectors + space.WeighBytes(w.Features))
	}
	step.Stage = fmt.Sprintf("minimise (%d steps)", steps)
	step.Flops *= float64(steps)
	step.Seconds *= float64(steps)
	step.Memory += vectors
	p := compute.NewPlan(string(Primal), m, step)
	p.Hint = "--solver " + string(Primal)
	p = p.AsRough(assumed(steps))
	return &p
}
