package distance

import (
	"context"
	"errors"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/kernel/deep"
	"example.org/mercer/learner"
	"example.org/mercer/supervised/dkl"
	"example.org/mercer/task"
)

// startingLambda is where the λ of the criterion starts while a network is learned; it moves.
const startingLambda = 1e-3

// Fit learns the network of the kernel, where it has one without weights, or its filters, where the
// targets are to move them, and then by the method. It returns the task with the kernel that was
// learned.
func Fit(ctx context.Context, p *task.Task, m learner.Learner) (*task.Task, *learner.Fitted, error) {
	p, err := p.TrainFilters(ctx, m.ComputeOptions())
	if err != nil {
		return nil, nil, err
	}
	network := (*dkl.Report)(nil)
	if !dkl.LearnedBy(m) {
		var err error
		if p, network, err = LearnNetwork(ctx, p, m.ComputeOptions()); err != nil {
			return nil, nil, err
		}
	}
	l, err := learner.Fit(ctx, p, m)
	if err == nil && network != nil {
		l.Report.Ran().Before(network.Run)
		l.Network = network
	}
	return p, l, err
}

// StartNetwork returns the task with the network where [LearnNetwork] starts.
func StartNetwork(p *task.Task) (*task.Task, error) {
	l, k, err := network(p)
	if err != nil {
		return nil, err
	}
	k, err = k.WithNetwork(k.Started(l.Set))
	return withKernel(p, l, k), err
}

// LearnNetwork returns the task with the network of its kernel deep(…) learned from the rows and
// their targets, labels as their codes; see package dkl. A task whose kernel has no network, or one
// with weights, is returned as it is, without a report.
func LearnNetwork(ctx context.Context, p *task.Task, how compute.Options) (*task.Task, *dkl.Report, error) {
	if !p.LacksNetwork() {
		return p, nil, nil
	}
	l, k, err := network(p)
	if err != nil {
		return nil, nil, err
	}
	learned, report, err := learnOn(ctx, k, l.Set, p, how)
	return withKernel(p, l, learned), report, err
}

// network returns the points of a task whose kernel is deep(…).
func network(p *task.Task) (l task.TypedPoints[[]float64], k deep.Kernel, err error) {
	p.Points.Visit(task.Visitor{Vectors: func(v task.TypedPoints[[]float64]) { l = v }})
	k, outermost := l.Kernel.(deep.Kernel)
	switch {
	case !outermost:
		err = fmt.Errorf("learner: the network within %s has no weights, and is learned where deep(…) is the whole kernel alone: learn it so first, and write its weights", p.Kernel())
	case p.Streamed():
		err = errors.New("learner: a network is learned from rows that are all in memory, and this table is read in passes: fit a part of its rows first, or falkon with --descent")
	}
	return l, k, err
}

func withKernel(p *task.Task, l task.TypedPoints[[]float64], k deep.Kernel) *task.Task {
	with := *p
	l.Kernel = k
	with.Points = l.Any()
	return &with
}

// learnOn learns the network of a kernel from the rows of a task.
func learnOn(ctx context.Context, k deep.Kernel, xs data.Set[[]float64], p *task.Task, how compute.Options) (deep.Kernel, *dkl.Report, error) {
	if p.Rows.Y == nil {
		return k, nil, fmt.Errorf("learner: the network of deep(…) has no weights, and without a target there is nothing to learn them from: write the weights, as a model that was fitted has them")
	}
	y, err := p.Targets()
	if err != nil {
		return k, nil, err
	}
	slope, err := Slope(k.Of)
	if err != nil {
		return k, nil, fmt.Errorf("learner: a network is learned from gradients: %w", err)
	}
	o := p.Network
	if o.Weights, o.Compute = p.Rows.W, how; o.Lambda == 0 {
		o.Lambda = startingLambda
	}
	return dkl.Learn(ctx, k, slope, xs, y, o)
}
