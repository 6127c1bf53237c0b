package space

import (
	"cmp"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

// Systems are the weighted systems that a method solves in the span of the rows, one after the
// other: all that their cost depends on.
type Systems struct {
	Rows    int // n
	Columns int // numbers in a point; 0 where points are not vectors
	// Solver is Cholesky, Packed or CG; Auto and "" are Cholesky.
	Solver    Solver
	Precision compute.Precision
	Count     int // systems, each with weights of its own; 0 is 1
	Sides     int // right-hand sides of each, with that of the constant
	// Iterations of CG for a system, 0: not tried.
	Iterations int
	Limit      int64 // of memory, in bytes; 0: none
	// Inverse says that the fit takes the inverse of a system, or its diagonal: it needs a factor
	// in double precision, and CG is no way to it.
	Inverse bool
}

// Plans predicts a fit on a machine by the solver of w, and then by the others, which may hold less
// of the matrix. fit returns the stages of the fit for those of the systems.
//
//  1. [Cholesky], [Packed] and [CG] in the precision of w; in single precision the first two are
//     the same.
//  2. The triangle in the other precision.
func (w Systems) Plans(m compute.Machine, fit func(w Systems, stages []compute.Cost) []compute.Cost) []compute.Plan {
	if w.Solver != Packed && w.Solver != CG {
		w.Solver = Cholesky
	}
	plans := []compute.Plan{w.plan(m, fit)}
	for _, s := range []Solver{Cholesky, Packed, CG} {
		if s == w.Solver || s == CG && w.Inverse || s != CG && w.Precision == compute.Single {
			continue
		}
		other := w
		other.Solver = s
		plans = append(plans, other.plan(m, fit))
	}
	if w.Inverse {
		return plans
	}
	other := w
	other.Solver, other.Precision = Packed, compute.Single-w.Precision
	p := other.plan(m, fit)
	if other.Precision == compute.Double {
		p.Hint += " --precision double"
	}
	return append(plans, p)
}

// plan is that of one solver.
func (w Systems) plan(m compute.Machine, fit func(w Systems, stages []compute.Cost) []compute.Cost) compute.Plan {
	stages, notes := w.Costs(m)
	p := compute.NewPlan(string(w.Solver), m, fit(w, stages)...).AsRough(w.Rough())
	p.Hint = "--solver " + string(w.Solver)
	if w.Precision == compute.Single {
		p.Hint += " --precision single"
	}
	p.Notes = append(p.Notes, notes...)
	return p
}

// PlanOf returns the first of the plans in the span of the rows, or the plan in features where they
// are chosen, with all others as alternatives. A kernel without features has no such plan: nil.
func PlanOf(features *compute.Plan, chosen bool, rows []compute.Plan) compute.Plan {
	switch {
	case features == nil:
		rows[0].Alternatives = rows[1:]
	case chosen:
		features.Alternatives = rows
		return *features
	default:
		rows[0].Alternatives = append([]compute.Plan{*features}, rows[1:]...)
	}
	return rows[0]
}

// assumedIterations of CG stand in a plan where nobody has tried, because their number
// depends on the spectrum of K and on λ; assumedRefinements are the products in double precision
// that refine a solution in single precision.
const assumedIterations, assumedRefinements = 50, 5

// Costs predicts the stages on a machine whose PairRate is that of the bound kernel: what binds the
// points, what is held of the matrix, and what the systems take.
//
//   - [Cholesky] holds 8n² bytes and computes kernel values once;
//   - [Packed] holds 4n² bytes, in single precision 2n², for one factor after the other, and
//     computes kernel values again for each, and for a residual in double precision;
//   - [CG] holds a triangle where it fits, see [HoldsTriangle].
func (w Systems) Costs(m compute.Machine) (stages []compute.Cost, notes []string) {
	n := w.Rows
	if w.Columns > 0 {
		stages = append(stages, compute.BindCost(n, w.Columns, m))
	}
	switch {
	case w.Solver == CG:
		more, said := w.iterate(m)
		return append(stages, more...), said
	case w.Precision == compute.Single:
		refine := gram.ConjugateGradientCost(n, w.Sides, gram.Iteration{Double: assumedRefinements}, m)
		refine.Stage = "refine"
		notes = append(notes, fmt.Sprintf("where single precision is not enough for the condition of the matrix, the fit falls back to double precision and takes %s", compute.FormatBytes(gram.PackedBytes(n, compute.Double))))
		return append(stages, w.each(gram.PackedGramCost(n, compute.Single, m), compute.PackedFactorCost(n, compute.Single, m), refine)...), notes
	case w.Solver == Packed:
		return append(stages, w.each(gram.PackedGramCost(n, compute.Double, m), compute.PackedFactorCost(n, compute.Double, m), w.solve(m), w.recheck(m))...), nil
	}
	stages = append(stages, gram.DenseGramCost(n, m))
	return append(stages, w.each(compute.FactorCost(n, m), w.solve(m))...), nil
}

// Rough says why the time is no more than an order of magnitude; "": it is not.
func (w Systems) Rough() string {
	if w.Solver == CG && w.Iterations == 0 {
		return "how many iterations conjugate gradients take depends on the spectrum of the matrix and on λ"
	}
	return ""
}

// each returns the stages of a system for all of them: the memory of one, and the time of all.
func (w Systems) each(stages ...compute.Cost) []compute.Cost {
	if w.Count > 1 {
		for i, c := range stages {
			stages[i].Stage = fmt.Sprintf("%s (%d systems)", c.Stage, w.Count)
			stages[i].Flops *= float64(w.Count)
			stages[i].Seconds *= float64(w.Count)
		}
	}
	return stages
}

// iterate predicts conjugate gradients.
func (w Systems) iterate(m compute.Machine) (stages []compute.Cost, notes []string) {
	products := cmp.Or(w.Iterations, assumedIterations)
	if w.Iterations == 0 {
		notes = append(notes, fmt.Sprintf("conjugate gradients are assumed to take %d iterations; a small λ takes more", products))
	} else {
		notes = append(notes, fmt.Sprintf("conjugate gradients took %d iterations on a subsample", products))
	}
	it := gram.Iteration{Rank: gram.PreconditionerRank(w.Rows), Double: products, Held: HoldsTriangle(w.Rows, w.Precision, w.Limit)}
	if w.Precision == compute.Single {
		it.Double, it.Single = assumedRefinements, products
	}
	if it.Held {
		held := gram.PackedGramCost(w.Rows, w.Precision, m)
		notes = append(notes, fmt.Sprintf("conjugate gradients keep the triangle of the Gram matrix in memory, %s in %s precision", compute.FormatBytes(held.Memory), w.Precision))
		stages = append(stages, held)
	}
	return append(stages, w.each(gram.ConjugateGradientCost(w.Rows, w.Sides, it, m))...), notes
}

// solve is the cost of the triangular solves, the residual from scratch, and one
// step of refinement: five matrices of n×sides.
func (w Systems) solve(m compute.Machine) compute.Cost {
	c := compute.SolveCost(w.Rows, w.Sides, m)
	c.Memory, c.Seconds, c.Flops = 5*c.Keeps, 2*c.Seconds, 2*c.Flops
	return c
}

// recheck is the pass over the kernel values with which the packed solver
// computes its residual, because K itself is gone.
func (w Systems) recheck(m compute.Machine) compute.Cost {
	n := float64(w.Rows)
	flops := 2 * n * n * float64(w.Sides)
	return compute.Cost{Stage: "residual", Memory: 8 * int64(w.Rows) * int64(2*w.Sides), Flops: flops, Seconds: n*n/2/m.PairRate + flops/m.GemmRate}
}
