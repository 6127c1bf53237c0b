package bigmath_test

import (
	"fmt"
	"math/big"

	"example.org/mercer/internal/bigmath"
)

// The logarithm of two to 60 digits (the last one is 0).
func Example() {
	y, err := bigmath.Log(big.NewFloat(2), 200)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(y.Text('f', 60))
	// Output: 0.693147180559945309417232121458176568075500134360255254120680
}
