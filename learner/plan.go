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

// Plan predicts memory and time of [Fit] on this machine.
func Plan(ctx context.Context, p *task.Task, m Learner) (compute.Plan, error) {
	if err := checkPasses(p, m); err != nil {
		return compute.Plan{}, err
	}
	how := m.ComputeOptions()
	how.Checkpoint = nil // a trial is no step of the fit
	plan, err := m.WithCompute(how).Plan(ctx, p)
	if err == nil {
		plan, err = planNetwork(ctx, p, m, plan)
	}
	if err != nil {
		return plan, err
	}
	maps := task.Mappings
	often, counts := m.(mapping)
	if counts {
		maps = often.Mappings(p)
	}
	if plan.Passes > 0 { // which the method counted for this fit
		maps = plan.Passes
	}
	_, columns, targets := p.Dims()
	if !p.Approximated() {
		passes := plan.Passes
		if (counts || targets > 0) && p.FeatureCount() > 0 { // in the features that the kernel has
			passes = maps
		}
		return p.PlanElsewhere(p.CountReading(plan, passes), passes), nil
	}
	plan = p.CountReading(plan, maps)
	if p.FeatureMap != nil {
		return p.PlanElsewhere(p.FeatureMap.Approximate(plan, columns, maps), maps), nil
	}
	o, ok := m.(interface{ SumsOnLandmarks(solver string) bool })
	plan = p.LandmarkMap.Approximate(plan, targets, maps, ok && o.SumsOnLandmarks(plan.Solver))
	return p.PlanElsewhere(plan, maps), nil
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
