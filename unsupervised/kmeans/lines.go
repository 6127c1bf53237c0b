package kmeans

import (
	"fmt"
	"strings"

	"example.org/mercer/model"
)

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	lines := []model.Line{model.CountLine("rows", r.N)}
	if len(r.Candidates) > 0 {
		lines = append(lines, r.silhouettes())
	}
	iterations := fmt.Sprint(r.Iterations)
	if !r.Converged {
		iterations += ", NOT AT REST"
	}
	lines = append(lines,
		model.CountLine("clusters", r.K),
		sizesLine(r.Sizes),
		model.FormLine(),
		model.Linef("objective", "%s, best of %d starts", model.FormatNumber(r.Objective), len(r.Objectives)),
		model.Line{Name: "iterations", Text: iterations})
	if r.Relocated > 0 {
		lines = append(lines, model.Linef("relocated", "%d times an empty cluster was given a far row", r.Relocated))
	}
	return lines
}

// silhouettes is the line of the numbers of clusters that were compared.
func (r *Report) silhouettes() model.Line {
	var tried []string
	for _, c := range r.Candidates {
		tried = append(tried, fmt.Sprintf("%d: %.3f", c.K, c.Silhouette))
	}
	text := strings.Join(tried, ", ")
	if r.SilhouetteRows > 0 {
		text += fmt.Sprintf(" (of %d rows, drawn at random)", r.SilhouetteRows)
	}
	return model.Line{Name: "silhouettes", Text: text}
}

func sizesLine(sizes []int) model.Line {
	var parts []string
	for _, n := range sizes {
		parts = append(parts, fmt.Sprint(n))
	}
	return model.Line{Name: "sizes", Text: strings.Join(parts, ", ")}
}

// Lines returns the report as people read it.
func (r *SpectralReport) Lines() []model.Line {
	var values []string
	for _, v := range r.Eigenvalues {
		values = append(values, fmt.Sprintf("%.4f", v))
	}
	return []model.Line{
		model.CountLine("rows", r.N),
		{Name: "eigenvalues", Text: strings.Join(values, ", ")},
		model.Linef("clusters", "%d, gap %s after them", r.K, model.FormatNumber(r.Gap)),
		sizesLine(r.Sizes),
		model.FormLine(),
		model.Linef("normalised cut", "%s (before refinement %s; %d rows moved)", model.FormatNumber(r.Cut), model.FormatNumber(r.Relaxed), r.Moved),
		model.CountLine("unjoined parts", r.Components),
	}
}
