package kmeans

import "example.org/mercer/model"

// Report says how a search went.
type Report struct {
	N int `json:"n"`
	K int `json:"k"`
	// Objective is Σ wᵢ‖φ(xᵢ) − mean of its cluster‖², the inertia, of the returned
	// clusters; Objectives those of all starts.
	Objective  float64   `json:"objective"`
	Objectives []float64 `json:"objectives"`
	// Iterations of the best start; Converged says whether it ended before the limit.
	Iterations int  `json:"iterations"`
	Converged  bool `json:"converged"`
	// Trace is the objective at the labels of each iteration of the best start, kept by
	// [Solve] alone.
	Trace []float64 `json:"trace,omitempty"`
	// Sizes are the numbers of rows of the clusters, Masses their weights.
	Sizes  []int     `json:"sizes"`
	Masses []float64 `json:"masses"`
	// Relocated counts how often an empty cluster was given a far row, Empty the
	// clusters without rows in the end: there are fewer different rows than clusters.
	Relocated int `json:"relocated"`
	Empty     int `json:"empty"`
	// Solution is what [Fit] found for its points.
	Solution *Solution `json:"-"`
	// Storage is where [Fit] had the elements of the Gram matrix, a word of [gram.CachedOperator].
	Storage string `json:"storage,omitempty"`
	// Pruned is the part of the rows, over the iterations of the best start, for which
	// the triangle inequality saved the distances to all centres; of [FitVectors] alone,
	// and 0 where it does not try because there are few centres. It is less after a
	// resumption, which has no bounds, and therefore no part of the JSON.
	Pruned float64 `json:"-"`
	// Candidates are the numbers of clusters that were compared by their silhouettes.
	Candidates []Candidate `json:"candidates,omitempty"`
	// SilhouetteRows is how many rows these silhouettes are of, where not of all.
	SilhouetteRows int `json:"silhouette_rows,omitempty"`

	model.Run
}

// count fills what follows from the labels.
func (r *Report) count(labels []int, w []float64) {
	r.size(labels, w)
	if r.Empty > 0 {
		r.Warn("%d of %d clusters are empty: there are fewer different rows than clusters", r.Empty, r.K)
	}
	if !r.Converged {
		r.Warn("the best start had not converged after %d iterations: allow more of them, or a larger tolerance", r.Iterations)
	}
}

// size fills the sizes of the clusters.
func (r *Report) size(labels []int, w []float64) {
	r.Sizes, r.Masses, r.Empty = make([]int, r.K), make([]float64, r.K), 0
	for i, j := range labels {
		r.Sizes[j]++
		r.Masses[j] += w[i]
	}
	for _, size := range r.Sizes {
		if size == 0 {
			r.Empty++
		}
	}
}

// Passes is about how often a fit goes over the rows: starts go side by side, with two passes for
// each centre that k-means++ chooses.
func (r *Report) Passes() int { return r.Iterations + 2*r.K }

// Grows is true: Lloyd's iteration ends where no row changes its cluster.
func (*Report) Grows() bool { return true }
