// Package gmm fits mixtures of k Gaussians to vectors,
//
//	p(x) = Σ_j π_j N(x | μ_j, Σ_j),
//
// by maximum likelihood with the EM algorithm (Dempster, Laird and Rubin 1977): with
// weights wᵢ of the rows, in turn
//
//	q_ij = π_j N(xᵢ | μ_j, Σ_j) / Σ_l π_l N(xᵢ | μ_l, Σ_l)
//	N_j = Σᵢ wᵢq_ij,   π_j = N_j / Σᵢ wᵢ,   μ_j = (1/N_j) Σᵢ wᵢq_ij xᵢ,
//	Σ_j = (1/N_j) Σᵢ wᵢq_ij (xᵢ − μ_j)(xᵢ − μ_j)ᵀ
//
// for covariances that are full, one for all components, diagonal or spherical. (The
// lecture notes print the E-step without the π_j, and the means and covariances without
// the division by N_j.) Densities are summed as logarithms. Eigenvalues of covariances are kept
// above a floor; within it each iteration maximises its bound exactly, and the
// likelihood never decreases.
//
// EM starts from k-means, several times. The result has soft assignments (Posterior),
// random points (Sample) and the criteria BIC, AIC and ICL to choose k and the shape.
package gmm
