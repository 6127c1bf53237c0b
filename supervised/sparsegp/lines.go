package sparsegp

import (
	"example.org/mercer/model"
	"example.org/mercer/supervised/gp"
)

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	mean, objective := string(r.Mean), "log evidence"
	if r.Mean == gp.Constant {
		mean = "constant " + model.FormatNumbers(r.Constant)
	}
	noise, trace := model.FormatNumber(r.Noise), ""
	if r.RowNoise {
		noise += ", and of each row its own"
	}
	if r.Approximation == Variational {
		objective, trace = "evidence bound", " + trace "+model.FormatNumber(r.Trace)
	}
	lines := []model.Line{
		{Name: "noise σ²", Text: noise},
		{Name: "mean", Text: mean},
		model.CountLine("rows", r.N),
		model.FormLine(),
		model.Linef("process", "%s, jitter %s; the landmarks leave %s of the prior variance",
			r.Approximation, model.FormatNumber(r.Jitter), model.FormatNumber(r.TraceLeft)),
	}
	for j, v := range r.LogEvidence {
		lines = append(lines, model.Linef(objective, "%s = fit %s + complexity %s%s + constant",
			model.FormatNumber(v), model.FormatNumber(r.Fit[j]), model.FormatNumber(r.Complexity), trace))
		if r.Within != nil {
			lines = append(lines, model.Linef("exact evidence", "%s to %s, with this kernel and noise",
				model.FormatNumber(r.Within[j].Least), model.FormatNumber(r.Within[j].Most)))
		}
	}
	lines = append(lines, model.NumberLine("condition", r.Condition).InDetail(), model.Line{Name: "training RMSE", Text: model.FormatNumbers(r.RMSE)})
	return append(lines, r.Tuned.Lines()...)
}
