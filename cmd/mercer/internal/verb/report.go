package verb

import (
	"fmt"
	"slices"
	"strings"

	"example.org/mercer"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/dkl"
)

// ReportLines lays out the lines of a report: names, and what they are of. The names of the
// outputs stand behind those of lines that are of one, and form where the report has its place.
// Details are left out where brief.
func ReportLines(r learner.Report, outputs []string, form []string, brief bool) [][]string {
	var lines [][]string
	for _, l := range r.Lines() {
		switch {
		case brief && l.Detail:
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

// NetworkLines says how a network was learned; nil: none was.
func NetworkLines(r *dkl.Report) (lines [][]string) {
	if r == nil {
		return nil
	}
	for _, l := range r.Lines() {
		lines = append(lines, []string{l.Name, l.Text})
	}
	return lines
}

// HeldLines says what a model has from rows left out.
func HeldLines(m *mercer.Model) [][]string {
	lines := NetworkLines(m.Network)
	if c := m.Decision.Calibration; c != nil {
		lines = append(lines, []string{"probabilities", fmt.Sprintf("%s, fitted to %d rows left out", c.Method, c.Rows)})
	}
	if m.Conformal() != nil {
		n, _ := m.Conformal().Dims()
		lines = append(lines, []string{"conformal", fmt.Sprintf("scores of %d rows left out", n)})
	}
	if c := m.Compression; c != nil {
		lines = append(lines, []string{"compressed", fmt.Sprintf("to %d of %d rows, relative distance %s", c.Points, c.N, Num(slices.Max(c.Distance)))})
	}
	return lines
}
