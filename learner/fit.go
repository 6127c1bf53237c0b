package learner

import (
	"context"
	"errors"
	"fmt"

	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
	"example.org/mercer/supervised/dkl"
	"example.org/mercer/task"
)

// Fit solves the problem by a method.
func Fit(ctx context.Context, p *task.Task, method Learner) (*Fitted, error) {
	if p.LandmarkMap != nil || p.FeatureMap != nil {
		if err := learnable(method, p.FeatureMap != nil); err != nil {
			return nil, err
		}
	}
	if err := checkPasses(p, method); err != nil {
		return nil, err
	}
	if err := checkNetwork(p, method); err != nil {
		return nil, err
	}
	remarks, err := p.Look()
	if err != nil {
		return nil, err
	}
	fitting, read := p.CancelOnReadError(ctx)
	method, report, err := chooseParameters(fitting, p, method)
	if err != nil {
		return nil, orTreated(p, method, read(err))
	}
	l, err := method.Fit(fitting, p)
	if err := read(err); err != nil {
		return nil, orTreated(p, method, p.Placed(err))
	}
	if report != nil {
		report(l)
	}
	if err := replaceKernel(ctx, p, l); err != nil {
		return nil, err
	}
	if p.Indefinite == "" && p.Derivation().Verdict == kernel.Indefinite {
		l.Report.Ran().Warn("the kernel %s is not positive definite, and its matrix was taken as it is: what was found need not be the best of its problem; a treatment of the matrix makes it one (--psd)", p.Kernel())
	}
	for _, r := range remarks {
		l.Report.Ran().Warn("%s", r)
	}
	l.KeepWeights(p.Rows.W)
	return l, nil
}

// checkNetwork refuses a network that nobody has learned: its weights are where learning starts.
func checkNetwork(p *task.Task, m Learner) error {
	if dkl.LearnedBy(m) || !p.LacksNetwork() {
		return nil
	}
	return fmt.Errorf("learner: the network of %s has no weights, and method %q does not learn them here: fit a model with this kernel first, whose kernel has them", p.Kernel(), m.Name())
}

// chooser is a method that may choose parameters by looking at the task before it learns, as ridge
// regression does λ. Report puts what was chosen in the report of the fit; nil: nothing was.
type chooser interface {
	Choose(ctx context.Context, p *task.Task) (chosen Learner, report func(*Fitted), err error)
}

// chooseParameters lets a method choose what it is told to choose.
func chooseParameters(ctx context.Context, p *task.Task, m Learner) (Learner, func(*Fitted), error) {
	if o, chooses := m.(chooser); chooses {
		return o.Choose(ctx, p)
	}
	return m, nil, nil
}

// replaceKernel makes what was learned on landmarks or features a function of these.
func replaceKernel(ctx context.Context, p *task.Task, l *Fitted) error {
	switch {
	case p.LandmarkMap != nil && l.Exact:
		l.Report.Ran().Before(p.LandmarkMap.Run)
	case p.LandmarkMap != nil:
		return onItsLandmarks(ctx, p, l)
	case p.FeatureMap != nil && l.Exact:
		l.Report.Ran().Before(p.FeatureMap.Run)
	case p.FeatureMap != nil:
		return inItsFeatures(ctx, p, l)
	}
	return nil
}

// orTreated adds to an error about a matrix that is not positive definite what else can be
// done about it.
func orTreated(p *task.Task, method Learner, err error) error {
	var np *linalg.NotPositiveDefinite
	if _, ok := method.(Solver); !ok || p.Indefinite != "" || !errors.As(err, &np) {
		return err
	}
	return fmt.Errorf("%w; or let the matrix be treated (--psd clip, flip or shift)", err)
}
