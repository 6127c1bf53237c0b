// Package search finds the kernel's free parameters and those of a method on the rows of a table.
//
// [Tune] is one search with two kinds of criteria: held-out splits, and those in closed form along
// a path of λ. [Assess] repeats it in nested cross-validation. [NewLambdaPath] and
// [NewLandmarkPath] show a fit at many λ.
package search
