package nystrom

import (
	"context"
	"fmt"
	"math/rand/v2"

	"example.org/mercer/data"
	"example.org/mercer/kernel"
	"example.org/mercer/model"
	"example.org/mercer/unsupervised/kmeans"
)

// centreIterations bounds those of k-means, whose last ones hardly move what the centres
// span.
const centreIterations = 20

// centres chooses the centres of k-means. Two that fell together are one.
func centres[T any](ctx context.Context, k kernel.Kernel[T], xs data.Set[T], o Options) (*Selection[T], *Report, error) {
	rows, ok := any(xs).(data.Rows)
	if !ok {
		return nil, nil, fmt.Errorf("nystrom: scheme %q makes means of vectors, and a point here is a %T: use %q, %q, %q or %q", KMeans, *new(T), Pivoted, Greedy, Leverage, Uniform)
	}
	watch := model.NewStopwatch()
	r := &Report{N: xs.Len(), Scheme: KMeans, Seed: o.Seed, Candidates: xs.Len()}
	if positive := positives(o.weights(xs.Len())); o.Rank > positive {
		r.Warn("%d landmarks were asked for, and there are %d rows of positive weight", o.Rank, positive)
		o.Rank = positive
	}
	if 0 < o.Among && o.Among < xs.Len() {
		some := draw(rand.New(rand.NewPCG(o.Seed, 1)), o.weights(xs.Len()), max(o.Among, o.Rank))
		rows, o.Weights, r.Candidates = gather(rows, some), nil, len(some)
	}
	c, found, err := kmeans.FitVectors(ctx, rows, o.Rank, kmeans.Options{Restarts: 1, MaxIterations: centreIterations, Seed: o.Seed, Weights: o.Weights, Compute: o.Compute})
	if err != nil {
		return nil, nil, fmt.Errorf("nystrom: %w", err)
	}
	var occupied []int
	for j, mass := range found.Masses {
		if mass > 0 {
			occupied = append(occupied, j)
		}
	}
	points := any(c.Centres.Gather(occupied)).(data.Set[T])
	if err := kernel.Validate(k, points); err != nil {
		return nil, nil, fmt.Errorf("nystrom: a centre of k-means is outside the domain of the kernel; use another scheme: %w", err)
	}
	r.Landmarks = len(occupied)
	watch.Lap(&r.Run, "landmarks")
	return &Selection[T]{Points: points}, r, nil
}

// gather returns some rows in memory.
func gather(rows data.Rows, index []int) data.Vectors {
	some, out := data.Subset(rows, index), data.MakeVectors(len(index), rows.Dim())
	for i := range index {
		copy(out.At(i), some.At(i))
	}
	return out
}

// positives counts the positive numbers.
func positives(weights []float64) int {
	count := 0
	for _, w := range weights {
		if w > 0 {
			count++
		}
	}
	return count
}
