// Package rkhs is geometry in H, the reproducing kernel Hilbert space of a kernel k, where
// ⟨φ(x), φ(y)⟩ = k(x, y): lengths, distances, means and tests of points of any type, from inner
// products alone.
//
// # Elements
//
// [Function] is an element f = Σ aᵢ k(·, xᵢ) of H, which can be evaluated, added, scaled and
// measured. [Section] is φ(x) itself, [Mean] the mean of a set. [Of] makes one of a
// [example.org/mercer/model.Expansion], and [Function.Expansion] goes back.
//
// # Points
//
// What needs the Gram matrix K of the points only is in index space:
//
//	Distances2           ‖φ(xᵢ) − φ(xⱼ)‖² = kᵢᵢ + kⱼⱼ − 2kᵢⱼ
//	Inner, Norms2        ⟨Φα, Φβ⟩ = αᵀKβ and ‖Φα‖² = αᵀKα
//	BarycentreOf         μ = Σ pᵢ φ(xᵢ): ‖μ‖² = pᵀKp, ‖φ(xᵢ) − μ‖², Σ pᵢ ‖φ(xᵢ) − μ‖²
//	DistancesTo          of new points to the barycentre, to the nearest point, on average
//	ProjectedVariances   of the points along v = Φα
//	LargestSlope         the pair with the largest |f(xᵢ) − f(xⱼ)|/‖φ(xᵢ) − φ(xⱼ)‖ ≤ ‖f‖
//	Alignment            the cosine of two kernels, centred or not
//	EffectiveDimensions  tr K(K + nλI)⁻¹
//	Herding              few points whose mean is near that of all
//
// All are tested against explicit feature maps. The total variance is tr(K)/n for centred data
// only: here the barycentre is subtracted.
//
// # Tests
//
// [MMD] asks whether two samples come from one distribution: ‖μ_X − μ_Y‖ is large if not.
// [HSIC] asks whether two descriptions of the same rows are independent: the inner product
// of their centred Gram matrices is large if not. Both are ⟨K_c, L_c⟩; for MMD, L is the matrix of
// the sample labels. Both have p-values by permutation, and by a gamma distribution with the exact
// moments of all permutations.
//
// Matrices are read in tiles, and stored only where a report says so. Results have the
// same bits for any number of workers. Squared norms of an indefinite kernel may be
// negative: they are returned as they are.
package rkhs
