// Package learner says what a method of learning is, and does what is the same for all of them.
//
// A [Learner] is a method with its options; package methods has them, one file for each. [Plan]
// predicts what it takes for a task on this machine, and [Fit] makes it a [Fitted]: a function, a
// decision, a report and the states that are kept beside the function. A [Spec] is what is known of
// a method before there are data.
//
// What only some methods can do they say by small interfaces, which are asked for where they are
// needed: a [Solver] learns from a Gram matrix, a [Tunable] has parameters to be searched.
package learner
