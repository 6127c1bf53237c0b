package mercer

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/learner"
	"example.org/mercer/outcome"
	"example.org/mercer/outcome/tabular"
	"example.org/mercer/supervised/krr"
)

// conformal returns the conformal scores of the model, or an error where it has none.
func (m *Model) conformal() (outcome.Conformal, error) {
	scores, ok := learner.StateOf[*learner.ConformalScores](m.Fitted)
	switch {
	case !ok && m.Compression != nil:
		return outcome.Conformal{}, errCompressed
	case !ok:
		return outcome.Conformal{}, errors.New("mercer: the model holds no conformal scores; fit it with --conformal")
	}
	return scores.Of(m.Fitted), nil
}

// Bounds returns an interval for the number that each row predicts, with the given coverage in
// (0, 1), as [outcome.Conformal.Bounds] says.
func (m *Model) Bounds(p *outcome.Prediction, level float64) (lo, hi []float64, err error) {
	if len(p.Targets) == 1 && p.Targets[0].Labels != nil {
		return nil, nil, fmt.Errorf("mercer: target %s has labels: ask for sets of them", p.Targets[0].Name)
	}
	c, err := m.conformal()
	if err != nil {
		return nil, nil, err
	}
	if lo, hi, err = c.Bounds(p.Learned(), level); err != nil {
		return nil, nil, err
	}
	low, high := p.Bounded(mat.NewDense(len(lo), 1, lo), mat.NewDense(len(hi), 1, hi))
	return low.RawMatrix().Data, high.RawMatrix().Data, nil
}

// Sets returns for each row the labels that are not too unlikely, with the given coverage in
// (0, 1), as [outcome.Conformal.Sets] says.
func (m *Model) Sets(p *outcome.Prediction, level float64, perClass bool) ([][]string, error) {
	if len(p.Targets) == 1 && p.Targets[0].Labels == nil {
		return nil, fmt.Errorf("mercer: target %s is a number: ask for an interval", p.Targets[0].Name)
	}
	c, err := m.conformal()
	if err != nil {
		return nil, err
	}
	return c.Sets(p, level, perClass)
}

// HasIntervals reports whether the method of the model has intervals of its own, those of
// [Model.Intervals].
func (m *Model) HasIntervals() bool {
	s, ok := learner.StateOf[learner.Intervals](m.Fitted)
	if r, residuals := s.(learner.Residuals); residuals {
		return r.Residuals() != nil || m.Conformal() == nil // else it says what is missing
	}
	return ok
}

// intervalMethod returns the method that was named, or the one that suits the model where it is "".
func (m *Model) intervalMethod(named krr.IntervalMethod) krr.IntervalMethod {
	switch {
	case named != "":
		return named
	case m.HasIntervals():
		return krr.JackknifePlus
	}
	return outcome.ConformalIntervals
}

// answered returns what the model answers of what is asked: nothing that needs no kernel, or that
// it has no answer to.
func (m *Model) answered(a outcome.Asked) outcome.Asked {
	a.Method = m.intervalMethod(a.Method)
	if _, err := m.intervals(); err != nil || a.Level == 0 || a.Method == outcome.ConformalIntervals {
		return outcome.Asked{}
	}
	return a
}

// IntervalsBeside stores intervals with the given coverage among what stands beside predictions: by
// the method given, or by the one that suits the model where it is "".
func (m *Model) IntervalsBeside(ctx context.Context, a *tabular.Additions, p *outcome.Prediction, level float64, method krr.IntervalMethod, o compute.Options) (err error) {
	if method = m.intervalMethod(method); method == outcome.ConformalIntervals {
		a.Lower, a.Upper, err = m.Bounds(p, level)
	} else {
		a.Lo, a.Hi, err = m.Intervals(ctx, p, level, method, o)
	}
	return err
}
