// Package mahalanobis learns the distance with which a kernel compares vectors,
//
//	‖Lx − Ly‖² = (x − y)ᵀM(x − y),   M = LᵀL,
//
// from what functions that were learned with it depend on. The average gradient outer
// product of a function f of p outputs on n rows,
//
//	M = (1/N) Σᵢ wᵢ Σ_c ∇f_c(xᵢ) ∇f_c(xᵢ)ᵀ,   N = Σ wᵢ,
//
// is large along directions in which f changes and 0 along those in which it does not.
// [Outer] computes it for an expansion, with the exact gradients of its kernel. [Learn]
// goes round: learn f from the images Lx, take M of f, and its root for the next L
// (A. Radhakrishnan, D. Beaglehole, P. Pandit and M. Belkin, Mechanism for feature learning
// in neural networks and backpropagation-free machine learning models, Science 383, 2024,
// "recursive feature machines"). The round that predicts rows that were not learned from
// best is kept.
//
// M is as large as f is steep, and a kernel has a width of its own. L is therefore scaled so
// that the variance of the rows, summed over the coordinates, is that before the map.
//
// What learns f sees vectors and nothing of the map, so that any method which returns an
// expansion over vectors can learn a metric. The kernel that carries it to new points is
// Mahalanobis of package kernel/vec.
package mahalanobis
