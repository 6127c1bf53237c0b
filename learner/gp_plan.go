package learner

import (
	"cmp"
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

// evaluations is how many a search is planned to take per start.
const evaluations = 40

func (o GP) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	if p.LandmarkMap != nil {
		return o.planOnLandmarks(ctx, p)
	}
	direct, err := planEvidence(ctx, p, o.Name(), o.Compute, evidenceWork{factors: 1, inverses: 1, solver: o.Solver}, o.Optimize, o.Restarts)
	if err != nil {
		return direct, err
	}
	if o.Updatable {
		n, _, _ := p.Dims()
		direct = keptFactor(direct, n)
	}
	products, err := o.planProducts(ctx, p)
	if err != nil {
		return products, err
	}
	direct.Hint, products.Hint = "--solver "+string(cmp.Or(o.Solver, gp.Cholesky)), "--solver "+string(gp.CG)
	if o.Solver == gp.CG {
		direct.Hint = "--solver " + string(gp.Cholesky)
		products.Alternatives = []compute.Plan{direct}
		return products, nil
	}
	direct.Alternatives = []compute.Plan{products}
	return direct, nil
}

// planProducts predicts a fit by [gp.CG]. The number of products is that of ridge regression
// with the same system on a subsample of the rows.
func (o GP) planProducts(ctx context.Context, p *task.Task) (compute.Plan, error) {
	machine, err := p.Machine(ctx, o.Compute)
	if err != nil {
		return compute.Plan{}, err
	}
	n, features, _ := p.Dims()
	var stages []compute.Cost
	if p.Points.Kind() == task.OnVectors {
		stages = append(stages, compute.BindCost(n, features, machine))
	}
	count, note := 0, "conjugate gradients are assumed to take 50 products; little noise takes more"
	if o.Solver == gp.CG && o.Noise > 0 && p.Rows.Y != nil {
		count, err = trialIterations(ctx, p.Points, p.Rows.Y, krr.Options{Ridge: o.Noise, NoIntercept: o.Mean == gp.Zero, Tolerance: o.Tolerance, Weights: p.Rows.W, Compute: o.Compute})
		switch {
		case ctx.Err() != nil:
			return compute.Plan{}, ctx.Err()
		case err == nil: // that it does not converge there is for the fit to say
			note = fmt.Sprintf("conjugate gradients took %d products on a subsample", count)
		}
	}
	once := gp.ProductsCost(n, o.Options, count, machine)
	if o.VarianceCache != (gp.CacheOptions{}) {
		once = append(once, gp.CacheCost(n, o.VarianceCache, machine))
	}
	if o.Optimize {
		stages = append(stages, o.searchProducts(n, once, machine))
	}
	plan := compute.NewPlan(o.Name(), machine, append(stages, once...)...)
	plan.Notes = append(plan.Notes, note)
	return plan, nil
}

// searchProducts predicts a search whose evaluations each take what a fit takes, and the
// derivatives of all kernel values, twice in pairs of blocks.
func (o GP) searchProducts(n int, once []compute.Cost, m compute.Machine) compute.Cost {
	c := compute.Cost{Stage: "search"}
	for _, stage := range once {
		c.Memory, c.Seconds, c.Flops = max(c.Memory, stage.Memory), c.Seconds+stage.Seconds, c.Flops+stage.Flops
	}
	if m.PairRate > 0 {
		c.Seconds += 4 * float64(n) * float64(n) / m.PairRate
	}
	count := float64(evaluations * (1 + max(0, o.Restarts)))
	c.Memory += gp.ContractBytes(n)
	c.Seconds, c.Flops = count*c.Seconds, count*c.Flops
	return c
}

// evidenceWork is what a fit and its evidence take, in matrices of n² numbers and in
// factorizations of them.
type evidenceWork struct {
	factors  int // of the fit
	inverses int // of the gradient besides; each counts as two factors
	beside   int // halves of matrices beside the Gram matrix
	// solver and precision are those of the fit; a search has the dense matrix. The last factor is
	// in double precision.
	solver    gp.Solver
	precision compute.Precision
}

// packed reports whether the fit computes the triangle of the Gram matrix anew for every factor.
func (w evidenceWork) packed() bool { return w.solver == gp.Packed || w.precision == compute.Single }

// cost predicts the fit, without what is beside the matrix.
func (w evidenceWork) cost(n int, m compute.Machine) []compute.Cost {
	values, factor, solve := gram.DenseGramCost(n, m), compute.FactorCost(n, m), compute.SolveCost(n, 2, m)
	others := float64(w.factors - 1)
	solve.Seconds, solve.Flops = solve.Seconds*(others+1), solve.Flops*(others+1)
	if !w.packed() {
		factor.Seconds, factor.Flops = factor.Seconds*(others+1), factor.Flops*(others+1)
		return []compute.Cost{values, factor, solve}
	}
	values, factor = gram.PackedGramCost(n, compute.Double, m), compute.PackedFactorCost(n, compute.Double, m)
	product := values.Seconds // of every step, which needs the kernel values again
	values.Seconds += others*gram.PackedGramCost(n, w.precision, m).Seconds + (others+1)*product
	factor.Seconds += others * compute.PackedFactorCost(n, w.precision, m).Seconds
	factor.Flops *= others + 1
	if w.precision == compute.Single { // the last of these is there until it is collected
		factor.Memory += gram.PackedBytes(n, compute.Single)
	}
	return []compute.Cost{values, factor, solve}
}

// planEvidence predicts a fit that factors dense matrices a number of times, and a search
// for the largest evidence before it.
func planEvidence(ctx context.Context, p *task.Task, name string, o compute.Options, work evidenceWork, search bool, restarts int) (compute.Plan, error) {
	machine, err := p.Machine(ctx, o)
	if err != nil {
		return compute.Plan{}, err
	}
	n, features, _ := p.Dims()
	var stages []compute.Cost
	if p.Points.Kind() == task.OnVectors {
		stages = append(stages, compute.BindCost(n, features, machine))
	}
	half := 4 * int64(n) * int64(n)
	once := work.cost(n, machine)
	once[1].Memory += half * int64(work.beside)
	if search {
		inverse, dense := compute.FactorCost(n, machine), evidenceWork{factors: work.factors}.cost(n, machine)
		// An evaluation also inverts the matrix, whose last inverse may not have been
		// collected yet, and goes over the kernel again.
		count, twice := float64(evaluations*(1+max(0, restarts))), 2*float64(work.inverses)
		stages = append(stages, compute.Cost{Stage: "search", Memory: half * int64(6+work.beside),
			Flops:   count * (dense[1].Flops + dense[2].Flops + twice*inverse.Flops),
			Seconds: count * (2*dense[0].Seconds + dense[1].Seconds + dense[2].Seconds + twice*inverse.Seconds)})
	}
	plan := compute.NewPlan(name, machine, append(stages, once...)...)
	if search {
		plan.Notes = append(plan.Notes, fmt.Sprintf("the search is planned with %d evaluations of the evidence per start; it may take fewer or more", evaluations))
	}
	return plan, nil
}
