package gp

import (
	"cmp"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
)

// assumedProducts of [CG] stand in a plan where nobody has tried.
const assumedProducts = 50

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
	c.Stage, c.Flops, c.Seconds = "log determinant", c.Flops-before.Flops, c.Seconds-before.Seconds
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
