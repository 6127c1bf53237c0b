package pipeline

import (
	"errors"
	"fmt"

	"example.org/mercer/outcome"
	"example.org/mercer/supervised/krr"
)

// conformal returns the conformal scores of the model, or an error where it has none.
func (m *Model) conformal() (outcome.Conformal, error) {
	if m.Conformal == nil {
		return outcome.Conformal{}, errors.New("pipeline: the model holds no conformal scores; fit it with --conformal (pipeline.Calibrated)")
	}
	return outcome.Conformal{Values: m.Conformal, Weights: m.Weights}, nil
}

// Bounds returns an interval for the number that each row predicts, with the given coverage in
// (0, 1), as [outcome.Conformal.Bounds] says.
func (m *Model) Bounds(p *outcome.Prediction, level float64) (lo, hi []float64, err error) {
	if len(p.Targets) == 1 && p.Targets[0].Labels != nil {
		return nil, nil, fmt.Errorf("pipeline: target %s has labels: ask for sets of them", p.Targets[0].Name)
	}
	c, err := m.conformal()
	if err != nil {
		return nil, nil, err
	}
	return c.Bounds(p, level)
}

// Sets returns for each row the labels that are not too unlikely, with the given coverage in
// (0, 1), as [outcome.Conformal.Sets] says.
func (m *Model) Sets(p *outcome.Prediction, level float64, perClass bool) ([][]string, error) {
	if len(p.Targets) == 1 && p.Targets[0].Labels == nil {
		return nil, fmt.Errorf("pipeline: target %s is a number: ask for an interval", p.Targets[0].Name)
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
	if _, ridge := m.Report.(*krr.Report); ridge {
		return m.LOO != nil || m.Conformal == nil // else it says what is missing
	}
	return isProcess(m.Report)
}
