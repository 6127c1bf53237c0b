package nystrom

import (
	"context"

	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
)

// Operator is K̃ = ΦΦᵀ of n points: nm kernel values, nm² multiplications, 8nm bytes, which
// are refused with a [*compute.TooLarge] error beyond o.MaxMemory.
func (n *Kernel[T]) Operator(ctx context.Context, xs data.Set[T], o compute.Options) (*gram.FeatureOperator, error) {
	return gram.FeatureOperatorOf(ctx, xs.Len(), n.Rank(), func(ctx context.Context, dst *mat.Dense, from int) error {
		rows, _ := dst.Dims()
		return n.features(ctx, dst, data.Run(xs, from, from+rows), o.Workers)
	}, o)
}

// Bind joins k̃ to its points, whose features are computed when they are first needed and
// then kept.
func (n *Kernel[T]) Bind(rows, cols data.Set[T]) kernel.Pairs {
	return gram.BindFeatures(n, n.Rank(), rows, cols)
}
