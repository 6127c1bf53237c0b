package krr

import (
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/model"
)

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	chosen := ""
	if r.LambdaBy != "" {
		chosen = fmt.Sprintf("; the least %s along its path", r.LambdaBy)
	}
	lines := []model.Line{
		model.PenaltyLine(r.Lambda, r.Ridge, chosen),
		model.CountLine("rows", r.N),
		model.Linef("solver", "%s (%s)", r.Solver, r.Why),
		model.FormLine(),
		{Name: "residual", Text: r.residual(), Detail: true},
	}
	if r.Condition > 0 {
		lines = append(lines, model.NumberLine("condition", r.Condition).InDetail())
	}
	outputs := len(r.Train.RMSE)
	if r.Train.Decided != nil {
		outputs = 1 // the labels are decided together
	}
	for j := range outputs {
		lines = append(lines, r.Train.line("train", j))
		if r.Point != nil {
			lines = append(lines, r.Point.LOO.line("leave-one-out", j))
		}
	}
	if r.Point != nil {
		lines = append(lines, model.NumberLine("degrees of freedom", r.Point.DOF))
	}
	return lines
}

// line is the line of the scores of one output: of labels the share of right decisions, because
// errors of their codes say little.
func (s *Scores) line(rows string, output int) model.Line {
	switch {
	case s.Decided != nil:
		return model.NumberLine(rows+" accuracy", *s.Decided)
	case s.Accuracy != nil:
		return model.Line{Name: rows + " accuracy", Text: model.FormatNumber(s.Accuracy[output]), Output: output + 1}
	}
	text := model.FormatNumber(s.RMSE[output]) + ", R² " + model.FormatNumber(s.R2[output])
	return model.Line{Name: rows + " RMSE", Text: text, Output: output + 1}
}

// residual says how the residual was reached where that took more than one solve.
func (r *Report) residual() string {
	how := ""
	switch {
	case r.Sample > 0:
		how = fmt.Sprintf(" after %d passes in double and %d in single precision, by the factor of a sample of %d rows",
			r.Iterations, r.SingleProducts, r.Sample)
	case r.SingleProducts > 0:
		how = fmt.Sprintf(" after %d products in double and %d in single precision", r.Iterations, r.SingleProducts)
	case r.Iterations > 0 && r.Precision == compute.Single.String():
		how = fmt.Sprintf(" after %d products in double precision that refine a factor in single precision", r.Iterations)
	case r.Iterations > 0:
		how = fmt.Sprintf(" after %d products", r.Iterations)
	}
	return model.FormatNumber(r.Residual) + how
}
