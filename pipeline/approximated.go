package pipeline

import (
	"context"
	"errors"

	"example.org/mercer/task"
)

// errLandmarks is the refusal of a method whose answers need the training rows.
var errLandmarks = errors.New("pipeline: what this method says beside its function depends on all training rows, which a model on landmarks or features does not keep: leave them out")

// learnable refuses methods that cannot learn from landmarks or, if the kernel is to be mapped,
// from features.
func learnable(m Method, mapped bool) error {
	switch o := m.(type) {
	case GP:
		return o.learnable(mapped)
	case GPC:
		return o.learnable()
	case Calibrated:
		return scorable(o.Method, mapped)
	}
	return nil
}

// scorable is learnable for a method that is also to speak of rows that are left out.
func scorable(m Method, mapped bool) error {
	if _, latent := m.(GPC); latent {
		return errAveraged
	}
	return learnable(m, mapped)
}

// onItsLandmarks makes what was learned on a low-rank kernel a function on the landmarks. What
// the model would keep of training rows is left out.
func onItsLandmarks(ctx context.Context, p *task.Task, l *learned) error {
	if l.latent != nil || l.noise.train != nil || l.weighted {
		return errLandmarks
	}
	var err error
	l.f, err = p.Points.Collapse(ctx, l.f)
	l.loo, l.trained, l.targets, l.factor = nil, nil, nil, nil
	l.report.Ran().Before(p.LandmarkMap.Run)
	return err
}

// inItsFeatures makes what was learned on features a function of them. What the model would keep of
// training rows is left out.
func inItsFeatures(ctx context.Context, p *task.Task, l *learned) error {
	if l.latent != nil || l.noise.column != "" || l.weighted {
		return errLandmarks
	}
	var err error
	l.f, err = p.Points.WeighFeatures(ctx, l.f)
	l.loo, l.trained, l.names, l.targets, l.factor = nil, nil, nil, nil, nil
	l.report.Ran().Before(p.FeatureMap.Run)
	return err
}
