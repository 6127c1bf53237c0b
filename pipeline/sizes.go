package pipeline

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/supervised/krr"
)

// timedRows is the number of rows whose kernel values are timed: to bind all of them may take more
// memory than the fit, and is no part of it.
const timedRows = 4096

// sizes are what the work of a method depends on.
type sizes struct {
	rows     int
	columns  int // numbers in a point; 0 where points are not vectors
	features int // of the kernel's explicit feature map; 0: none
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
