// Package gaps binds kernels on vectors to points that lack coordinates, written as NaN. Pairs of
// complete points go the fast way, in tiles; a pair with a gap is computed by itself.
package gaps
