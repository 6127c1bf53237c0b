package filters

import (
	"gonum.org/v1/gonum/blas"

	"example.org/mercer/linalg/level3"
)

// single is a product by one goroutine.
var single = level3.Implementation{Workers: 1}

// tinyProduct is the number of multiply-adds of an image, or of a block of patches, below which
// products go over the elements one by one: small ones of package level3 are those of gonum, whose
// bits depend on where a slice begins.
const tinyProduct = 1 << 12

// tiny reports whether a product of m×k and k×n numbers is one.
func tiny(m, n, k int) bool { return m*n*k < tinyProduct || m < 2 || n < 2 || k < 2 }

// multiply stores A·B + beta·C in C, m×n, or A·Bᵀ + beta·C where trans is set. one is the height of
// the A of an image, by which products are told tiny, so that bits do not depend on company.
func multiply(trans bool, one, m, n, k int, a, b []float32, beta float32, c []float32) {
	if !tiny(one, n, k) {
		tB, ldb := blas.NoTrans, n
		if trans {
			tB, ldb = blas.Trans, k
		}
		single.Sgemm(blas.NoTrans, tB, m, n, k, 1, a, k, b, ldb, beta, c, n)
		return
	}
	step, next := n, 1 // in B, along a column and to the next one
	if trans {
		step, next = 1, k
	}
	for i := range m {
		for j := range n {
			sum := float32(0)
			if beta != 0 {
				sum = beta * c[i*n+j]
			}
			for p, v := range a[i*k : (i+1)*k] {
				sum += float32(v * b[p*step+j*next])
			}
			c[i*n+j] = sum
		}
	}
}
