package nystrom

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"example.org/mercer/compute"
	"example.org/mercer/gram"
	"example.org/mercer/kernel"
	"example.org/mercer/linalg"
)

// freeBytes is the memory that a choice by a tolerance alone may take where no limit is
// given.
const freeBytes = 4 << 30

// byPivots runs a partial Cholesky factorization of W^½KW^½, in the order of some rows
// if there are any, and returns the shortest list of its pivots within the tolerance.
func byPivots(ctx context.Context, p gram.Source, order []int, o Options, r *Report) ([]int, error) {
	n := p.Len()
	rank, err := o.affordable(n)
	if err != nil {
		return nil, err
	}
	pairs, roots := p.Bind(nil, nil), make([]float64, n)
	diag := make([]float64, n)
	kernel.Diag(pairs, diag)
	for i := range diag {
		w := 1.0
		if o.Weights != nil {
			w = o.Weights[i]
		}
		diag[i], roots[i] = w*diag[i], math.Sqrt(w)
	}
	rule := map[Scheme]linalg.PivotRule{Pivoted: linalg.Random, Greedy: linalg.Greedy}[o.scheme()]
	if order != nil {
		rule = linalg.Listed
	}
	told := o.Compute.Meter("landmarks", int64(rank))
	low, err := linalg.PivotedCholesky(ctx, diag, weighted(gram.Of(pairs, o.Compute), roots, o, told),
		linalg.LowRankOptions{Rank: rank, Tolerance: o.Tolerance, Pivots: rule, Order: order, Seed: o.Seed, Workers: o.Compute.Workers, Step: o.Compute.Factoring().Step})
	if err != nil {
		return nil, fmt.Errorf("nystrom: %w", err)
	}
	told.Done() // within the tolerance before the last
	trace := floats.Sum(diag)
	kept, rest := shortest(low, trace, o.Tolerance)
	r.TraceError = rest / trace
	return kept, nil
}

// affordable returns the largest number of landmarks, or refuses it.
func (o *Options) affordable(n int) (int, error) {
	limit := cmp.Or(o.Compute.MaxMemory, freeBytes)
	if o.Rank == 0 {
		return max(1, min(n, int(limit/columnBytes(n, 1)))), nil
	}
	rank := min(o.Rank, n)
	if need := columnBytes(n, rank); o.Compute.MaxMemory > 0 && need > limit {
		return 0, &compute.TooLarge{What: fmt.Sprintf("the choice of %d landmarks among %d points by scheme %q", rank, n, o.scheme()), Need: need, Limit: limit}
	}
	return rank, nil
}

// columnBytes is what m columns of a Gram matrix of n points take.
func columnBytes(n, m int) int64 { return 8 * int64(n) * int64(m) }

// weighted returns the columns of W^½KW^½, and tells of those that were asked for.
func weighted(k *gram.Stream, roots []float64, o Options, told *compute.Meter) linalg.Columns {
	return func(ctx context.Context, dst *mat.Dense, cols []int) error {
		if err := k.Rows(ctx, dst, cols); err != nil {
			return err
		}
		if o.Weights != nil {
			for i, c := range cols {
				row := dst.RawRowView(i)
				for j, root := range roots {
					row[j] *= roots[c] * root
				}
			}
		}
		told.Add(int64(len(cols)))
		return nil
	}
}

// shortest cuts the pivots, which come in blocks, to the first that leave no more than
// the tolerance of the trace, and returns what they leave.
func shortest(low *linalg.LowRank, trace, tolerance float64) (pivots []int, rest float64) {
	rest = low.Trace
	count := len(low.Pivots)
	for count > 1 && tolerance > 0 {
		row := low.LT.RawRowView(count - 1)
		before := rest + floats.Dot(row, row)
		if before > tolerance*trace {
			break
		}
		rest = before
		count--
	}
	return low.Pivots[:count], rest
}
