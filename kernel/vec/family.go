package vec

import (
	"context"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/kernel/tile"
)

// family compiles expressions of this package's kernels and leaves the rest to package tile.
type family struct{}

// Bind compiles k and binds the plan, or returns nil where a part of k cannot be
// compiled.
func (family) Bind(k Kernel, rows, cols data.Set[[]float64]) kernel.Pairs {
	plan, err := CompileOn(k, max(dimension(cols), dimension(rows)))
	if err != nil {
		return nil
	}
	return tile.Bind(plan, rows, cols)
}

// BindColumns compiles k and packs the column points, or returns nil where a part of k
// cannot be compiled.
func (family) BindColumns(k Kernel, cols data.Set[[]float64]) kernel.BoundColumns[[]float64] {
	plan, err := CompileOn(k, dimension(cols))
	if err != nil {
		return nil
	}
	return tile.BindColumns(plan, cols)
}

// Store computes the statistics of k for all pairs of xs and keeps them, see [tile.Store]. It
// returns nil where k cannot be compiled or maxBytes would be exceeded.
func (family) Store(ctx context.Context, k Kernel, xs data.Set[[]float64], maxBytes int64, cache kernel.TileCache) (kernel.Reusable[[]float64], error) {
	plan, err := CompileOn(k, dimension(xs))
	if err != nil {
		return nil, nil
	}
	s, err := tile.Store(ctx, plan, xs, maxBytes, cache)
	if s == nil || err != nil {
		return nil, err
	}
	return stored{s, xs}, nil
}

// stored is a bound kernel that keeps its statistics for others.
type stored struct {
	*tile.Stored
	xs data.Set[[]float64]
}

// Reuse binds another kernel to the same points, with the statistics that are kept.
func (s stored) Reuse(k Kernel) (kernel.Pairs, bool) {
	plan, err := CompileOn(k, dimension(s.xs))
	if err != nil {
		return kernel.Bind(k, s.xs, s.xs), false
	}
	return s.Stored.Reuse(plan)
}

// dimension returns the number of coordinates.
func dimension(xs data.Set[[]float64]) int {
	if xs.Len() == 0 {
		return 0
	}
	return len(xs.At(0))
}
