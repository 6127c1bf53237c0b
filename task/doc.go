// Package task holds a table with a kernel on its rows: what a method learns from.
//
// [New] prepares a table, reads the expression of a kernel and puts the kernel on the rows. Points
// are vectors, ids of rows in Gram matrices and graphs, or records of cells such as texts; a
// [Task] hides which. Who needs to know asks by a [Visitor]. A [Function] is what was learned, on
// points of any type, with the way it is kept in a model file.
//
// Landmarks and explicit features may stand for the kernel: see [Task.Reduced].
package task
