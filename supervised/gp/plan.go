package gp

import (
	"cmp"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

// assumedProducts of [CG] stand in a plan where nobody has tried.
const assumedProducts = 50

// probesBeside is how many times as long as their products the probes of the determinant take, with
// what conjugate gradients do to each of them.
const probesBeside = 2

// ProductsCost predicts [Solve] by [CG] for n rows: the triangle of K where it is kept, the
// coefficients in a number of products (0: not known), and the probes of the evidence, whose
// residual has six tenths of the digits.
func ProductsCost(n int, o Options, products int, m compute.Machine) []compute.Cost {
	probes := cmp.Or(o.Probes, defaultProbes)
	it := gram.Iteration{Rank: gram.PreconditionerRank(n), Double: cmp.Or(products, assumedProducts)}
	var stages []compute.Cost
	if it.Held = gram.CacheFits(n, besideBytes(n, o.Probes), o.Compute); it.Held {
		stages = append(stages, gram.PackedGramCost(n, compute.Double, m))
	}
	stages = append(stages, gram.ConjugateGradientCost(n, 2, it, m))
	prepared := it
	prepared.Double = 0
	it.Double = max(1, it.Double*6/10)
	before, c := gram.ConjugateGradientCost(n, probes, prepared, m), gram.ConjugateGradientCost(n, probes, it, m)
	c.Stage, c.Flops, c.Seconds = "log determinant", c.Flops-before.Flops, probesBeside*(c.Seconds-before.Seconds)
	c.Memory += 12 * 8 * int64(n) * int64(probes) // the probes, their best iterates, and what products copy
	return append(stages, c)
}

// CacheCost predicts [ByCG.Cache]: the kernel values of one product, and three matrices of n×k.
// Where the rank is not known it stands for that of the preconditioner.
func CacheCost(n int, o CacheOptions, m compute.Machine) compute.Cost {
	k := cmp.Or(o.Rank, gram.PreconditionerRank(n))
	size := float64(n) * float64(k)
	flops := 2*size*float64(n) + 10*size*float64(k)
	c := compute.Cost{Stage: "variance cache", Memory: 8*int64(n)*int64(3*k) + 8*int64(n)*int64(gram.PreconditionerRank(n)), Flops: flops, Seconds: flops / m.GemmRate}
	if m.PairRate > 0 {
		c.Seconds += float64(n) * float64(n) / 2 / m.PairRate
	}
	return c
}

// PlannedEvaluations of the evidence stand in a plan for each start of a search, and PlannedSteps
// of Newton's method for a mode.
const PlannedEvaluations, PlannedSteps = 40, 10

// SearchProductsCost predicts a search for the largest evidence whose evaluations each take what a
// fit takes by [CG], and the derivatives of all kernel values, twice in pairs of blocks.
func SearchProductsCost(n, restarts int, fit []compute.Cost, m compute.Machine) compute.Cost {
	c := compute.Cost{Stage: "search"}
	for _, stage := range fit {
		c.Memory, c.Seconds, c.Flops = max(c.Memory, stage.Memory), c.Seconds+stage.Seconds, c.Flops+stage.Flops
	}
	if m.PairRate > 0 {
		c.Seconds += 4 * float64(n) * float64(n) / m.PairRate
	}
	count := evaluations(restarts)
	c.Memory += ContractBytes(n)
	c.Seconds, c.Flops = count*c.Seconds, count*c.Flops
	return c
}

// evaluations are those of all starts.
func evaluations(restarts int) float64 { return float64(PlannedEvaluations * (1 + max(0, restarts))) }

// Work is what a fit by factors and its evidence take, in matrices of n² numbers and in
// factorizations of them.
type Work struct {
	Factors  int // of the fit
	Inverses int // of the gradient besides; each counts as two factors
	Beside   int // halves of matrices beside the Gram matrix
	// Solver and Precision are those of the fit; a search has the dense matrix. The last factor is
	// in double precision.
	Solver    Solver
	Precision compute.Precision
}

// ClassWork is that of a classifier whose mode takes so many steps of Newton's method. For each
// class of more than two there are a packed factor and an inverse, which are added up and factored,
// and in the gradient another inverse and two products.
func ClassWork(classes, steps int) Work {
	if classes > 2 {
		return Work{Factors: steps + 3*classes + 1, Inverses: 3 * classes, Beside: classes + 4}
	}
	return Work{Factors: steps, Inverses: 1}
}

// packed reports whether the fit computes the triangle of the Gram matrix anew for every factor.
func (w Work) packed() bool { return w.Solver == Packed || w.Precision == compute.Single }

// Costs predicts the fit.
func (w Work) Costs(n int, m compute.Machine) []compute.Cost {
	stages := w.costs(n, m)
	stages[1].Memory += w.besideBytes(n)
	return stages
}

// besideBytes is what is held beside the Gram matrix.
func (w Work) besideBytes(n int) int64 { return 4 * int64(n) * int64(n) * int64(w.Beside) }

// costs is Costs without what is beside the matrix.
func (w Work) costs(n int, m compute.Machine) []compute.Cost {
	values, factor, solve := gram.DenseGramCost(n, m), compute.FactorCost(n, m), compute.SolveCost(n, 2, m)
	others := float64(w.Factors - 1)
	solve.Seconds, solve.Flops = solve.Seconds*(others+1), solve.Flops*(others+1)
	if !w.packed() {
		factor.Seconds, factor.Flops = factor.Seconds*(others+1), factor.Flops*(others+1)
		return []compute.Cost{values, factor, solve}
	}
	values, factor = gram.PackedGramCost(n, compute.Double, m), compute.PackedFactorCost(n, compute.Double, m)
	// Every step writes the triangle anew in the same memory, and needs the kernel values again for
	// a product: both take what a product takes.
	values.Seconds += gram.ProductsCost(n, 1, w.Factors-1, w.Precision, false, m).Seconds + gram.ProductsCost(n, 1, w.Factors, compute.Double, false, m).Seconds
	factor.Seconds += others * compute.PackedFactorCost(n, w.Precision, m).Seconds
	factor.Flops *= others + 1
	if w.Precision == compute.Single { // the last of these is there until it is collected
		factor.Memory += gram.PackedBytes(n, compute.Single)
	}
	return []compute.Cost{values, factor, solve}
}

// SearchCost predicts a search for the largest evidence. An evaluation also inverts the matrix,
// whose last inverse may not have been collected yet, and goes over the kernel again.
func (w Work) SearchCost(n, restarts int, m compute.Machine) compute.Cost {
	inverse, dense := compute.FactorCost(n, m), Work{Factors: w.Factors}.costs(n, m)
	count, twice := evaluations(restarts), 2*float64(w.Inverses)
	return compute.Cost{Stage: "search", Memory: 24*int64(n)*int64(n) + w.besideBytes(n),
		Flops:   count * (dense[1].Flops + dense[2].Flops + twice*inverse.Flops),
		Seconds: count * (2*dense[0].Seconds + dense[1].Seconds + dense[2].Seconds + twice*inverse.Seconds)}
}
