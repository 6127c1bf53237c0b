package gp

import (
	"strings"

	"example.org/mercer/model"
)

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	mean := string(r.Mean)
	if r.Mean == Constant {
		mean = "constant " + model.FormatNumber(r.Constant)
	}
	noise := model.FormatNumber(r.Noise)
	if r.RowNoise {
		noise += ", and of each row its own"
	}
	evidence := model.FormatNumber(r.LogEvidence)
	if it := r.CG; it != nil {
		evidence += " ± " + model.FormatNumber(it.StandardError)
	}
	lines := []model.Line{
		{Name: "noise σ²", Text: noise},
		{Name: "mean", Text: mean},
		model.CountLine("rows", r.N),
		model.FormLine(),
		model.Linef("log evidence", "%s = fit %s + complexity %s + constant", evidence, model.FormatNumber(r.Fit), model.FormatNumber(r.Complexity)),
	}
	lines = append(lines, r.CG.lines()...)
	if c := r.Cache; c != nil {
		lines = append(lines, model.Linef("variance cache", "rank %d; intervals wider than exact by %s at most, %s in the mean, at %d rows left out",
			c.Rank, model.FormatNumber(c.Widest), model.FormatNumber(c.Mean), c.Rows))
	}
	lines = append(lines, model.NumberLine("residual", r.Residual).InDetail())
	if r.CG == nil && r.Condition > 0 { // of an imported process it is not known
		lines = append(lines, model.NumberLine("condition", r.Condition).InDetail())
	}
	lines = append(lines, model.NumberLine("training RMSE", r.RMSE))
	return append(lines, r.Tuned.Lines()...)
}

// lines says what conjugate gradients did; nil: there were none.
func (r *CGReport) lines() []model.Line {
	if r == nil {
		return nil
	}
	lines := []model.Line{
		model.Linef("solver", "conjugate gradients: %d products for the coefficients and %d for %d probes of the evidence, a preconditioner of rank %d, Gram matrix: %s",
			r.Products, r.Steps, r.Probes, r.Rank, r.Storage),
	}
	if r.Least != nil {
		lines = append(lines, model.Linef("evidence within", "%s to %s, without chance", model.FormatNumber(*r.Least), model.FormatNumber(*r.Most)))
	}
	return lines
}

// Lines says what the search for the largest evidence did, for people; of nil, that is without a
// search, there are none.
func (r *TuneReport) Lines() []model.Line {
	if r == nil {
		return nil
	}
	var values []string
	for _, p := range r.Parameters {
		values = append(values, p.Name+" "+model.FormatNumber(p.Start)+" → "+model.FormatNumber(p.Value))
	}
	return []model.Line{
		model.Linef("search", "log evidence from %s to %s, gradient %s; %d starts, %d iterations, %d evaluations",
			model.FormatNumber(r.Start), model.FormatNumber(r.LogEvidence), model.FormatNumber(r.Gradient), len(r.Searches), r.Iterations, r.Evaluations),
		{Name: "found", Text: strings.Join(values, ", ")},
	}
}

// Lines returns the report as people read it.
func (r *ClassReport) Lines() []model.Line {
	lines := []model.Line{
		model.CountLine("rows", r.N),
		model.CountLine("labels", r.Classes),
		model.FormLine(),
		{Name: "log evidence", Text: model.FormatNumber(r.LogEvidence) + " (Laplace)"},
		{Name: "log likelihood", Text: model.FormatNumber(r.Likelihood) + " at the mode"},
		r.Newton.Line(),
		model.NumberLine("training accuracy", r.Accuracy),
	}
	return append(lines, r.Tuned.Lines()...)
}
