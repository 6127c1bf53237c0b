package svm

import (
	"fmt"

	"example.org/mercer/model"
)

// listed is the number of problems that [Report.Lines] has a line for each; of more the last line
// counts those that it leaves out.
const listed = 10

// Lines returns the report as people read it.
func (r *Report) Lines() []model.Line {
	lines := []model.Line{{Name: "problem", Text: string(r.Type)}}
	if r.N > 0 { // of an imported model they are not known
		lines = append(lines, model.CountLine("rows", r.N))
	}
	lines = append(lines, model.FormLine(), model.CountLine("support vectors", r.SupportVectors))
	for j, m := range r.Problems[:min(listed, len(r.Problems))] {
		lines = append(lines, model.Line{Text: m.text(), Output: j + 1})
	}
	if more := len(r.Problems) - listed; more > 0 {
		lines = append(lines, model.Linef("…", "%d more machines (--json lists them)", more))
	}
	return lines
}

// text says how one problem was solved.
func (m *BinaryProblem) text() string {
	state := ""
	if !m.Converged {
		state = ", NOT CONVERGED"
	}
	return fmt.Sprintf("objective %s, gap %s%s, violation %s%s; %d support vectors, %d at the bound",
		model.FormatNumber(m.Objective), model.FormatNumber(m.Gap), m.withKernel(), model.FormatNumber(m.Violation), state, m.Support, m.Bounded)
}

// withKernel says what is known of the solution in the problem with the kernel itself, where
// another stood for it.
func (m *BinaryProblem) withKernel() string {
	switch {
	case m.ModelGap > 0:
		return fmt.Sprintf(" (with the kernel itself %s, of its coefficients %s)", model.FormatNumber(m.ModelGap), model.FormatNumber(m.ExactGap))
	case m.ExactGap > 0:
		return fmt.Sprintf(" (of its coefficients with the kernel itself %s)", model.FormatNumber(m.ExactGap))
	case m.StartGap > 0:
		return fmt.Sprintf(" (polished from %s)", model.FormatNumber(m.StartGap))
	}
	return ""
}
