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

// BySilhouette clusters with every number of a range, and returns the number whose
// clusters have the largest mean [Silhouette] in the feature space of g, the smallest of
// several, beside all that were tried. cluster is asked for a clustering into k clusters and its
// objective.
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

// SilhouetteRows draws count of n rows, each set of so many with the same probability, in their
// order (Knuth, The Art of Computer Programming 2, algorithm 3.4.2 S). The silhouettes of some rows
// among themselves take count² distances in place of n²; the mean distances that they are made of
// are those to the rows drawn of each cluster, with an error of one part in the root of how many
// these are.
func SilhouetteRows(n, count int, seed uint64) []int {
	rng, rows := rand.New(rand.NewPCG(seed, uint64(n))), make([]int, 0, count)
	for i := 0; len(rows) < min(count, n); i++ {
		if float64(n-i)*rng.Float64() < float64(min(count, n)-len(rows)) {
			rows = append(rows, i)
		}
	}
	return rows
}
