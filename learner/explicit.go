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

// whyNotExplicit returns why a method with this solver does not learn in explicit features here.
func whyNotExplicit(p *task.Task, s space.Solver) string {
	if _, primal := p.Points.ChoosePrimal(s); !primal {
		return gramOfRows
	}
	return ""
}

// exactSolver is what a solver is in the span of the rows.
func exactSolver(p *task.Task, s space.Solver) space.Solver {
	if s == space.Auto || s == "" {
		return space.Direct(p.Pairs())
	}
	return s
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
