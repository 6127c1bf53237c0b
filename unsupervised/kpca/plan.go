package kpca

import (
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
)

// Plan predicts memory and time of [Fit] for n rows, of that many numbers each; 0
// columns where points are not vectors.
func Plan(n, columns int, o Options, m compute.Machine) compute.Plan {
	var stages []compute.Cost
	if columns > 0 {
		stages = append(stages, compute.BindCost(n, columns, m))
	}
	solver, _ := o.choose(n)
	if solver == Exact {
		centre := gram.ProductsCost(n, 1, 1, compute.Double, false, m)
		centre.Stage = "centre"
		stages = append(stages, centre, gram.DenseGramCost(n, m), compute.EigenCost(n, m))
		return compute.NewPlan(string(solver), m, stages...)
	}
	bytes, block, products := linalg.TopDemand(n, o.Components)
	stored := gram.CacheFits(n, bytes, o.Compute)
	if stored {
		stages = append(stages, gram.PackedGramCost(n, o.Compute.Precision, m))
	}
	iterate := gram.ProductsCost(n, block, products, o.Compute.Precision, stored, m)
	iterate.Stage, iterate.Memory = "eigenvectors", iterate.Memory+bytes
	plan := compute.NewPlan(string(solver), m, append(stages, iterate)...)
	plan.Notes = append(plan.Notes, fmt.Sprintf("the iteration is planned with %d products with %d vectors; close variances take more", products, block))
	if !stored {
		plan.Notes = append(plan.Notes, "the matrix does not fit: the kernel is computed afresh in every product")
	}
	return plan
}
