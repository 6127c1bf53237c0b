package level3_test

import (
	"fmt"

	"gonum.org/v1/gonum/blas"

	"example.org/mercer/linalg/level3"
)

// A product of matrices, C ← AB.
func Example() {
	a, b, c := []float64{1, 2, 3, 4}, []float64{0, 1, 1, 0}, make([]float64, 4)
	level3.Implementation{}.Dgemm(blas.NoTrans, blas.NoTrans, 2, 2, 2, 1, a, 2, b, 2, 0, c, 2)
	fmt.Println(c)
	// Output: [2 1 4 3]
}
