package task

import (
	"context"
	"errors"
	"fmt"

	"example.org/mercer/approx/filters"
	"example.org/mercer/compute"
	"example.org/mercer/supervised/sckn"
)

// TrainFilters returns the task with the filters of its feature map moved by the targets, labels by
// their codes, where [Approximation.Training] asks for it; see package sckn. Any other task is
// returned as it is. The errors of the map stay those against the kernel before.
func (p *Task) TrainFilters(ctx context.Context, how compute.Options) (*Task, error) {
	if p.FeatureMap == nil || p.FeatureMap.training == nil || p.FeatureMap.Trained != nil {
		return p, nil
	}
	switch {
	case p.Rows.Y == nil:
		return nil, errors.New("task: there is no target to learn filters by: name one, or leave the epochs out")
	case p.Streamed():
		return nil, errors.New("task: filters are learned by targets from rows that are all in memory, and this table is read in passes: learn them from a part of its rows")
	}
	y, err := p.Targets()
	if err != nil {
		return nil, err
	}
	o := *p.FeatureMap.training
	o.Weights, o.Compute = p.Rows.W, how
	var report *sckn.Report
	with := *p
	p.Points.Visit(Visitor{Vectors: func(l TypedPoints[[]float64]) {
		k, ok := l.Kernel.(*filters.Kernel)
		if !ok {
			err = fmt.Errorf("task: the kernel %s has no filters", l.Kernel)
			return
		}
		if k, report, err = sckn.Learn(ctx, k, l.Set, y, o); err == nil {
			l.Kernel = k
			with.Points = l.Any()
		}
	}})
	if err != nil {
		return nil, err
	}
	m := *p.FeatureMap
	m.Trained = report
	report.Warn("leave-one-out errors of the fit are too good, because the filters have seen the targets of all rows: compare the error of the rows that were kept aside")
	m.Run = report.Run
	m.Run.Before(p.FeatureMap.Run)
	with.FeatureMap = &m
	return &with, nil
}

// LearnsKernel reports whether the kernel is learned from the targets before the method learns.
func (p *Task) LearnsKernel() bool {
	return p.LacksNetwork() || p.FeatureMap != nil && p.FeatureMap.training != nil && p.FeatureMap.Trained == nil
}

// Options names all that a feature map depends on beside the kernel and the rows; "": there is
// none.
func (m *FeatureMap) Options() string {
	switch {
	case m == nil:
		return ""
	case m.Filters == nil:
		return fmt.Sprint(m.Dim, m.Frequencies, m.Seed)
	case m.training == nil:
		return fmt.Sprint(m.Filters, m.Seed)
	}
	o := *m.training
	o.Compute = compute.Options{}
	return fmt.Sprintf("%v %d %+v", m.Filters, m.Seed, o)
}

// WithoutTargets refuses to let targets move filters where there are none, as in a test.
func (r Approximation) WithoutTargets() error {
	if r.Training != nil {
		return errors.New("task: there are no targets here that could move filters: leave the epochs out")
	}
	return r.Check()
}

// trained lets the targets move the filters of a task that was made.
func (r Approximation) trained(p *Task, err error) (*Task, error) {
	if err != nil || r.Training == nil {
		return p, err
	}
	if _, ok := p.FeatureMap.learned.kernel.(*filters.Kernel); !ok {
		return nil, errors.New("task: targets move the filters of ckn(…) of images, and not motifs: leave the epochs out")
	}
	p.FeatureMap.training = r.Training
	return p, nil
}
