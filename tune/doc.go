// Package tune finds the parameters of a kernel and λ for a method, and says how well
// it can be expected to do.
//
// [KRR] searches for kernel ridge regression. Its criterion is the exact leave-one-out
// error, which costs no refit, the evidence (the default for more than two
// parameters, which would overfit the former), generalised cross-validation, or
// cross-validation on random or given [Split]s. The
// [Gradient] method descends along the exact derivative of the criterion through
// every element of the Gram matrix, in logarithmic coordinates, so that a width per
// column costs hardly more than one width for all; [Grid] and [Random] work for every
// kernel. For each kernel that they try, one eigendecomposition serves all λ, and what
// kernels on the same points share, such as squared distances, is computed once.
//
// Everything is deterministic: the same data, options and seed give the same bits.
package tune
