package krr

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/gram/design"
	"example.org/mercer/kernel"
	"example.org/mercer/space"
)

// Work is the size of a fit, all that a plan needs.
type Work struct {
	Rows     int // n
	Columns  int // numbers in a point, d; 0 where points are not vectors
	Features int // dimension D of the kernel's feature map; 0: none
	Targets  int // m
	LOO      bool
	Solver   Solver
	Direct   Solver // what Auto is without a primal form, from [space.Direct]; "": Cholesky
	// Precision of the factor or of most products; [Primal] and [Eigen] ignore it.
	Precision compute.Precision
	// Sample is the number of rows that stand for all in the factor of the equations of landmarks,
	// and Share the part of the time that takes, from [ChooseSample]; 0: all rows are summed.
	Sample int
	Share  float64
	// Iterations of [CG], as [TrialIterations] found them; 0: not tried.
	Iterations int
}

// trialRows is the number of rows on which conjugate gradients are tried.
const trialRows = 1000

// TrialIterations counts the iterations that [CG] takes on an even subsample of at
// most 1000 rows with the same λ and a preconditioner of the same rank (at most 500):
// the leading eigenvalues of K/n, on which the number depends, are nearly those of the
// subsample. It costs less than a second.
func TrialIterations[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], y *mat.Dense, o Options) (int, error) {
	n := xs.Len()
	o.Solver, o.LOO = CG, false
	o.Compute.Store = nil // a trial leaves nothing behind
	if n > trialRows {
		_, m := y.Dims()
		index, part := make([]int, trialRows), mat.NewDense(trialRows, m, nil)
		weights := make([]float64, trialRows)
		for i := range index {
			index[i] = i * n / trialRows
			part.SetRow(i, y.RawRowView(index[i]))
			weights[i] = 1
			if o.Weights != nil {
				weights[i] = o.Weights[index[i]]
			}
		}
		xs, y, o.Weights = data.Subset(xs, index), part, weights
		o.Ridge *= trialRows / float64(n)
		o.rank = min(gram.PreconditionerRank(n), trialRows/2)
	}
	_, report, err := Fit(ctx, k, xs, y, o)
	if err != nil {
		return 0, err
	}
	return max(report.Iterations, report.SingleProducts), nil
}

// Plan predicts stages, memory and time of [Fit] on a machine whose PairRate is that
// of the bound kernel, with the alternatives in order of preference. limit is the
// memory that may be used, in bytes, 0 for no limit; it only sizes the subsample
// among the alternatives: [compute.CheckMemory] decides. The choice of the solver is
// that of [Fit] and does not depend on the memory: an exact solver is never swapped
// for another by itself.
func Plan(w Work, m compute.Machine, limit int64) compute.Plan {
	chosen := w.Solver
	if chosen == Auto || chosen == "" {
		chosen = cmp.Or(w.Direct, Cholesky)
		if w.Features > 0 && w.Features < w.Rows {
			chosen = Primal
		}
	}
	rows := w.ways(chosen, m, limit)
	switch chosen {
	case Primal:
		rows = w.ways(Cholesky, m, limit)
	case Eigen:
		rows = append(rows, w.ways(Cholesky, m, limit)...)
	}
	var features *compute.Plan
	if w.Features > 0 || chosen == Primal {
		p := w.plan(Primal, m, limit)
		features = &p
	}
	p := space.PlanOf(features, chosen == Primal, rows)
	if chosen != Primal {
		p.Alternatives = append(p.Alternatives, w.subsample(chosen, m, limit))
	}
	return p
}

// plan predicts one solver.
func (w Work) plan(s Solver, m compute.Machine, limit int64) compute.Plan {
	return w.ways(s, m, limit)[0]
}

// ways predicts one solver, and after it, where it solves systems of the rows, the others that do.
func (w Work) ways(s Solver, m compute.Machine, limit int64) []compute.Plan {
	n := w.Rows
	var stages []compute.Cost
	switch s {
	case Primal:
		stages = append(stages, w.primalCost(m))
	case Eigen:
		if w.Columns > 0 {
			stages = append(stages, compute.BindCost(n, w.Columns, m))
		}
		stages = append(stages, gram.DenseGramCost(n, m), compute.EigenCost(n, m), compute.PathCost(n, w.Targets+1, 1, m))
	default:
		systems := space.Systems{Rows: n, Columns: w.Columns, Solver: s, Precision: w.Precision, Sides: w.Targets + 1, Iterations: w.Iterations, Limit: limit, Inverse: w.LOO}
		return systems.Plans(m, func(of space.Systems, stages []compute.Cost) []compute.Cost {
			if !w.LOO || of.Solver == CG {
				return stages
			}
			c := compute.InverseDiagCost(n, m)
			c.Stage = "leave-one-out"
			c.Memory += 8 * int64(min(n, inverseBlock)) * int64(n) * int64(m.Workers)
			return append(stages, c)
		})
	}
	p := compute.NewPlan(string(s), m, stages...)
	p.Hint = "--solver " + string(s)
	return []compute.Plan{p}
}

// inverseBlock is the number of columns of an inverse that each worker of
// linalg.InverseDiag holds.
const inverseBlock = 256

// primalCost holds features in blocks of rows, never all of them.
func (w Work) primalCost(m compute.Machine) compute.Cost {
	c := gram.PrimalCost(w.Rows, w.Features, w.Targets, m)
	d := int64(w.Features)
	c.Memory = design.SumsBytes(w.Rows, w.Features*w.Features) + 8*(d*int64(design.BlockRows+3*w.Targets)+2*int64(w.Rows)*int64(w.Targets))
	if w.Sample > 0 {
		c.Stage = fmt.Sprintf("primal (a sample of %d rows, and passes)", w.Sample)
		c.Flops, c.Seconds = w.Share*c.Flops, w.Share*c.Seconds
	}
	return c
}

// subsample is the same work on fewer rows: as many as fit in the limit, or half of
// them where all do.
func (w Work) subsample(s Solver, m compute.Machine, limit int64) compute.Plan {
	fewer := w
	fewer.Rows = max(1, w.Rows/2)
	if room := limit - m.Resident; limit > 0 && room > 0 && w.plan(s, m, limit).Memory > limit {
		bytes := 8.0
		if s == Packed || w.Precision == compute.Single {
			bytes = float64(gram.PackedBytes(w.Rows, w.Precision)) / float64(w.Rows) / float64(w.Rows)
		}
		fewer.Rows = max(1, min(w.Rows, int(math.Sqrt(float64(room)/bytes))))
		for fewer.Rows > 1 && fewer.plan(s, m, limit).Memory > limit {
			fewer.Rows -= 1 + fewer.Rows/50
		}
	}
	p := fewer.plan(s, m, limit)
	p.Hint = fmt.Sprintf("a subsample of %d rows", fewer.Rows)
	p.Notes = append(p.Notes, "another problem, not another way to solve this one")
	return p
}

// thinPath is how much slower than products of square matrices the values along a path are found:
// each λ goes over the features with one column for each target and one for the leverages.
const thinPath = 18

// factoredCosts predicts a factorization of a copy of the Gram matrix, and the diagonal of the
// inverse, for each of some λ.
func factoredCosts(n, rhs, lambdas int, m compute.Machine) []compute.Cost {
	out := []compute.Cost{compute.FactorCost(n, m), compute.SolveCost(n, rhs, m), compute.InverseDiagCost(n, m)}
	for i := range out {
		out[i].Seconds, out[i].Flops, out[i].Keeps = float64(lambdas)*out[i].Seconds, float64(lambdas)*out[i].Flops, 0
		out[i].Memory += 8 * int64(n) * int64(n)
	}
	return out
}

// PathCosts predicts a path of so many λ, of which nothing is kept: that of [NewPath] in
// features where they are fewer than the rows, else in the span of these, where a few λ have a
// factorization each.
func PathCosts(w Work, lambdas int, m compute.Machine, limit int64) []compute.Cost {
	n, d, rhs := w.Rows, w.Features, w.Targets+1
	var costs []compute.Cost
	if d > 0 && d < n {
		held := 8 * int64(n) * int64(d)
		if !compute.FitsInMemory(held, limit) {
			held = 16 * design.BlockRows * int64(d)
		}
		square, flops := 8*int64(d)*int64(d), 3*float64(n)*float64(d)*float64(d)
		along := 4 * float64(n) * float64(d) * float64(rhs*lambdas)
		costs = []compute.Cost{
			{Stage: "moments", Memory: held + square, Keeps: held + square, Flops: flops, Seconds: flops / m.GemmRate},
			compute.EigenCost(d, m),
			{Stage: "path", Memory: 8 * int64(n) * int64(2*rhs), Flops: along, Seconds: thinPath * along / m.GemmRate},
		}
	} else if lambdas <= FewLambdas {
		costs = append([]compute.Cost{gram.DenseGramCost(n, m)}, factoredCosts(n, rhs, lambdas, m)...)
	} else {
		costs = []compute.Cost{gram.DenseGramCost(n, m), compute.EigenCost(n, m), compute.PathCost(n, rhs, lambdas, m)}
	}
	last := &costs[len(costs)-1]
	last.Keeps = 0
	for _, c := range costs[:len(costs)-1] {
		last.Keeps -= c.Keeps
	}
	return costs
}
