package methods

import (
	"context"
	"errors"

	"example.org/mercer/learner"
	"example.org/mercer/model"
	"example.org/mercer/supervised/krr"
	"example.org/mercer/task"
	"example.org/mercer/tune"
)

// Choose finds λ along its path where a criterion for it is given.
func (o KRR) Choose(ctx context.Context, p *task.Task) (learner.Learner, func(*learner.Fitted), error) {
	if o.LambdaBy == "" {
		return o, nil, nil
	}
	if o.Lambda != 0 || o.Ridge != 0 {
		return nil, nil, errors.New("learner: λ is given, and is also to be chosen along its path: leave one of them out")
	}
	if err := o.LambdaBy.Check(); err != nil {
		return nil, nil, err
	}
	run, watch := model.Run{}, model.NewStopwatch()
	path, err := learner.NewRidgePath(ctx, p, o.NoIntercept, o.Compute)
	if err != nil {
		return nil, nil, err
	}
	over := tune.RangeFor(path.Scale())
	if o.Lambda, _, err = tune.Lambda(ctx, path.Path, o.LambdaBy, over); err != nil {
		return nil, nil, err
	}
	if end, edge := over.Edge(o.Lambda); edge {
		run.Warn("λ = %.3g has the least %s, and is an end of what was searched, %.3g to %.3g: give --lambda, or another kernel", end, o.LambdaBy, over.Lower, over.Upper)
	}
	watch.Lap(&run, "path of λ")
	return o, func(l *learner.Fitted) {
		r := l.Report.(*krr.Report)
		r.LambdaBy = o.LambdaBy
		r.Before(run)
	}, nil
}
