// Package svm holds support vector machines: classification with soft and hard margins,
// regression with an insensitive tube, and the one-class problem, each in the dual form
//
//	minimise  ½ αᵀQα + pᵀα   subject to   0 ≤ αᵢ ≤ Cwᵢ,   yᵀα = const,
//
// with the kernel matrix K in Qᵢⱼ = yᵢyⱼKᵢⱼ. See [Type] for the problems and [Scheme] for
// more than two classes, whose problems share one matrix and one set of support vectors.
//
// [Solve], [SolveRegression] and [SolveOneClass] work on rows of any kind, a [gram.Source] or
// features; [Fit], [FitRegression] and [FitOneClass] bind a kernel to points and
// return a [model.Expansion]. A [Decision] turns its values into classes.
//
// # How it is solved
//
//  1. [Options.Type] and the classes make binary problems, all in one dual form, which share kernel
//     values.
//  2. Pairs of coefficients are moved by sequential minimal optimisation with second order
//     selection (Fan, Chen and Lin, JMLR 6, 2005), on a working set of rows that grows by those in
//     violation. It reads K in single precision where there are more than two thousand rows;
//     coefficients and gradient are float64.
//  3. Where rows have few features ([Dual] sources that know them) one coefficient is moved at a
//     time, in the features; rows in [Primal] form are searched by an interior point.
//  4. Before a problem is declared solved its gradient is computed afresh in double precision.
//     [Report] has the violation of the optimality conditions and the duality gap of this exact
//     gradient, so that what was found is known however it was found.
//
// The bits of a result do not depend on the number of workers.
package svm
