package learner

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/supervised/dkl"
	"example.org/mercer/task"
)

// mapping is a method that says how often it computes the features of a row, where they stand
// for the kernel; others do as often as [passes].
type mapping interface {
	Mappings(p *task.Task) int
}

// Plan predicts memory and time of [Fit]: on this machine, or with passes that others make.
func Plan(ctx context.Context, p *task.Task, m Learner) (compute.Plan, error) {
	plan, passes, err := PlanHere(ctx, p, m)
	if err != nil {
		return plan, err
	}
	return p.PlanElsewhere(plan, passes), nil
}

// PlanHere is [Plan] on this machine, whoever makes the passes. It returns how many of these there
// are over all rows; 0: not known. Features are computed in each pass.
func PlanHere(ctx context.Context, p *task.Task, m Learner) (plan compute.Plan, passes int, err error) {
	if err := checkPasses(p, m); err != nil {
		return plan, 0, err
	}
	how := m.ComputeOptions()
	how.Checkpoint = nil // a trial is no step of the fit
	if plan, err = m.WithCompute(how).Plan(ctx, p); err == nil {
		plan, err = planNetwork(ctx, p, m, plan)
	}
	if err != nil {
		return plan, 0, err
	}
	passes = passesOf(p, m, plan)
	_, columns, targets := p.Dims()
	plan = p.CountReading(plan, passes)
	switch o, ok := m.(interface{ SumsOnLandmarks(solver string) bool }); {
	case !p.Approximated():
	case p.FeatureMap != nil:
		plan = p.FeatureMap.Approximate(plan, columns, passes)
	default:
		plan = p.LandmarkMap.Approximate(plan, targets, passes, ok && o.SumsOnLandmarks(plan.Solver))
	}
	return plan, passes, nil
}

// passesOf returns how often a fit goes over the rows, of which the plan by the method alone is
// given.
func passesOf(p *task.Task, m Learner, plan compute.Plan) int {
	maps := task.Mappings
	often, counts := m.(mapping)
	if counts {
		maps = often.Mappings(p)
	}
	if plan.Passes > 0 { // which the method counted for this fit
		maps = plan.Passes
	}
	_, _, targets := p.Dims()
	if p.Approximated() || (counts || targets > 0) && p.FeatureCount() > 0 { // in the features that the kernel has
		return maps
	}
	return plan.Passes
}

// planNetwork adds to a plan the network that is learned before the method.
func planNetwork(ctx context.Context, p *task.Task, m Learner, plan compute.Plan) (compute.Plan, error) {
	if !p.LacksNetwork() || dkl.LearnedBy(m) {
		return plan, nil
	}
	machine, err := p.Machine(ctx, m.ComputeOptions())
	if err != nil {
		return plan, err
	}
	plan = plan.Before(p.Network.Plan(p.Points.Size(), machine))
	plan.Notes = append(plan.Notes, p.Network.Note())
	return plan, nil
}
