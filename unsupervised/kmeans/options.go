package kmeans

import (
	"math"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/model"
)

// Options say how to search. The zero value is ready.
type Options struct {
	// Restarts is the number of starts, of which the best result is kept; 0 means 10. A
	// given start is the only one.
	Restarts int
	// MaxIterations bounds the iterations of a start; 0 means 300.
	MaxIterations int
	// Tolerance ends the iteration of [FitVectors] when the squared movements of the centres
	// add up to less than Tolerance times the mean variance of the columns. It ends that of [Solve]
	// when the objective falls by less than Tolerance times the scatter around the origin, Σ
	// wᵢk(xᵢ, xᵢ). 0 means 1e-4 for FitVectors, as in scikit-learn, and for Solve until no label
	// changes; negative always means the latter.
	Tolerance float64
	// Seed chooses the random starts.
	Seed uint64
	// Start holds the k centres to begin with; empty means k-means++. Only for
	// [FitVectors].
	Start data.Vectors
	// StartLabels are the clusters to begin with, one per row; nil means k-means++. Only
	// for [Solve] and [Fit].
	StartLabels []int
	// Weights are the wᵢ ≥ 0, one per row; nil means all ones.
	Weights []float64
	// Compute says how to compute: workers, memory limit, precision, progress.
	Compute compute.Options
}

func (o *Options) restarts() int {
	if o.Start.Len() > 0 || o.StartLabels != nil {
		return 1
	}
	if o.Restarts == 0 {
		return 10
	}
	return o.Restarts
}

func (o *Options) iterations() int {
	if o.MaxIterations == 0 {
		return 300
	}
	return o.MaxIterations
}

// weights returns the weights, ones where there are none.
func (o *Options) weights(n int) []float64 {
	if o.Weights != nil {
		return o.Weights
	}
	w := make([]float64, n)
	for i := range w {
		w[i] = 1
	}
	return w
}

// validate reports every problem of the options for n rows and k clusters.
func (o *Options) validate(n, k int) error {
	c := model.NewChecks("kmeans")
	if o.Restarts < 0 || o.MaxIterations < 0 {
		c.Add("restarts = %d and iterations = %d: neither may be negative", o.Restarts, o.MaxIterations)
	}
	if math.IsNaN(o.Tolerance) || math.IsInf(o.Tolerance, 0) {
		c.Add("the tolerance %v is not a finite number", o.Tolerance)
	}
	switch {
	case n < 2:
		c.Add("%d rows: clusters need at least two rows", n)
	case k < 1:
		c.Add("%d clusters: there must be at least one", k)
	case k > n:
		c.Add("%d clusters for %d rows: there cannot be more clusters than rows", k, n)
	}
	if positive := c.Weights(n, o.Weights); 0 < positive && positive < k && k <= n {
		c.Add("%d clusters for %d rows of positive weight: there cannot be more clusters than such rows", k, positive)
	}
	return c.Err()
}
