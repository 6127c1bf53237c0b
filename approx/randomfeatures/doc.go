// Package randomfeatures replaces a kernel by explicit features: maps z of a chosen length D with
//
//	⟨z(x), z(y)⟩ ≈ k(x, y),  and where they are drawn  E⟨z(x), z(y)⟩ = k(x, y).
//
// How they are made follows from the construction that a kernel gives of itself
// ([construction.Features]):
//
//   - shift-invariant kernels and their products: cosines and sines of random frequencies (Rahimi
//     and Recht 2007), orthogonal ones where the law is spherical (Yu et al. 2016);
//   - networks of infinite width: layers of random units (Rahimi and Recht 2008);
//   - polynomials and products: sketches of tensor products (Pham and Pagh 2013);
//   - counts of words or colours: signed sums, by hashing (Weinberger et al. 2009);
//   - additive kernels of histograms: the maps of Vedaldi and Zisserman (2012);
//   - sums, multiples, normalised kernels and selections of columns: the features of their parts.
//
// [New] makes a [Kernel]. Every method takes it like any other kernel, in features
// ([kernel.Mapped]) or by products ([Kernel.Operator]). [Collapse] turns the function that a method
// found into weights of the features. [Kernel.Errors] says how far the kernel is from k. Random
// numbers depend on the seed and the number of a feature alone.
package randomfeatures
