package monomial_test

import (
	"fmt"

	"example.org/mercer/kernel/monomial"
)

// Six features give the Gaussian kernel of two near points to five digits.
func ExampleTaylor() {
	m := monomial.Taylor{Order: 2}
	n, _ := m.Features(make([]float64, 2))
	x, y := []float64{0.1, 0.2}, []float64{0.2, 0}
	fmt.Println(n)
	fmt.Printf("%.5f of %.5f, at most %.0e away\n", inner(m, n, x, y), gaussian(x, y, []float64{1, 1}), m.Bound(x, y))
	// Output:
	// 6
	// 0.97531 of 0.97531, at most 1e-05 away
}
