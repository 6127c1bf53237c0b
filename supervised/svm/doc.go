// Package svm holds support vector machines: classification with soft and hard margins,
// regression with an insensitive tube, and the one-class machine, each in the dual form
//
//	minimise  ½ αᵀQα + pᵀα   subject to   0 ≤ αᵢ ≤ Cwᵢ,   yᵀα = const,
//
// with the kernel matrix K in Qᵢⱼ = yᵢyⱼKᵢⱼ. See [Type] for the problems and [Scheme] for
// more than two classes, whose machines share one matrix and one set of support vectors.
//
// [Solve], [SolveRegression] and [SolveOneClass] work in index space, on any
// [gram.Operator]; [Fit], [FitRegression] and [FitOneClass] bind a kernel to points and
// return a [model.Expansion]. A [Decision] turns its values into classes.
//
// # How it is solved
//
// Pairs of coefficients are moved by sequential minimal optimisation with second order
// selection, on a part of the rows that grows by those in violation. The search reads K
// in single precision where there are more than two thousand rows; coefficients and
// gradient are float64, and before a machine is declared solved its gradient is computed
// afresh in double precision. [Report] has the violation of the optimality conditions and the
// duality gap of this exact gradient, so that what was found is known however it was
// found.
//
// The bits of a result do not depend on the number of workers.
package svm
