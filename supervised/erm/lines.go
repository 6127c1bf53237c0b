package erm

import (
	"fmt"

	"example.org/mercer/model"
)

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	objective := model.FormatNumber(r.Objective)
	if r.Local {
		objective += ", a local minimum (the loss is not convex)"
	} else {
		objective += fmt.Sprintf(", at most %s above the minimum", model.FormatNumber(r.Gap))
	}
	return []model.Line{
		{Name: "loss", Text: r.Loss},
		model.PenaltyLine(r.Lambda, r.Ridge, ""),
		model.CountLine("rows", r.N),
		model.Linef("solver", "%s (%s), %d weighted ridge regressions", r.Solver, r.Why, r.Iterations),
		model.FormLine(),
		{Name: "objective", Text: objective},
		model.Linef("support", "%d rows have a coefficient", r.Support),
	}
}

// Lines returns the report as people read it.
func (r *QuantileReport) Lines() []model.Line {
	lines := []model.Line{model.FormLine()}
	for i, tau := range r.Taus {
		e := r.Each[i]
		lines = append(lines, model.Linef(fmt.Sprintf("quantile %g", tau), "objective %s, at most %s above the minimum; λ %s",
			model.FormatNumber(e.Objective), model.FormatNumber(e.Gap), model.FormatNumber(e.Lambda)))
	}
	return append(lines, model.Linef("crossings", "%d training rows, put in order at prediction (at most %s)", r.Crossed, model.FormatNumber(r.Worst)))
}
