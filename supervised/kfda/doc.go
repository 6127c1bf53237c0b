// Package kfda tells classes apart by their means in feature space: the kernel Fisher
// discriminant, and the nearest barycentre.
//
// With the features φ of a kernel k, weights wᵢ, N = Σ wᵢ and N_c the weight of class c,
// let m_c = Σ_{yᵢ=c} wᵢφ(xᵢ)/N_c, m = Σ wᵢφ(xᵢ)/N, and
//
//	S_w = (1/N) Σᵢ wᵢ (φ(xᵢ) − m_{yᵢ})(φ(xᵢ) − m_{yᵢ})ᵀ,   S_b = Σ_c (N_c/N) (m_c − m)(m_c − m)ᵀ,
//
// the scatter within and between the classes. The discriminant ([Solve], [Fit]) finds
// the at most m − 1 directions v of the RKHS at which the ratio
//
//	ρ = ⟨v, S_b v⟩ / ⟨v, (S_w + λI) v⟩
//
// is stationary and not zero: Fisher's discriminant, in feature space (Mika, Rätsch,
// Weston, Schölkopf and Müller, Fisher discriminant analysis with kernels, 1999, for two
// classes; Baudat and Anouar, Generalized discriminant analysis using a kernel approach,
// 2000, for many). The penalty is λ‖v‖² in the RKHS, the one of kernel ridge regression:
// for two classes v is the direction of the ridge regression of the labels with
// intercept and the same λ. The directions are scaled to ⟨v, (S_w + λI) v⟩ = 1, so that
// classes are told apart by plain distances to the class centres ([Decision]), which is
// the rule of Bayes for Gaussian classes of common covariance S_w + λI.
//
// In explicit features, fewer than rows, both need these alone, block by block ([space.Primal],
// [SolveBarycentreFeatures]): the systems are of their number, and the rows may stay in a file.
//
// The nearest barycentre ([SolveBarycentres], [FitBarycentres]) is the rule without the
// scatter: the class whose m_c is nearest to φ(x) in the RKHS ("Basic application in
// discrimination" in the lecture notes on kernel methods).
package kfda
