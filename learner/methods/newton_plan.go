package methods

import (
	"context"
	"fmt"

	"example.org/mercer/learner"
	"example.org/mercer/supervised/newton"
	"example.org/mercer/task"
)

// stepRows is the number of rows on which the steps of Newton's method are counted, and
// fewestForSteps that from which it pays: their factor is then 1/64 of one step.
const stepRows, fewestForSteps = 256, 4 * 256

// traced is a report of a fit by Newton's method.
type traced interface {
	NewtonTrace() *newton.Trace // nil: it was found otherwise
}

// triedSteps counts the steps that a method takes on an even sample of the rows; 0: they were not
// tried. Newton's method takes about as many on all rows: its convergence depends on the function
// that is sought, and hardly on how finely it was sampled.
func triedSteps(ctx context.Context, p *task.Task, m learner.Learner) int {
	if p.Points.Size() < fewestForSteps {
		return 0
	}
	l, err := m.Fit(ctx, p.EvenSample(stepRows))
	if err != nil {
		return 0
	}
	r, ok := l.Report.(traced)
	if !ok || r.NewtonTrace() == nil {
		return 0
	}
	return r.NewtonTrace().Iterations
}

// stepsNote says where the number of steps in a plan comes from.
func stepsNote(tried, assumed int) string {
	if tried > 0 {
		return fmt.Sprintf("Newton's method took %d steps on %d of the rows", tried, stepRows)
	}
	return fmt.Sprintf("Newton's method is assumed to take %d steps", assumed)
}
