// Package ckn holds the kernels of convolutional kernel networks on images: patches of two images
// are compared by a kernel, pooled over the neighbourhood, and the patches of what comes out are
// compared again.
//
// A point is an image of h×w pixels with c channels, as the h·w·c numbers of a row: the pixels in
// the order in which one reads, the channels of a pixel side by side. [Kernel.Shape] says h, w
// and c. An image becomes a map v₀ of vectors by its [Input]. A layer of patches of e×e takes the
// map φ to the next one. For patches x_p and y_q, the e²c numbers around the positions p and q,
// zeros beyond the border,
//
//	K(x_p, y_q) = ‖x_p‖‖y_q‖·exp((cos(x_p, y_q) − 1)/σ²), 0 where a norm is 0
//	φ'(p) = Σ_q g(p, q)·ψ(x_q),  ⟨ψ(x), ψ(y)⟩ = K(x, y)
//	k(x, y) = Σ_p ⟨φ_L(p; x), φ_L(p; y)⟩
//
// or the cosine of the angle between these features, where [Options.Normalize] is set. The
// weights g are those of Gaussian pooling by s; see [Layer]. ψ has infinitely many coordinates,
// and is never needed: with A[p, q] = ⟨φ(p; x), φ(q; y)⟩ a layer is
//
//	P[p, q] = Σ_δ A[p+δ, q+δ],   K = √(N_x N_y)·exp((P/√(N_x N_y) − 1)/σ²),   A' = G K Gᵀ
//
// where N_x[p] = P[p, p] of the image x with itself. [Kernel.Eval] computes just that, in about
// 2(h·w)²(c + e²) flops in the first layer: some milliseconds for a pair of 28×28 pixels. Package
// filters makes explicit features of it, which are thousands of times faster.
//
// J. Mairal, P. Koniusz, Z. Harchaoui and C. Schmid, Convolutional kernel networks, NIPS 2014;
// J. Mairal, End-to-end kernel learning with supervised convolutional kernel networks, NIPS 2016;
// A. Bietti and J. Mairal, Group invariance, stability to deformations, and complexity of deep
// convolutional representations, JMLR 20, 2019.
package ckn
