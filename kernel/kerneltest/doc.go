// Package kerneltest is a conformance suite for kernels on any type of point.
//
// A package that defines a kernel calls [Run] in its tests with a few points; the
// suite then holds the kernel, and every optional ability it has, to the promises that
// the rest of mercer relies on: symmetry, tiles that agree with Eval and have the same
// bits whatever tile they are computed in, no cancellation under a shift or between
// far clusters, eigenvalues that agree with the claimed derivation, a text that parses
// back, gradients, exact values and explicit maps that agree with Eval.
//
// [Pairs] does the same for bound kernels, and [Forwards] for those that wrap others: that nothing
// the wrapped pairs can do is lost, and nothing claimed that they cannot.
package kerneltest
