package gmm

import (
	"fmt"
	"slices"
	"strings"

	"example.org/mercer/model"
)

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	lines := []model.Line{model.CountLine("rows", r.N)}
	if len(r.Candidates) > 0 {
		lines = append(lines, compared(r.Candidates))
	}
	return append(lines,
		model.Linef("components", "%d, covariances %s, %d free numbers", r.K, r.Shape, r.Parameters),
		model.Linef("log-likelihood", "%s, best of %d starts", model.FormatNumber(r.LogLikelihood), len(r.LogLikelihoods)),
		model.Line{Name: "BIC, AIC, ICL", Text: model.FormatNumbers([]float64{r.BIC, r.AIC, r.ICL})},
		model.CountLine("iterations", r.Iterations))
}

// compared is the line of how many mixtures of which shapes were compared.
func compared(tried []Candidate) model.Line {
	var shapes []string
	collapsed := 0
	for _, c := range tried {
		if name := string(c.Shape); !slices.Contains(shapes, name) {
			shapes = append(shapes, name)
		}
		if c.Collapsed {
			collapsed++
		}
	}
	text := fmt.Sprintf("%d to %d components, %s", tried[0].K, tried[len(tried)-1].K, strings.Join(shapes, ", "))
	if collapsed > 0 {
		text += fmt.Sprintf("; %d of %d have collapsed", collapsed, len(tried))
	}
	return model.Line{Name: "candidates", Text: text}
}

// Table lists the mixtures that were compared, below a row of headings; nil where one was fitted
// and none compared.
func (r *Report) Table() [][]string {
	if len(r.Candidates) == 0 {
		return nil
	}
	table := [][]string{{"components", "shape", "log-likelihood", "numbers", "BIC", "AIC", "ICL", ""}}
	for _, c := range r.Candidates {
		mark := ""
		if c.Collapsed {
			mark = "collapsed"
		}
		table = append(table, []string{fmt.Sprint(c.K), string(c.Shape), model.FormatNumber(c.LogLikelihood), fmt.Sprint(c.Parameters),
			model.FormatNumber(c.BIC), model.FormatNumber(c.AIC), model.FormatNumber(c.ICL), mark})
	}
	return table
}
