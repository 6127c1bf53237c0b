// Package pipeline joins a table, a kernel, a method and a model file, as the command
// and a server need them.
//
// A [task.Task] is a table turned into points with a kernel on them, before any method
// has run: it can be planned, fitted and tuned. A [Model] is what fitting returns and
// one file holds: it predicts on new tables, explains itself, and verifies itself
// against its golden rows. Both hide the type of the points: rows of a table are
// vectors, or ids of a precomputed Gram matrix, and nothing outside of this package
// can tell.
package pipeline
