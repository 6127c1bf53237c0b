package klr

import "example.org/mercer/model"

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	return []model.Line{
		model.PenaltyLine(r.Lambda, r.Ridge, ""),
		model.CountLine("rows", r.N),
		model.Linef("solver", "%s (%s)", r.Solver, r.Why),
		model.FormLine(),
		model.NumberLine("objective", r.Objective),
		r.Newton.Line(),
		model.Linef("deviance", "%s of %s", model.FormatNumber(r.Deviance), model.FormatNumber(r.NullDeviance)),
		model.NumberLine("training accuracy", r.Accuracy),
	}
}
