// Package dictionary learns the dictionaries of kernels on images, see package visual, from a
// sample of the descriptors of a sample of the images: visual words by k-means, and for Fisher
// vectors a mixture of Gaussians with diagonal covariances by EM, both after a projection on the
// principal components where one is wanted. No target is looked at.
//
// The numbers of a dictionary are rounded to six digits, because they become a part of the text of
// the kernel. What they are rounded to is the dictionary, so that no code is rounded by it.
//
// [Fill] learns the dictionaries that are missing in an expression, as package width finds the
// widths that are missing.
package dictionary
