// Package gram makes Gram matrices of bound kernels, or avoids making them.
//
// The same [kernel.Pairs] can be viewed as an operator that multiplies without ever
// being stored (for conjugate gradients and Lanczos), as a dense or packed matrix
// (for Cholesky and spectra), or as a stream of tiles. All views compute the same
// tiles in the same order, so they agree bit for bit for any number of workers.
//
// The package also knows what work costs before it starts: see [Plan].
package gram
