// Package visual compares images by what a dictionary makes of their local descriptors: the
// histograms of visual words of the lectures, and Fisher vectors. A kernel k₀ on vectors compares
// the codes φ of two images,
//
//	k(x, y) = k₀(φ(x), φ(y)),
//
// which is positive definite with k₀, because any map may stand before a kernel.
//
// The code of an image is made in three steps:
//
//  1. [Descriptors]: patches of the image, or of its map of gradient orientations, in a dense grid.
//  2. [Coding]: a descriptor is assigned to its nearest visual word ([Words]), or shared among the
//     components of a mixture of Gaussians by their responsibilities ([Fisher]).
//  3. [Pyramid]: the assignments are pooled in the cells of grids of 1×1, 2×2, … cells, which stand
//     one after another.
//
// A dictionary is learned from images by what uses the kernel, see package dictionary; its numbers
// are in the text of the kernel. Until then a kernel has no values.
//
// G. Csurka, C. Dance, L. Fan, J. Willamowski and C. Bray, Visual categorization with bags of
// keypoints, ECCV workshop 2004; S. Lazebnik, C. Schmid and J. Ponce, Beyond bags of features, CVPR
// 2006; F. Perronnin, J. Sánchez and T. Mensink, Improving the Fisher kernel for large-scale image
// classification, ECCV 2010.
package visual
