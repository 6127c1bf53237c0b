// Package compute says how to compute, and what it will cost.
//
// [Options] are those of every computation: workers, a limit of memory, progress, precision,
// what is kept on disk. A [Plan] predicts a computation before it starts: its stages, the
// peak of its memory and its time on a [Machine] that [Calibrate] has measured. [Limits]
// refuse a plan, and name the alternatives that would fit.
package compute
