package structured

import (
	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/space"
)

// Work is the size of a fit, all that a plan needs.
type Work struct {
	Rows    int // n
	Columns int // numbers in a point; 0 where points are not vectors
	// Features is D where the fit is in explicit features, which are not counted, see
	// [space.Primal]; 0: it is not.
	Features int
	Dim      int // d, the length of φ
	LOO      bool
	// Solver and Precision are those of the system in the span of the rows: not Auto, which
	// [space.Direct] resolves; "": Cholesky.
	Solver    space.Solver
	Precision compute.Precision
	Limit     int64 // of memory, in bytes; 0: none
}

// Plan predicts stages, memory and time of [Fit] on a machine whose PairRate is that of
// the bound kernel. Decoding is not timed.
func Plan(w Work, m compute.Machine) compute.Plan {
	if w.Features > 0 {
		system := gram.PrimalCost(w.Rows, w.Features, w.Dim, m)
		system.Stage, system.Memory = "weights", 8*int64(w.Features)*int64(w.Features+2*w.Dim)
		if w.LOO { // as many products with the factor as those of the moments
			again := gram.PrimalCost(w.Rows, w.Features, 0, m)
			system.Flops, system.Seconds = system.Flops+again.Flops, system.Seconds+again.Seconds
		}
		return compute.NewPlan("features", m, system)
	}
	systems := space.Systems{Rows: w.Rows, Columns: w.Columns, Solver: w.Solver, Precision: w.Precision, Sides: w.Dim + 1, Limit: w.Limit}
	return space.PlanOf(nil, false, systems.Plans(m, func(_ space.Systems, stages []compute.Cost) []compute.Cost {
		stages[len(stages)-1].Memory += 16 * int64(w.Rows) * int64(w.Dim) // Φ, and the values that are decoded
		if w.LOO {
			stages = append(stages, compute.InverseDiagCost(w.Rows, m))
		}
		return stages
	}))
}
