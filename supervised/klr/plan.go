package klr

import (
	"cmp"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/space"
)

// Work is the size of a fit, all that a plan needs.
type Work struct {
	Rows     int // n
	Columns  int // numbers in a point, d; 0 where points are not vectors
	Features int // dimension D of the kernel's feature map; 0: none
	Classes  int
	LOO      bool
	Solver   Solver
	// Precision of the factors or of most products; Primal ignores it.
	Precision compute.Precision
	Limit     int64 // of memory, in bytes; 0: none
	// Iterations of CG in a step, as they were found on a sample of the rows; 0: not tried.
	Iterations int
	// Steps of Newton's method, as they were found on a sample of the rows; 0: not tried, and 6 are
	// assumed.
	Steps int
}

const (
	// assumedSteps of Newton's method stand in a plan; a small λ takes up to twice as
	// many.
	assumedSteps = 6
	// assumedProducts are those of the conjugate gradients of all steps, for more than
	// two classes.
	assumedProducts = 100
)

// Plan predicts stages, memory and time of [Fit] on a machine whose PairRate is that of
// the bound kernel, with the other solver as the alternative.
func Plan(w Work, m compute.Machine) compute.Plan {
	primal := w.Solver == Primal || (w.Solver == Auto || w.Solver == "") && w.Features > 0 && w.Features < w.Rows
	rows := space.Systems{Rows: w.Rows, Columns: w.Columns, Solver: w.Solver, Precision: w.Precision, Count: w.steps(), Sides: outputs(w.Classes) + 1, Iterations: w.Iterations, Limit: w.Limit}.Plans(m, func(of space.Systems, stages []compute.Cost) []compute.Cost {
		return w.stages(of.Solver, stages, m)
	})
	var features *compute.Plan
	if w.Features > 0 || primal {
		features = w.inFeatures(m)
	}
	p := space.PlanOf(features, primal, rows)
	counted := fmt.Sprintf("Newton's method is assumed to take %d steps; a small λ takes more", assumedSteps)
	if w.Steps > 0 {
		counted = fmt.Sprintf("Newton's method took %d steps on a sample of the rows", w.Steps)
	}
	p.Notes = append(p.Notes, counted)
	for i := range p.Alternatives {
		p.Alternatives[i].Notes = append(p.Alternatives[i].Notes, counted)
	}
	return p
}

// steps are those of Newton's method.
func (w Work) steps() int { return cmp.Or(w.Steps, assumedSteps) }

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
	return 1 + 2*w.steps() + 2*w.products()
}

// inFeatures predicts the fit in the features of the kernel.
func (w Work) inFeatures(m compute.Machine) *compute.Plan {
	step := gram.PrimalCost(w.Rows, w.Features, outputs(w.Classes), m)
	if !w.held() {
		step.Memory -= 8 * int64(w.Rows) * int64(w.Features)
	}
	steps := float64(w.steps())
	step.Stage = fmt.Sprintf("newton (%d steps)", w.steps())
	step.Flops *= steps
	step.Seconds *= steps
	p := compute.NewPlan(string(Primal), m, w.stages(Primal, []compute.Cost{step}, m)...)
	p.Passes = w.Maps()
	p.Hint = "--solver " + string(Primal)
	return &p
}

// stages are those of the fit for those of its Newton steps by a solver.
func (w Work) stages(solver Solver, stages []compute.Cost, m compute.Machine) []compute.Cost {
	primal := solver == Primal
	stages[len(stages)-1].Memory += 8 * 12 * int64(w.Rows) * int64(outputs(w.Classes)) // values, gradients and directions
	if w.Classes > 2 {
		stages = append(stages, w.conjugate(solver, m))
	}
	if w.LOO && w.Classes > 2 {
		stages = append(stages, w.covariances(primal, m))
	}
	if w.LOO && w.Classes == 2 {
		c := compute.SolveCost(w.Rows, w.Rows, m)
		c.Flops, c.Seconds = c.Flops/2, c.Seconds/2 // one of the two triangles
		if primal {
			c = compute.SolveCost(w.Features, w.Rows, m)
		}
		c.Stage, c.Memory, c.Keeps = "leave-one-out", 3*8*256*int64(w.Rows), 16*int64(w.Rows)
		stages = append(stages, c)
	}
	return stages
}

// covariances predicts [space.SoftmaxCovariances]: in the rows a factor and an inverse for each
// class and a factor of their sum, in features one factor of all weights; then solves for each row
// and class.
func (w Work) covariances(primal bool, m compute.Machine) compute.Cost {
	n, classes := int64(w.Rows), int64(w.Classes)
	order, factors, solves := w.Rows, 3*float64(classes)+1, 2.0
	memory := (16 + 4*classes) * n * n
	if primal {
		order, factors, solves = w.Features*w.Classes, 1, 0.5
		memory = 12 * int64(order) * int64(order)
	}
	factor, solve := compute.FactorCost(order, m), compute.SolveCost(order, w.Rows*w.Classes, m)
	return compute.Cost{Stage: "leave-one-out", Memory: memory,
		Flops:   factors*factor.Flops + solves*solve.Flops,
		Seconds: factors*factor.Seconds + solves*solve.Seconds}
}

// conjugate predicts the conjugate gradients: each multiplies with the Hessian, twice with Φ or
// once with K, and solves with the factor. Kernel values are computed again where K is not held.
func (w Work) conjugate(solver Solver, m compute.Machine) compute.Cost {
	size, outs := w.Rows, outputs(w.Classes)
	if solver == Primal {
		size = w.Features
	}
	c := compute.SolveCost(size, outs, m)
	product := 2 * float64(size) * float64(size) * float64(outs)
	if solver == Primal {
		product = 4 * float64(w.Rows) * float64(size) * float64(outs)
	}
	c.Stage = "conjugate gradients"
	c.Flops = assumedProducts * (c.Flops + product)
	c.Seconds = assumedProducts * (c.Seconds + product/max(m.GemmRate, 1))
	if solver == Packed || solver == CG || solver == Cholesky && w.Precision == compute.Single {
		c.Seconds += gram.ProductsCost(w.Rows, outs, assumedProducts, compute.Double, false, m).Seconds
	}
	return c
}
