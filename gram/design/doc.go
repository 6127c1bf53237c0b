// Package design reads the design matrix Φ of a kernel that has few explicit features, K = ΦΦᵀ.
//
// [Of] finds the features, and [Blocks] reads their rows [BlockRows] at a time: they are made when
// they are read, centred, turned to other axes, and held where they fit in memory. n rows never
// need n·dim numbers.
//
// Everything that is computed over all rows is a [Work]: sums, and numbers made of each row. Work
// can be sent to where the rows are ([Blocks.Pass]): then a driver runs it, see package pass, with
// the same bits.
package design
