package kpca

import (
	"cmp"

	"example.org/mercer/model"
	"example.org/mercer/unsupervised/pca"
)

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	solver := model.Linef("solver", "%s (%s)", r.Solver, r.Why)
	if r.Lanczos != nil {
		solver = model.Linef("solver", "%s (%s; matrix %s, %d products, residual %s)", r.Solver, r.Why, cmp.Or(r.Storage, "as it was"),
			r.Lanczos.Products, model.FormatNumber(r.Lanczos.Residual))
	}
	return []model.Line{
		model.CountLine("rows", r.N),
		solver,
		model.FormLine(),
		model.NumberLine("total variance", r.Total),
		pca.ExplainedLine(r.Ratio),
	}
}

// ExplainedRatio returns the shares of the total variance that the components explain.
func (r *Report) ExplainedRatio() []float64 { return r.Ratio }
