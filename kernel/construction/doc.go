// Package construction describes what a kernel is made of, so that explicit features of a chosen
// number can be made for it: a law of random frequencies, a map, a list of counts, an additive
// form, or sums, products and multiples of such.
//
// A kernel gives its construction of itself (kernel.FeatureConstructor). The algebra of kernels
// derives that of a compound kernel from its parts. Package randomfeatures makes the features.
// What looks at every column by itself says so (Columnwise), and package shapley makes use of it.
package construction
