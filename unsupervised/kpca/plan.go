package kpca

import (
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/linalg"
)

// Plan predicts memory and time of [Fit] for n rows, of that many numbers each; 0
// columns where points are not vectors. Lanczos takes so many products with a block of vectors; 0:
// those until its first restart.
func Plan(n, columns, products int, o Options, m compute.Machine) compute.Plan {
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
	bytes, block, assumed := linalg.TopDemand(n, o.Components)
	note := fmt.Sprintf("the iteration took %d products with %d vectors on a sample of the rows", products, block)
	if products == 0 {
		products, note = assumed, fmt.Sprintf("the iteration is planned with %d products with %d vectors; close variances take more", assumed, block)
	}
	stored := gram.CacheFits(n, bytes, o.Compute)
	if stored {
		stages = append(stages, gram.PackedGramCost(n, o.Compute.Precision, m))
	}
	iterate := gram.ProductsCost(n, block, products, o.Compute.Precision, stored, m)
	iterate.Stage, iterate.Memory = "eigenvectors", iterate.Memory+bytes
	plan := compute.NewPlan(string(solver), m, append(stages, iterate)...)
	plan.Notes = append(plan.Notes, note)
	if !stored {
		plan.Notes = append(plan.Notes, "the matrix does not fit: the kernel is computed afresh in every product")
	}
	return plan
}
