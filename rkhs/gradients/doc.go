// Package gradients computes gradients of functions Σⱼ βⱼ k(·, zⱼ) at many points.
//
// A [Slope] is what is known of the kernel: for any kernel with a gradient in its points the
// gradient of pairs ([Pairwise]), and for a radial one products of matrices ([Radial]), which are
// many times as fast. Learned distances, recursive feature machines, explanations and the descents
// of landmarks and networks are made of them.
package gradients
