package cli

import (
	"strings"

	"example.org/mercer/learner"
	"example.org/mercer/loss"
	"example.org/mercer/supervised/newton"
)

// reportLines lays out the lines of a report: names, and what they are of. The names of the
// outputs stand behind those of lines that are of one, and form where the report has its place.
func reportLines(r learner.Report, outputs []string, form []string) [][]string {
	var lines [][]string
	for _, l := range r.Lines() {
		switch {
		case l.Form:
			lines = append(lines, form)
		case l.Output > 0:
			lines = append(lines, []string{strings.TrimSpace(l.Name + " " + outputs[l.Output-1]), l.Text})
		default:
			lines = append(lines, []string{l.Name, l.Text})
		}
	}
	return lines
}

// What some reports have beside their lines.
type (
	// candidates is the report of a method that compared candidates: a table of them.
	candidates interface{ Table() [][]string }
	// components has the shares of the variance that components explain.
	components interface{ ExplainedRatio() []float64 }
	// minimised is that of a sum of losses, which has pictures.
	minimised interface {
		NewtonTrace() *newton.Trace // nil: it was found otherwise
		RowLoss() (loss.Loss, error)
	}
)
