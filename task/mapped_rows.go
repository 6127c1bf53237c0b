package task

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/pass"
)

// Methods that make passes over vectors make them over explicit features, too: over the rows φ(xᵢ)
// on landmarks or of random features, which are mapped again in every pass, or held where they fit.

// Approximated reports whether explicit features stand for the kernel.
func (p *Task) Approximated() bool { return p.LandmarkMap != nil || p.FeatureMap != nil }

// FeatureCount returns the number of explicit features: of those that stand for the kernel, or its
// own.
func (p *Task) FeatureCount() int { return p.Shape().Features }

// MappedBytes is what the features of all rows take where they are held (see
// [compute.FitsInMemory]), else 0.
func (p *Task) MappedBytes(o compute.Options) int64 {
	bytes := 8 * int64(p.Points.Size()) * int64(p.FeatureCount())
	if !compute.FitsInMemory(bytes, p.MayHold(o.MaxMemory)) {
		return 0
	}
	return bytes
}

// MappedRows returns the features of the rows that stand for the kernel, held or mapped in every
// pass: the bits are the same.
func (p *Task) MappedRows(ctx context.Context, o compute.Options) (data.Rows, error) {
	rows, err := p.Points.images()
	if err == nil && p.MappedBytes(o) > 0 && pass.Elsewhere(rows) == nil {
		return pass.Read(ctx, rows, o.WorkerCount())
	}
	return rows, err
}

func (l TypedPoints[T]) images() (data.Rows, error) {
	of, err := l.Mapped()
	if err != nil {
		return nil, err
	}
	return pass.Features(of, l.Set), nil
}

// PlanMappedRows adds to the plan of a method on features that makes so many passes what holding
// these takes, or says that they are mapped in each.
func (p *Task) PlanMappedRows(plan compute.Plan, o compute.Options) compute.Plan {
	if held := p.MappedBytes(o); held > 0 {
		return p.PlanStreaming(WithStages(plan, []compute.Cost{{Stage: "mapped rows", Memory: held, Keeps: held}}, fmt.Sprintf("the features of all rows are held: %d × %d numbers", p.Points.Size(), p.FeatureCount())))
	}
	return p.PlanStreaming(WithStages(plan, nil, "the features of the rows are computed afresh in every pass"))
}

// MapsIn is how often the features of a row are computed in so many passes: once where they are
// held.
func (p *Task) MapsIn(passes int, o compute.Options) int {
	if p.MappedBytes(o) > 0 {
		return 1
	}
	return passes
}
