// Package pca is principal component analysis of dense and sparse vectors: the
// orthonormal directions along which they vary most about their mean.
//
// With shares pᵢ = wᵢ/Σw of the rows, μ = Σ pᵢxᵢ and D = diag(p), the components are the
// right singular vectors v of
//
//	A = D^½(X − 1μᵀ) = U Σ Vᵀ,
//
// the variances σ² have the divisor N = Σw, and the score of a point is ⟨v, x − μ⟩. By
// the theorem of Eckart and Young (1936) no matrix of rank k is nearer to A, in the
// spectral and in the Frobenius norm, than that of the first k components.
//
// [Exact] decomposes the smaller of AAᵀ and AᵀA. Squaring loses accuracy in the small components,
// which one-sided Jacobi rotations restore. [Krylov] is randomised block Krylov iteration. It needs
// products with A only, so that sparse rows are centred without filling them in (Musco and Musco,
// Randomized block Krylov methods for stronger and faster approximate singular value
// decomposition, NIPS 28, 2015, algorithm 2).
//
// Of ±v the one is taken whose loading of largest magnitude is positive, see
// [example.org/mercer/linalg.Orient].
package pca
