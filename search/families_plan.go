package search

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/prep"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/mahalanobis"
	"example.org/mercer/task"
)

// planFamilies is [PlanTune] where the kernel is [Auto]. Which families go on to more rows is not
// known before: those of the list with a width are planned.
func planFamilies(ctx context.Context, t *data.Table, spec prep.Spec, m learner.Learner, o Search, fit func(best learner.Learner) learner.Learner) (*task.Task, compute.Plan, error) {
	if err := o.checkLeaves(t, spec, m); err != nil {
		return nil, compute.Plan{}, err
	}
	families, err := task.Families(t, spec)
	if err != nil {
		return nil, compute.Plan{}, err
	}
	typical := families[min(1, len(families)-1)]
	f := familySearch{Search: o, table: t, spec: spec, method: m}
	var stages []compute.Cost
	for level, r := range o.rungs(t.Rows(), len(families)) {
		count := r.families
		if level < 2 {
			count += added
		}
		if level == 0 {
			count += len(f.transforms())
		}
		if level == 1 && f.learnsMetrics(f.part(r.rows)) {
			count += metricSearches
		}
		kernel := typical.Kernel
		if level > 0 {
			if o.Options.Trials = narrowed; f.closedForm() {
				f.begin(&o, &FamilyScore{near: 1}, 1)
			}
		}
		if level > 1 {
			kernel = filled(kernel, []float64{1})
		}
		if f.follows(r.rows) || level == 0 {
			_, plan, err := PlanTune(ctx, f.part(r.rows), spec, kernel, m, o, nil)
			if err != nil {
				return nil, compute.Plan{}, err
			}
			stages = append(stages, times(asStage(plan, fmt.Sprintf("search on %d rows", r.rows)), count, fmt.Sprintf("search on %d rows", r.rows)))
		}
	}
	p, err := task.New(ctx, t, spec, filled(typical.Kernel, []float64{1, 1}))
	if err != nil {
		return nil, compute.Plan{}, err
	}
	if fit != nil {
		plan, err := learner.Plan(ctx, p, fit(f.planned(p)))
		if err != nil {
			return nil, compute.Plan{}, err
		}
		stages = append(stages, asStage(plan, "fit"))
	}
	machine, err := p.Machine(ctx, o.Options.Compute)
	if err != nil {
		return nil, compute.Plan{}, err
	}
	plan := compute.NewPlan("search by families", machine, stages...)
	plan.Notes = append(plan.Notes, fmt.Sprintf("which kernels go on to more rows is not known before: the time is that of %s", typical.Kernel))
	return p, plan, nil
}

// planned is the method as a search may find it.
func (f *familySearch) planned(p *task.Task) learner.Learner {
	if f.divides(f.table.Rows()) {
		return f.machine(p, mahalanobis.Identity, 1)
	}
	if tunable, ok := f.method.(learner.Tunable); ok && f.closedForm() {
		return tunable.With([]float64{1e-3})
	}
	return f.method
}
