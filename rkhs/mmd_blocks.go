package rkhs

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"example.org/mercer/gram"
	"example.org/mercer/internal/parallel"
	"example.org/mercer/kernel"
)

// blocks computes the mean over blocks of B rows xᵢ of X and B rows yᵢ of Y of
//
//	1/(B(B−1)) Σ_{i≠j} k(xᵢ,xⱼ) + k(yᵢ,yⱼ) − k(xᵢ,yⱼ) − k(xⱼ,yᵢ),
//
// which for B = 2 is the linear statistic. Under the hypothesis its mean is 0 and the blocks
// are independent, so that it is nearly normal for many of them. Rows are taken in random
// order, because those of a table that is sorted are not independent.
func (r *TwoSample) blocks(ctx context.Context, p kernel.Pairs, o MMDOptions) error {
	random := rand.New(rand.NewPCG(o.Seed, 1))
	xs, ys := random.Perm(r.M), random.Perm(r.N)
	least := min(r.M, r.N)
	switch {
	case o.Statistic == Linear:
		r.BlockSize = 2
	case o.BlockSize > 0:
		r.BlockSize = o.BlockSize
	default:
		r.BlockSize = max(2, int(math.Sqrt(float64(least))))
	}
	if r.Blocks = least / r.BlockSize; r.Blocks < 2 {
		return fmt.Errorf("rkhs: %d rows of the smaller sample make %d blocks of %d: the null %q needs at least two, and many to be near; take the statistic %q", least, r.Blocks, r.BlockSize, Normal, Quadratic)
	}
	if left := r.M + r.N - 2*r.Blocks*r.BlockSize; left > 0 {
		r.Warn("%d of %d rows are in no block of %d and %d, chosen at random", left, r.M+r.N, r.BlockSize, r.BlockSize)
	}
	if r.Blocks < 20 {
		r.Warn("%d blocks are few for a normal null: take smaller blocks, or the statistic %q", r.Blocks, Quadratic)
	}
	terms := make([]float64, r.Blocks)
	err := parallel.Each(ctx, o.Compute.WorkerCount(), r.Blocks, func(_, b int) {
		rows := make([]int, 0, 2*r.BlockSize)
		rows = append(rows, xs[b*r.BlockSize:(b+1)*r.BlockSize]...)
		for _, y := range ys[b*r.BlockSize : (b+1)*r.BlockSize] {
			rows = append(rows, r.M+y)
		}
		terms[b] = blockTerm(gram.RowsOf(p).Bind(rows, rows), r.BlockSize)
	})
	if err != nil {
		return err
	}
	mean, squares := 0.0, 0.0
	for _, v := range terms {
		mean += v / float64(r.Blocks)
	}
	for _, v := range terms {
		squares += (v - mean) * (v - mean)
	}
	r.MMD2, r.Deviation = mean, math.Sqrt(squares/float64(r.Blocks-1)/float64(r.Blocks))
	switch {
	case math.IsNaN(mean) || math.IsInf(mean, 0):
		return fmt.Errorf("rkhs: the statistic is %v: there are kernel values that are not finite", mean)
	case !(r.Deviation > 0):
		return fmt.Errorf("rkhs: all %d blocks give the same number, %.4g: there is nothing to compare it with; are all rows alike?", r.Blocks, mean)
	}
	r.P = normalSurvival(mean / r.Deviation)
	return nil
}

// blockTerm returns the term of one block of size rows of X, and then as many of Y.
func blockTerm(p kernel.Pairs, size int) float64 {
	t, sum := kernel.NewTile(2*size, 2*size), 0.0
	p.Tile(t, 0, 0)
	for i := range size {
		for j := range size {
			if i != j {
				sum += t.Row(i)[j] + t.Row(size + i)[size+j] - t.Row(i)[size+j] - t.Row(j)[size+i]
			}
		}
	}
	return sum / float64(size*(size-1))
}
