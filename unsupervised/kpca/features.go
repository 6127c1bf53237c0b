package kpca

import (
	"context"
	"errors"
	"fmt"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/unsupervised/pca"
)

// Features is points of which explicit features of the kernel are known, k(x, y) = ⟨φ(x), φ(y)⟩:
// φ(xᵢ), m numbers, is row i. Rows may be made again in every pass
// ([example.org/mercer/pass.Map]). Kernel principal components are then the principal
// components of the rows,
//
//	zⱼ(x) = ⟨wⱼ, φ(x)⟩ + bⱼ,   bⱼ = −⟨wⱼ, μ⟩,
//
// wⱼ in the columns of [Solution.Coef]: nm² flops and some m×m matrices, where [Gram] has one of
// n×n. The bits are the same wherever the rows are and for any number of workers. Everything is
// computed in double precision. Of the options only the solvers [Auto] and [Primal] and no Origin
// go with features.
type Features struct{ data.Rows }

func (phi Features) solve(ctx context.Context, o Options) (*Solution, *Report, error) {
	if err := errors.Join(o.validate(phi.Len()), o.validateFeatures()); err != nil {
		return nil, nil, err
	}
	m := phi.Dim()
	by := pca.Options{Components: min(o.Components, m, phi.Len()), Weights: o.Weights, Solver: pca.Exact, Compute: o.Compute}
	found, p, err := pca.Fit(ctx, phi.Rows, by)
	if err != nil {
		return nil, nil, fmt.Errorf("kpca: in %d features: %w", m, err)
	}
	r := &Report{N: p.N, Components: p.Components, Solver: Primal, Why: fmt.Sprintf("%d explicit features: their covariance is decomposed, and no matrix of the rows", m),
		Variances: p.Variances, Total: p.Total, Ratio: p.Ratio, Floor: p.Floor, Dropped: p.Dropped, Run: p.Run}
	if more := o.Components - by.Components; more > 0 {
		r.Dropped += more
		r.Warn("%d components were asked for, and there are %d features", o.Components, m)
	}
	bias := make([]float64, r.Components)
	for j := range bias {
		bias[j] = -floats.Dot(found.Components.RawRowView(j), found.Mean)
	}
	return &Solution{Coef: mat.DenseCopyOf(found.Components.T()), Bias: bias}, r, nil
}

// validateFeatures reports what does not go with features.
func (o *Options) validateFeatures() error {
	switch {
	case o.Solver != "" && o.Solver != Auto && o.Solver != Primal:
		return fmt.Errorf("kpca: solver %q decomposes a matrix of the rows; features take %q", o.Solver, Primal)
	case o.Origin:
		return errors.New("kpca: features are analysed about their mean; a Gram matrix is about the origin, too")
	}
	return nil
}

// PlanFeatures predicts memory and time of [Solve] on [Features] for n rows of m features, which
// are in memory or not.
func PlanFeatures(n, m int, inMemory bool, o Options, machine compute.Machine) compute.Plan {
	plan := pca.Plan(n, m, inMemory, pca.Options{Components: min(o.Components, m, n), Solver: pca.Exact}, machine)
	plan.Solver = string(Primal)
	return plan
}
