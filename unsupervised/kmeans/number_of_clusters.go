package kmeans

import (
	"context"
	"fmt"
	"math/rand/v2"

	"example.org/mercer/compute"
)

// Range are the numbers of clusters to choose from; equal ends are no choice.
type Range struct{ Least, Most int }

// check wants least ≤ Least ≤ Most.
func (r Range) check(least int) error {
	if r.Least < least || r.Most < r.Least {
		return fmt.Errorf("kmeans: the numbers of clusters %d to %d are not a range from %d on", r.Least, r.Most, least)
	}
	return nil
}

// Candidate is a number of clusters that was tried.
type Candidate struct {
	K          int     `json:"k"`
	Objective  float64 `json:"objective"`  // of its clustering
	Silhouette float64 `json:"silhouette"` // mean
}

// BySilhouette tries every number of clusters of a range. It returns the number with the largest
// mean [Silhouette] in the feature space of g (of equal ones the smallest), and all that were
// tried. cluster returns a clustering into k clusters and its objective.
func BySilhouette(ctx context.Context, g Gram, k Range, weights []float64, o compute.Options, cluster func(k int) (labels []int, objective float64, err error)) (best int, tried []Candidate, err error) {
	if err := k.check(2); err != nil {
		return 0, nil, fmt.Errorf("%w: one cluster has no silhouette", err)
	}
	for count := k.Least; count <= k.Most; count++ {
		labels, objective, err := cluster(count)
		if err != nil {
			return 0, nil, err
		}
		_, mean, err := Silhouette(ctx, g, labels, weights, o)
		if err != nil {
			return 0, nil, err
		}
		if tried = append(tried, Candidate{count, objective, mean}); mean > tried[best].Silhouette {
			best = len(tried) - 1
		}
	}
	return tried[best].K, tried, nil
}

// SilhouetteRows draws count of n rows, in their order; all sets of count rows have the same
// probability (Knuth, The Art of Computer Programming 2, algorithm 3.4.2 S). Silhouettes of these
// rows alone take count² distances in place of n². The mean distance to a cluster is then that to
// the m rows drawn from it, with a relative error of about 1/√m.
func SilhouetteRows(n, count int, seed uint64) []int {
	rng, rows := rand.New(rand.NewPCG(seed, uint64(n))), make([]int, 0, count)
	for i := 0; len(rows) < min(count, n); i++ {
		if float64(n-i)*rng.Float64() < float64(min(count, n)-len(rows)) {
			rows = append(rows, i)
		}
	}
	return rows
}
