// Package randomfeatures replaces a kernel by explicit features: maps z of a chosen length D with
//
//	⟨z(x), z(y)⟩ ≈ k(x, y),  and where they are drawn  E⟨z(x), z(y)⟩ = k(x, y).
//
// How they are made follows from what the kernel says of itself ([construction.Features]):
// cosines and sines of random frequencies for shift-invariant kernels and their products (Rahimi
// and Recht 2007), orthogonal ones where the law is spherical (Yu et al. 2016), sketches of tensor
// products for polynomials and products (Pham and Pagh 2013), signed sums of counts for words and
// colours (Weinberger et al. 2009), and the maps of Vedaldi and Zisserman (2012) for additive
// kernels of histograms; sums, multiples, normalised kernels and selections of columns are made of
// their parts.
//
// [New] makes a [Kernel], which every method takes like any other kernel, in features
// ([kernel.Mapped]) or in index space ([Kernel.Operator]); [Collapse] returns what a method
// found as weights of the features, and [Kernel.Errors] says how far it is from k. What is
// drawn depends on the seed and the number of a feature alone.
package randomfeatures
