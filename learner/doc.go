// Package learner has methods as values: what each of them needs, plans, fits, keeps and reports.
//
// A [Learner] is a method with its options, such as [KRR]. [Plan] predicts what it takes for a task
// on this machine, and [Fit] makes it a [Fitted]: a function, a decision, a report and the states
// that are kept beside the function. All that is special about a method stands in its file.
package learner
