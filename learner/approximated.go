package learner

import (
	"context"
	"errors"

	"example.org/mercer/task"
)

// errLandmarks is the refusal of a method whose answers need the training rows.
var ErrTrainingRows = errors.New("learner: what this method says beside its function depends on all training rows, which a model on landmarks or features does not keep: leave them out")

// learnable refuses methods that cannot learn from landmarks or, if the kernel is to be mapped,
// from features.
func learnable(m Learner, mapped bool) error {
	if o, asked := m.(interface{ CheckApproximated(mapped bool) error }); asked {
		return o.CheckApproximated(mapped)
	}
	return nil
}

// CheckScorable is learnable for a method that is also to speak of rows that are left out.
func CheckScorable(m Learner, mapped bool) error {
	if o, asked := m.(interface{ CheckHeldOut() error }); asked {
		return o.CheckHeldOut()
	}
	return learnable(m, mapped)
}

// onItsLandmarks makes what was learned with the kernel of landmarks a function of these.
func onItsLandmarks(ctx context.Context, p *task.Task, l *Fitted) error {
	err := l.restrict()
	if err != nil {
		return err
	}
	l.Function, err = p.Points.Collapse(ctx, l.Function)
	l.Rows = nil
	l.Report.Ran().Before(p.LandmarkMap.Run)
	return err
}

// inItsFeatures makes what was learned with the kernel of features weights of these.
func inItsFeatures(ctx context.Context, p *task.Task, l *Fitted) error {
	err := l.restrict()
	if err != nil {
		return err
	}
	l.Function, err = p.Points.WeighFeatures(ctx, l.Function)
	l.Rows, l.Names = nil, nil
	l.Report.Ran().Before(p.FeatureMap.Run)
	return err
}
