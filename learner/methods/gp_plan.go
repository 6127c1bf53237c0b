package methods

import (
	"cmp"
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/supervised/gp"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
)

func (o GP) Plan(ctx context.Context, p *task.Task) (compute.Plan, error) {
	if p.LandmarkMap != nil {
		return o.planOnLandmarks(ctx, p)
	}
	direct, err := planEvidence(ctx, p, o.Name(), o.Compute, gp.Work{Factors: 1, Inverses: 1, Solver: o.Solver}, o.Optimize, o.Restarts)
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
	n, _, _ := p.Dims()
	stages := p.BindCosts(machine)
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
		stages = append(stages, gp.SearchProductsCost(n, o.Restarts, once, machine))
	}
	plan := compute.NewPlan(o.Name(), machine, append(stages, once...)...)
	plan.Notes = append(plan.Notes, note)
	return plan, nil
}

// planEvidence predicts a fit that factors dense matrices a number of times, and a search
// for the largest evidence before it.
func planEvidence(ctx context.Context, p *task.Task, name string, o compute.Options, work gp.Work, search bool, restarts int) (compute.Plan, error) {
	machine, err := p.Machine(ctx, o)
	if err != nil {
		return compute.Plan{}, err
	}
	n, _, _ := p.Dims()
	stages := p.BindCosts(machine)
	if search {
		stages = append(stages, work.SearchCost(n, restarts, machine))
	}
	plan := compute.NewPlan(name, machine, append(stages, work.Costs(n, machine)...)...)
	if search {
		plan = plan.AsRough(fmt.Sprintf("the search is planned with %d evaluations of the evidence per start; it may take fewer or more", gp.PlannedEvaluations))
	}
	return plan, nil
}
