// Package outcome says what the outputs of a fitted function mean.
//
// A [Decision] turns the outputs of a row into a label, a structured output, a cluster or a
// number. A [Prediction] holds the outputs of the rows of a table. Its methods return labels,
// probabilities, scores against known targets and curves. [Conformal] holds the scores from which
// prediction intervals and label sets with a chosen coverage are made.
//
// Package [example.org/mercer/outcome/calibrate] makes probabilities of decision values, package
// [example.org/mercer/outcome/conformal] the sets and intervals of one row.
package outcome
