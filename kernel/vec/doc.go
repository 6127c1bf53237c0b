// Package vec holds the kernels on dense vectors; numbers are vectors of one
// coordinate.
//
// A kernel on vectors is a statistic of the pair and a profile: rbf, matern and rq
// are three profiles of the squared distance, linear, poly and tanh three of the inner
// product. [Compile] translates a whole expression into a [tile.Plan]: the statistics that
// it needs, each once, and a postfix program over them. A plan is plain data; package tile packs
// points for it and computes blocks of the Gram matrix.
//
// Kernels are values whose zero fields mean the documented default; they are also made
// from text by [Parse], and by [ParseWith] where columns have names. Words such as
// sigma=median are replaced by numbers computed from data by package width.
//
// A tile agrees with Eval to a few units in the last place of the statistic, whatever the data; see
// package tile.
package vec
