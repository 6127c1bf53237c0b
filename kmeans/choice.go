package kmeans

import (
	"context"
	"fmt"

	"mercer/gram"
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
func BySilhouette(ctx context.Context, g Gram, k Range, weights []float64, o gram.Options, cluster func(k int) (labels []int, objective float64, err error)) (best int, tried []Candidate, err error) {
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
