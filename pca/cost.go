package pca

import "mercer/gram"

// Plan predicts memory and time of [Fit] for n rows of d numbers.
func Plan(n, d int, o Options, m gram.Machine) gram.Plan {
	rows, columns, short := float64(n), float64(d), float64(min(n, d))
	centred := gram.Cost{Stage: "centre", Memory: 8 * int64(n) * int64(d), Keeps: 8 * int64(n) * int64(d), Seconds: 16 * rows * columns / m.CopyRate}
	solver, why := o.choose(n, d)
	products := 2 * rows * columns * short // the smaller of AᵀA and AAᵀ
	decompose := gram.Cost{Stage: "decompose"}
	// A transpose, the square matrix, its eigenvectors and the rotated rows.
	decompose.Memory = 8 * (2*int64(n)*int64(d) + 7*int64(min(n, d))*int64(min(n, d)))
	order := min(n, d)
	if solver == Krylov {
		width, count := o.block(n, d)
		order = width * count
		products = 2 * rows * columns * float64(2*order) // into the basis and back
		decompose.Memory = 8 * (int64(order)*int64(2*n+3*d) + 7*int64(order)*int64(order))
	}
	eigen := gram.EigenCost(order, m)
	decompose.Flops = 2*products + eigen.Flops
	decompose.Seconds = 2*products/m.GemmRate + eigen.Seconds
	plan := gram.NewPlan(string(solver), m, centred, decompose)
	if solver == Krylov {
		plan.Notes = append(plan.Notes, why)
	}
	return plan
}
