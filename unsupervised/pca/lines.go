package pca

import (
	"fmt"
	"strings"

	"example.org/mercer/model"
)

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	return []model.Line{
		model.CountLine("rows", r.N),
		model.Linef("solver", "%s (%s), residual %s", r.Solver, r.Why, model.FormatNumber(r.Residual)),
		model.FormLine(),
		model.NumberLine("total variance", r.Total),
		ExplainedLine(r.Ratio),
	}
}

// ExplainedRatio returns the shares of the total variance that the components explain.
func (r *Report) ExplainedRatio() []float64 { return r.Ratio }

// ExplainedLine is the line of the shares of the total variance that components explain, at most
// eight of them, and of how much all explain together.
func ExplainedLine(ratio []float64) model.Line {
	const shown = 8
	var parts []string
	sum := 0.0
	for j, v := range ratio {
		sum += v
		if j < shown {
			parts = append(parts, fmt.Sprintf("%.1f%%", 100*v))
		}
	}
	if len(ratio) > shown {
		parts = append(parts, "…")
	}
	return model.Linef("explained", "%s; together %.1f%%", strings.Join(parts, ", "), 100*sum)
}
