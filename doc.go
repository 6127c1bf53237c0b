// Package mercer fits, tunes, saves and applies models by kernels: what a program and the command
// use.
//
// A [Task] is a table turned into points with a kernel on them, before any method has run: it is
// planned, fitted and tuned. [Fit] solves it by a method of package learner, [Tune] searches kernel
// and parameters before. A [Model] is what fitting returns and one file holds, see [Model.Save] and
// [Load]: it predicts on new tables, explains itself, and verifies itself against a few of its own
// rows. An [Update] is a model with more rows or fewer.
//
// Who has vectors, strings or graphs and no table begins with the packages of the methods, such as
// supervised/krr, whose Fit takes points of any type and a kernel on them.
package mercer
