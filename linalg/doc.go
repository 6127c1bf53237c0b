// Package linalg is the dense linear algebra of index space: what a kernel method
// needs once its points have become the rows and columns of a symmetric matrix.
//
// # Storage, and who owns what
//
// A [mat.SymDense] references only the upper triangle of its n×n storage. [Factor]
// uses the other half: it writes the Cholesky factor L of A + shift·I into the
// strict lower triangle of the same storage and keeps the diagonal of L in a slice
// of its own. One buffer of n² numbers then holds a matrix, still readable, and its
// factor, and iterative refinement costs no second copy. The caller lends the matrix
// to the factorization: until the [Cholesky] is dropped the matrix must not be
// written, and of two factorizations of the same matrix only the later is valid.
//
// Where n² numbers are too many, [Packed] stores the lower triangle alone, in square
// tiles, and [FactorPacked] replaces it by its factor. [PackedSingle] and
// [FactorPackedSingle] are the same in float32. A factor in float32 is a preconditioner: a
// few steps of [CG] then reach the accuracy of a factor in float64. [PivotedCholesky] makes a
// preconditioner from some columns of the matrix alone.
//
// [EigenSym] decomposes a whole matrix. Products with blocks of vectors are enough for others:
// [TopEigen] finds the largest eigenvalues, [CG] solves systems, [LogDet] estimates a determinant.
//
// [EigenSym], [TopEigen] and [CG] never write their arguments. Destinations follow gonum: an
// empty destination is given its shape, any other must have the right one.
//
// # Speed and reproducibility
//
// Nearly all arithmetic happens in matrix products of whole tiles through
// example.org/mercer/linalg/level3, whatever [blas64.Use] has registered. Tiles, chunks of
// right-hand sides and the order of every sum depend on the size of the problem only: the results
// have the same bits for any [Options].Workers. Every loop that can last checks its context
// between tiles.
package linalg
