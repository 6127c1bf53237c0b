// Package level3 is the matrix-matrix level of BLAS for float64 and float32 at the speed
// of the machine, for any user of gonum:
//
//	blas64.Use(level3.Implementation{})
//	blas32.Use(level3.Implementation{})
//
// makes gonum's mat and lapack use it. Nothing registers itself.
//
// [Implementation] embeds gonum's own and replaces Dgemm, Dsymm, Dsyrk, Dtrmm, Dtrsm and
// the same with S for float32, from one source; Dsyr2k, Ssyr2k and complex numbers stay
// gonum's. A product packs blocks of both factors into panels that stay in the caches and
// multiplies them with assembly for AVX-512 or AVX2, or with Go where the machine has
// neither; the other routines halve their matrices until what is left is small, and so
// consist of products. A product with a single column reads its matrix in place. Products
// too small to be worth packing go to gonum, and so do wrong arguments, which panic there.
//
// # Reproducibility
//
// An element of a product is the sum over blocks of the inner dimension, in ascending
// order; the blocks depend on that dimension alone. Its bits are therefore the same for
// any number of goroutines, for any position in its matrix, and wherever the matrix
// begins and ends, as long as the product is not one of the small ones. They may differ
// between machines with different instructions.
//
// Unlike gonum, which skips zeros of A, 0·NaN and 0·Inf are NaN.
package level3
