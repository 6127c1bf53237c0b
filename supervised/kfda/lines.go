package kfda

import "example.org/mercer/model"

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	return []model.Line{
		model.PenaltyLine(r.Lambda, r.Ridge, ""),
		model.CountLine("rows", r.N),
		model.CountLine("classes", r.Classes),
		model.FormLine(),
		{Name: "between/within", Text: model.FormatNumbers(r.Ratios)},
		model.NumberLine("training accuracy", r.Accuracy),
	}
}

// Lines returns the report as people read it.
func (r *BarycentreReport) Lines() []model.Line {
	return []model.Line{
		model.CountLine("rows", r.N),
		model.CountLine("classes", r.Classes),
		model.FormLine(),
		model.NumberLine("training accuracy", r.Accuracy),
	}
}
