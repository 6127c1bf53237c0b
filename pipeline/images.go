package pipeline

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/data/passes"
	"example.org/mercer/kernel"
)

// Methods that make passes over vectors make them over explicit features, too: over the rows φ(xᵢ)
// on landmarks or of random features, which are mapped again in every pass, or held where they fit.

// featured reports whether explicit features stand for the kernel.
func (p *Problem) featured() bool { return p.Approximation != nil || p.FeatureMap != nil }

// featureCount returns the number of explicit features: of those that stand for the kernel, or its
// own.
func (p *Problem) featureCount() int { return p.shape().features }

// imageBytes is what the features of all rows take where they are held (see
// [compute.FitsInMemory]), else 0.
func (p *Problem) imageBytes(o compute.Options) int64 {
	bytes := 8 * int64(p.points.size()) * int64(p.featureCount())
	if !compute.FitsInMemory(bytes, o.MaxMemory) {
		return 0
	}
	return bytes
}

// images returns the features of the rows that stand for the kernel, held or mapped in every pass:
// the bits are the same.
func (p *Problem) images(ctx context.Context, o compute.Options) (data.Rows, error) {
	rows, err := p.points.images()
	if err == nil && p.imageBytes(o) > 0 {
		return passes.Read(ctx, rows, o.WorkerCount())
	}
	return rows, err
}

func (l learning[T]) images() (data.Rows, error) {
	of, err := l.mapped()
	if err != nil {
		return nil, err
	}
	dim, _ := of.Features(l.points.At(0))
	return passes.Map(l.points, dim, func(dst data.Vectors, block data.Set[T]) {
		kernel.MapRows(of, kernel.Tile{Rows: dst.Len(), Cols: dim, Stride: dim, Data: dst.Raw()}, block, 0)
	}), nil
}

// planImages adds to the plan of a method on features that makes so many passes what holding these
// takes, or says that they are mapped in each.
func (p *Problem) planImages(plan compute.Plan, o compute.Options) compute.Plan {
	if held := p.imageBytes(o); held > 0 {
		return p.passed(noted(plan, []compute.Cost{{Stage: "mapped rows", Memory: held, Keeps: held}}, fmt.Sprintf("the features of all rows are held: %d × %d numbers", p.points.size(), p.featureCount())))
	}
	return p.passed(noted(plan, nil, "the features of the rows are computed afresh in every pass"))
}

// mapsIn is how often the features of a row are computed in so many passes: once where they are
// held.
func (p *Problem) mapsIn(passes int, o compute.Options) int {
	if p.imageBytes(o) > 0 {
		return 1
	}
	return passes
}
