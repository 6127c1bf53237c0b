// Package filters makes explicit features of the kernels of package ckn: the layerwise Nyström map
// of convolutional kernel networks.
//
// Of each layer a patch x is projected on the span of ψ(z₁) … ψ(z_m) of unit filters z, the
// columns of Z:
//
//	ψ̃(x) = ‖x‖·(κ(ZᵀZ) + εI)^(−1/2)·κ(Zᵀx/‖x‖),   κ(u) = exp((u − 1)/σ²)
//
// so that ⟨ψ̃(x), ψ̃(y)⟩ is K(x, y) where x/‖x‖ or y/‖y‖ is a filter, up to ε, and near it
// elsewhere. [Learn] finds the filters of the first layer by spherical k-means on patches of
// training images, maps these by them, and goes on with the next layer; no target is seen. The
// features of an image are the vectors of the last map, one after another: h·w·m of them.
//
// # Computation
//
// For an image of p patches of d numbers, and q positions after pooling:
//
//  1. the patches are written side by side, each over its norm (im2col): pd numbers;
//  2. they are multiplied by the filters, 2pdm flops, and exponentials taken, pm;
//  3. these are pooled with the norms among the weights, about pm·(pool + 1) flops;
//  4. what is left is multiplied by (κ(ZᵀZ) + εI)^(−1/2), 2qm² flops: pooling is linear, so that it
//     may come first, where it leaves little to multiply.
//
// All of it is in float32, in groups of images that are small enough for the caches. A group is
// the work of one goroutine, and the bits of an image depend on nothing but itself.
//
// J. Mairal, End-to-end kernel learning with supervised convolutional kernel networks, NIPS 2016;
// spherical k-means: I. S. Dhillon and D. S. Modha, Machine Learning 42, 2001.
package filters
