package falkon

import (
	"math"

	"example.org/mercer/model"
)

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	lines := []model.Line{
		{Name: "loss", Text: r.Loss},
		model.PenaltyLine(r.Lambda, r.Ridge, ""),
		model.CountLine("rows", r.N),
		model.Linef("landmarks", "%d, %s", r.Landmarks, r.Scheme),
		model.FormLine(),
	}
	if r.Optimized != nil {
		lines = append(lines, r.Optimized.line())
	}
	if r.ResidualKernel != nil {
		lines = append(lines, model.Linef("not explained", "%s of the trace of the kernel, %s of its norm, on %d rows that are no landmarks",
			model.FormatNumber(r.ResidualKernel.Trace), model.FormatNumber(r.ResidualKernel.Frobenius), r.ResidualKernel.Rows))
	}
	lines = append(lines,
		model.Linef("objective", "%s, at most %s above its minimum on the landmarks", model.FormatNumber(r.Objective), model.FormatNumber(r.Gap)),
		r.residual())
	if r.Validation != nil {
		lines = append(lines, model.Linef("validation", "loss %s of the rows left out, at step %d of %d",
			model.FormatNumber(r.Validation[r.Best]), r.Best+1, len(r.Validation)))
	}
	return lines
}

// residual is the line of the residual, and of the passes that led to it.
func (r *Report) residual() model.Line {
	residual := model.FormatNumber(r.Residual)
	if r.Passes == 0 && r.Gradients == 0 {
		return model.Linef("residual", "%s of normal equations from sums over the rows", residual)
	}
	return model.Linef("residual", "%s after %d passes in %s precision; %d gradients, %d of them in double",
		residual, r.Passes, r.Precision, r.Gradients, r.DoublePasses)
}

func (d *LandmarkReport) line() model.Line {
	return model.Linef("descent", "of %s, step %d of %d by %d rows: RMSE %s of rows left out, %s at the start",
		d.Of, d.Best, len(d.Judged)-1, d.Rows, model.FormatNumber(math.Sqrt(d.Judged[d.Best])), model.FormatNumber(math.Sqrt(d.Judged[0])))
}
