// Package bigmath holds the elementary functions of arbitrary precision that exact
// evaluation of kernels needs: a kernel is falsified, or a fast path checked, with
// numbers whose rounding cannot be mistaken for indefiniteness.
//
// Every function takes its arguments as the exact dyadic rationals that they are
// and returns a new number of prec bits whose relative error is at most a few
// units of 2^−prec; intermediate results carry as many more bits as the argument
// reduction cancels. Arguments outside the domain of a function, infinite ones and
// results beyond 2^[MaxExponent] are errors, never panics; a result below
// 2^−MaxExponent is 0. All functions are safe for concurrent use.
//
// The algorithms are the classical ones of Brent and Zimmermann, Modern Computer
// Arithmetic (2010), chapter 4: reduction to a small argument, Taylor series,
// reconstruction by doubling.
package bigmath
