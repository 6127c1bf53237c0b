// Package vec holds the kernels on dense vectors; numbers are vectors of one
// coordinate.
//
// A kernel on vectors is a statistic of the pair and a profile: rbf, matern and rq
// are three profiles of the squared distance, linear, poly and tanh three of the inner
// product. [Compile] translates a whole expression into a [Plan]: the statistics that
// it needs, each once, and a postfix program over them. A plan is plain data. Bound to
// points by kernel.Bind it is evaluated tile by tile in one pass.
//
// Kernels are values whose zero fields mean the documented default; they are also made
// from text by [Parse], and by [ParseWith] where columns have names. Words such as
// sigma=median are replaced by numbers computed from data by [Fill].
//
// # Accuracy
//
// A tile agrees with Eval to a few units in the last place of the statistic, whatever
// the data: squared distances of few coordinates are added from differences, and those
// of many are computed from norms and inner products of centred data, with the pairs
// whose distance is small against their norms recomputed from differences. Identical
// points have distance exactly 0. An element has the same bits in every tile, and
// k(x, y) the same as k(y, x).
package vec
