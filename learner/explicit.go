package learner

import (
	"context"

	"example.org/mercer/gram"
	"example.org/mercer/space"
	"example.org/mercer/task"
)

// spaced is a method that seeks its function in a space.
type spaced interface {
	indexed
	// space says which one, and how its systems are solved.
	space() space.Options
	solveIn(ctx context.Context, s space.Space, p *task.Task) (*solution, error)
}

// explicit returns why a method that learns in explicit features, where they are fewer than the
// rows, cannot here; dual says that it is not to.
func whyNotExplicit(p *task.Task, dual bool) string {
	if _, primal := p.Points.ChoosePrimal(space.Auto); dual || !primal {
		return gramOfRows
	}
	return ""
}

// fitInSpace runs a method in the space of the points, or on their treated Gram matrix.
func fitInSpace(ctx context.Context, p *task.Task, m spaced) (*Fitted, error) {
	if p.Indefinite != "" {
		return fitOnGram(ctx, p, m)
	}
	in, err := p.Points.Space(ctx, m.space())
	if err != nil {
		return nil, err
	}
	s, err := m.solveIn(ctx, in.Space, p)
	if err != nil {
		return nil, err
	}
	return inSpace(p, in, s), nil
}

// solveOnGram solves in the span of the rows of a Gram matrix.
func solveOnGram(ctx context.Context, k gram.Operator, p *task.Task, m spaced) (*solution, error) {
	s, err := space.DualOf(ctx, k, m.space())
	if err != nil {
		return nil, err
	}
	return m.solveIn(ctx, s, p)
}

// inSpace makes a solution a function: over the rows whose coefficients are not zero, or of
// features.
func inSpace(p *task.Task, in *task.Space, s *solution) *Fitted {
	l := &Fitted{Decision: s.decision, Report: s.report}
	if _, ok := in.Space.(space.Spanned); ok {
		l.Function, l.Rows = p.Points.Expand(s.coef, s.bias)
	} else {
		l.Function = in.Function(s.coef, s.bias)
	}
	return l
}
