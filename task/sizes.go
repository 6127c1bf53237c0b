package task

import (
	"context"

	"example.org/mercer/compute"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/record"
	"example.org/mercer/space"
)

// TimedRows is the number of rows whose kernel values are timed: to bind all of them may take more
// memory than the fit, and is no part of it.
const TimedRows = 4096

// Shape are what the work of a method depends on.
type Shape struct {
	Rows int
	// Columns are the numbers in a point, with those that the kernel holds of one beside them; 0
	// where points are not vectors.
	Columns  int
	Features int // of the kernel's explicit feature map; 0: none
}

// Machine measures this machine, with the tiles of this very kernel on these very rows, or on some
// of them.
func (p *Task) Machine(ctx context.Context, o compute.Options) (compute.Machine, error) {
	if p.Streamed() || p.Points.Size() > TimedRows {
		p = p.EvenSample(TimedRows)
	}
	m, err := compute.Calibrate(ctx, o)
	if err != nil {
		return m, err
	}
	if p.KernelHeld {
		m.PairRate, m.SinglePairRate = m.ReadRate/8, m.ReadRate/8
		return m, nil
	}
	return m.WithPairs(ctx, p.Pairs(), o)
}

// Measure measures this machine, and says how large the problem is.
func (p *Task) Measure(ctx context.Context, o compute.Options) (compute.Machine, Shape, error) {
	m, err := p.Machine(ctx, o)
	return m, p.Shape(), err
}

// Shape says how large the problem is.
func (p *Task) Shape() (s Shape) {
	s.Rows, s.Columns, _ = p.Dims()
	if p.Points.Kind() != OnVectors {
		s.Columns = 0
	}
	p.Points.Visit(Visitor{
		Vectors: func(l TypedPoints[[]float64]) {
			if l.Set.Len() > 0 {
				s.Columns += kernel.BoundNumbers(l.Kernel, l.Set.At(0))
			}
		},
		IDs: func(TypedPoints[string]) {}, Records: func(TypedPoints[record.Record]) {},
	})
	s.Features, _ = p.Points.ChoosePrimal(space.Auto)
	return s
}

// BindCosts predict the binding of all rows; there is nothing to predict where points are not
// vectors.
func (p *Task) BindCosts(m compute.Machine) []compute.Cost {
	s := p.Shape()
	if s.Columns == 0 {
		return nil
	}
	return []compute.Cost{compute.BindCost(s.Rows, s.Columns, m)}
}

// TriangleBytes is what the lower triangle of the Gram matrix takes; 0 where features stand for it.
func (p *Task) TriangleBytes() int64 {
	if p.NarrowFeatures() > 0 {
		return 0
	}
	n, _, _ := p.Dims()
	return 8 * int64(n) * int64(n+1) / 2
}

// NarrowFeatures returns how many features stand for the kernel; 0 where none do, or no fewer than
// there are rows: the Gram matrix has no use for them then.
func (p *Task) NarrowFeatures() int {
	if p.LandmarkMap == nil && p.FeatureMap == nil {
		return 0
	}
	s := p.Shape()
	if s.Features >= s.Rows {
		return 0
	}
	return s.Features
}
