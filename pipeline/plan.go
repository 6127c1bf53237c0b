package pipeline

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/supervised/krr"
)

// mapping is a method that says how often it computes the features of a row, where they stand
// for the kernel; others do as often as [passes].
type mapping interface {
	maps(p *Problem) int
}

// Plan predicts memory and time of [Fit] on this machine.
func Plan(ctx context.Context, p *Problem, m Method) (compute.Plan, error) {
	if err := checkPasses(p, m); err != nil {
		return compute.Plan{}, err
	}
	how := m.compute()
	how.Checkpoint = nil // a trial is no step of the fit
	plan, err := computing(m, how).plan(ctx, p)
	if err != nil || p.Approximation == nil && p.FeatureMap == nil {
		return plan, err
	}
	maps := mappings
	if often, ok := m.(mapping); ok {
		maps = often.maps(p)
	}
	_, columns, targets := p.Dims()
	if p.FeatureMap != nil {
		return p.FeatureMap.approximate(plan, columns, maps), nil
	}
	ridge, ok := m.(KRR)
	return p.Approximation.approximate(plan, targets, maps, ok && plan.Solver == string(krr.Primal) && ridge.sums()), nil
}

// timedRows is the number of rows whose kernel values are timed: to bind all of them may take more
// memory than the fit, and is no part of it.
const timedRows = 4096

// few returns the problem on an even sample of so many rows.
func (p *Problem) few(rows int) *Problem {
	n := p.points.size()
	some := make([]int, min(n, rows))
	for i := range some {
		some[i] = i * n / len(some)
	}
	return p.part(some)
}

// machine measures this machine, with the tiles of this very kernel on these very rows, or on some
// of them.
func (p *Problem) machine(ctx context.Context, o compute.Options) (compute.Machine, error) {
	if p.InPasses() || p.points.size() > timedRows {
		p = p.few(timedRows)
	}
	m, err := compute.Calibrate(ctx, o)
	if err != nil {
		return m, err
	}
	if p.held {
		m.PairRate, m.SinglePairRate = m.ReadRate/8, m.ReadRate/8
		return m, nil
	}
	return m.WithPairs(ctx, p.Pairs(), o)
}

// sizes are what the work of a method depends on.
type sizes struct {
	rows     int
	columns  int // numbers in a point; 0 where points are not vectors
	features int // of the kernel's explicit feature map; 0: none
}

// narrow returns how many features stand for the kernel; 0 where none do, or no fewer than there
// are rows: the Gram matrix has no use for them then.
func (p *Problem) narrow() int {
	if p.Approximation == nil && p.FeatureMap == nil {
		return 0
	}
	s := p.shape()
	if s.features >= s.rows {
		return 0
	}
	return s.features
}

// sizes measures this machine, and says how large the problem is.
func (p *Problem) sizes(ctx context.Context, o compute.Options) (compute.Machine, sizes, error) {
	m, err := p.machine(ctx, o)
	return m, p.shape(), err
}

// shape says how large the problem is.
func (p *Problem) shape() (s sizes) {
	s.rows, s.columns, _ = p.Dims()
	if p.points.kind() != onVectors {
		s.columns = 0
	}
	s.features, _ = p.points.choosePrimal(krr.Auto)
	return s
}
