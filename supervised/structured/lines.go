package structured

import "example.org/mercer/model"

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	lines := []model.Line{
		model.PenaltyLine(r.Lambda, r.Ridge, ""),
		model.CountLine("rows", r.N),
		model.FormLine(),
		model.NumberLine("training loss", r.Loss),
	}
	if r.LOOLoss != nil {
		lines = append(lines, model.NumberLine("leave-one-out loss", *r.LOOLoss))
	}
	return lines
}
