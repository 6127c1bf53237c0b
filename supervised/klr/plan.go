package klr

import (
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

// Work is the size of a fit, all that a plan needs.
type Work struct {
	Rows     int // n
	Columns  int // numbers in a point, d; 0 where points are not vectors
	Features int // dimension D of the kernel's feature map; 0: none
	Classes  int
	LOO      bool
	Solver   Solver
	Limit    int64 // of memory, in bytes; 0: none
}

const (
	// assumedSteps of Newton's method stand in a plan; a small λ takes up to twice as
	// many.
	assumedSteps = 8
	// assumedProducts are those of the conjugate gradients of all steps, for more than
	// two classes.
	assumedProducts = 100
)

// Plan predicts stages, memory and time of [Fit] on a machine whose PairRate is that of
// the bound kernel, with the other solver as the alternative.
func Plan(w Work, m compute.Machine) compute.Plan {
	primal := w.Solver == Primal || (w.Solver == Auto || w.Solver == "") && w.Features > 0 && w.Features < w.Rows
	p := w.plan(primal, m)
	if w.Features > 0 {
		p.Alternatives = append(p.Alternatives, w.plan(!primal, m))
	}
	return p
}

// held reports whether the features of all rows are.
func (w Work) held() bool { return compute.FitsInMemory(8*int64(w.Rows)*int64(w.Features), w.Limit) }

// products are those of all conjugate gradients.
func (w Work) products() int {
	if w.Classes > 2 {
		return assumedProducts
	}
	return 0
}

// Maps is how often the features of a row are computed: for their mean and once more where they
// are held, else to weigh them and for a gradient in each step, and twice in each product.
func (w Work) Maps() int {
	if w.held() {
		return 2
	}
	return 1 + 2*assumedSteps + 2*w.products()
}

// plan predicts one solver.
func (w Work) plan(primal bool, m compute.Machine) compute.Plan {
	outs := outputs(w.Classes)
	step := compute.FactorCost(w.Rows, m)
	solver, stages := Cholesky, []compute.Cost(nil)
	if primal {
		solver, step = Primal, gram.PrimalCost(w.Rows, w.Features, outs, m)
		if !w.held() {
			step.Memory -= 8 * int64(w.Rows) * int64(w.Features)
		}
	} else {
		if w.Columns > 0 {
			stages = append(stages, compute.BindCost(w.Rows, w.Columns, m))
		}
		if w.Solver == Packed { // the triangle is computed anew in every step
			solver, step = Packed, compute.PackedFactorCost(w.Rows, compute.Double, m)
			again := gram.PackedGramCost(w.Rows, compute.Double, m)
			step.Memory, step.Flops, step.Seconds = step.Memory+again.Memory, step.Flops+again.Flops, step.Seconds+again.Seconds
		} else {
			stages = append(stages, gram.DenseGramCost(w.Rows, m))
		}
	}
	step.Stage = fmt.Sprintf("newton (%d steps)", assumedSteps)
	step.Flops *= assumedSteps
	step.Seconds *= assumedSteps
	step.Memory += 8 * 12 * int64(w.Rows) * int64(outs) // values, gradients and directions
	stages = append(stages, step)
	if w.Classes > 2 {
		stages = append(stages, w.conjugate(primal, m))
	}
	if n := w.Rows * w.Classes; w.LOO && w.Classes > 2 {
		factor, solve := compute.FactorCost(n, m), compute.SolveCost(n, n, m)
		factor.Stage, factor.Memory = "leave-one-out", 8*int64(n)*int64(n)
		factor.Flops += solve.Flops
		factor.Seconds += solve.Seconds
		stages = append(stages, factor)
	}
	if w.LOO && w.Classes == 2 {
		c := compute.SolveCost(w.Rows, w.Rows, m)
		if primal {
			c = compute.SolveCost(w.Features, w.Rows, m)
		}
		c.Stage, c.Memory, c.Keeps = "leave-one-out", 3*8*256*int64(w.Rows), 16*int64(w.Rows)
		stages = append(stages, c)
	}
	p := compute.NewPlan(string(solver), m, stages...)
	p.Hint = "--solver " + string(solver)
	p.Notes = append(p.Notes, fmt.Sprintf("Newton's method is assumed to take %d steps; a small λ takes more", assumedSteps))
	return p
}

// conjugate predicts the conjugate gradients: each multiplies with the Hessian, twice with Φ or
// once with K, and solves with the factor.
func (w Work) conjugate(primal bool, m compute.Machine) compute.Cost {
	size, outs := w.Rows, outputs(w.Classes)
	if primal {
		size = w.Features
	}
	c := compute.SolveCost(size, outs, m)
	product := 2 * float64(size) * float64(size) * float64(outs)
	if primal {
		product = 4 * float64(w.Rows) * float64(size) * float64(outs)
	}
	c.Stage = "conjugate gradients"
	c.Flops = assumedProducts * (c.Flops + product)
	c.Seconds = assumedProducts * (c.Seconds + product/max(m.GemmRate, 1))
	return c
}
