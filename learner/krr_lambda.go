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
	if o, chooses := m.(interface {
		choose(ctx context.Context, p *task.Task) (Learner, *settled, error)
	}); chooses {
		return o.choose(ctx, p)
	}
	return m, nil, nil
}

// choose finds λ where a criterion for it is given.
func (o KRR) choose(ctx context.Context, p *task.Task) (Learner, *settled, error) {
	if o.LambdaBy == "" {
		return o, nil, nil
	}
	s, err := o.settle(ctx, p)
	return o, s, err
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
