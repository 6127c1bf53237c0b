// Package kmeans finds k clusters of n rows with a small sum of squared distances to the
// means of the clusters,
//
//	Σᵢ wᵢ ‖φ(xᵢ) − m_c(i)‖²,   m_j = (1/s_j) Σ_{c(i)=j} wᵢ φ(xᵢ),   s_j = Σ_{c(i)=j} wᵢ,
//
// for vectors as they are (FitVectors) and in the feature space of any kernel on any
// type of points (Fit), where distances are sums of kernel values:
//
//	‖φ(xᵢ) − m_j‖² = k(xᵢ, xᵢ) − (2/s_j) Σ_{l∈j} w_l k(xᵢ, x_l)
//	               + (1/s_j²) Σ_{l,m∈j} w_l w_m k(x_l, x_m).
//
// Solve is the latter in index space, on any Gram matrix, stored or streamed. Spectral
// clusters a graph by the eigenvectors of its normalised affinities: its normalised cut
// is the objective of Solve, with the degrees for weights, on the kernel that CutKernel
// makes of the affinities (Dhillon, Guan and Kulis 2004). [SolveCut] of [Features] does both where
// the affinities are inner products of features, in passes over these. Silhouette and Eigengap help
// to choose k.
//
// All start from k-means++, several times, from an explicit seed, and have the same bits
// for any number of workers. The iteration is Lloyd's; it ends in a local minimum.
package kmeans
