// Package mkl finds weights for the terms of a sum of kernels: multiple kernel learning.
//
// With row weights wᵢ, N = Σ wᵢ, the mean of the features taken away from every term
// (K̃ = HKHᵀ) and ⟨A, B⟩ = Σ wᵢwⱼ AᵢⱼBᵢⱼ, the centred alignment of a kernel with the
// targets Y is ρ(K) = ⟨K̃, ỸỸᵀ⟩ / (‖K̃‖ ‖ỸỸᵀ‖), a number in [−1, 1]. Three methods:
//
//   - [AlignF]: the combination with the largest alignment, max over μ ≥ 0 of ρ(Σ μₖKₖ),
//     by a quadratic program with as many unknowns as terms;
//   - [Align]: μₖ ∝ max(0, ρ(Kₖ)), each term on its own, both by Cortes, Mohri and
//     Rostamizadeh, Algorithms for learning kernels based on centered alignment (2012);
//   - [EasyMKL]: the combination that separates two classes with the largest margin
//     between the distributions of their points, Aiolli and Donini, EasyMKL: a scalable
//     multiple kernel learning algorithm (2015).
//
// Terms are compared at the same size: Kₖ/τₖ, τₖ = Σ wᵢK̃ᵢᵢ/N, the mean squared distance
// of the points to their mean. The weights of the result make a kernel with τ = 1.
//
// [Solve] works on bound kernels, [Weigh] on the terms of a [kernel.Sum] over points.
package mkl
