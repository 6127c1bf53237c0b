// Package tune finds the parameters of a kernel and of a method, and says how well they
// can be expected to do.
//
// There is one search, [Search], over the points of a [Space]: parameters of a kernel,
// parameters of a method, and a penalty λ whose solutions follow from one decomposition.
// How it moves is a [Strategy]; what it minimises is a [Criterion], of which there are two
// kinds:
//
//   - [CrossValidation]: the mean score of a [Judge] on the test rows of [Split]s, for any
//     method that a [FoldSolver] or a [Solver] presents;
//   - [ClosedForm]: the exact leave-one-out error, generalised cross-validation or the
//     evidence, without a refit, for kernel ridge regression ([Ridge]). It has a gradient,
//     along which [Gradient] moves all parameters and λ at once.
//
// For every kernel that is tried, one Gram matrix serves all splits and all values of the
// method. What kernels on the same points share, such as squared distances, is computed once.
//
// The package knows neither tables nor models. Everything is deterministic: the same data,
// options and seed give the same bits.
package tune
