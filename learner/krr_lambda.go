package learner

import (
	"context"
	"errors"

	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// settled is what a method chose by looking at the problem, before it learns.
type settled struct {
	by  krr.Criterion
	run model.Run
}

// chooseParameters lets a method choose what it is told to choose: [KRR] its λ. Nil: nothing was.
func chooseParameters(ctx context.Context, p *task.Task, m Learner) (Learner, *settled, error) {
	switch m := m.(type) {
	case Calibrated:
		inner, s, err := chooseParameters(ctx, p, m.Learner)
		m.Learner = inner
		return m, s, err
	case KRR:
		if m.LambdaBy == "" {
			return m, nil, nil
		}
		s, err := m.settle(ctx, p)
		return m, s, err
	}
	return m, nil, nil
}

// settle finds λ along the path.
func (o *KRR) settle(ctx context.Context, p *task.Task) (*settled, error) {
	if o.Lambda != 0 || o.Ridge != 0 {
		return nil, errors.New("learner: λ is given, and is also to be chosen along its path: leave one of them out")
	}
	if err := o.LambdaBy.Check(); err != nil {
		return nil, err
	}
	s, watch := &settled{by: o.LambdaBy}, model.NewStopwatch()
	path, err := NewRidgePath(ctx, p, o.NoIntercept, o.Compute)
	if err != nil {
		return nil, err
	}
	over := tune.RangeFor(path.scale())
	if o.Lambda, _, err = tune.Lambda(ctx, path, o.LambdaBy, over); err != nil {
		return nil, err
	}
	if end, edge := over.Edge(o.Lambda); edge {
		s.run.Warn("λ = %.3g has the least %s, and is an end of what was searched, %.3g to %.3g: give --lambda, or another kernel", end, o.LambdaBy, over.Lower, over.Upper)
	}
	watch.Lap(&s.run, "path of λ")
	return s, nil
}

// tell puts what was chosen in the report.
func (s *settled) tell(l *Fitted) {
	if s == nil {
		return
	}
	r := l.Report.(*krr.Report)
	r.LambdaBy = s.by
	r.Before(s.run)
}
