package lbfgs_test

import (
	"fmt"

	"example.org/mercer/internal/lbfgs"
)

// The least value of x⁴ − 4x.
func Example() {
	least := 0.
	_, err := lbfgs.Minimize([]float64{3}, func(z []float64) (float64, []float64, error) {
		x := z[0]
		return x*x*x*x - 4*x, []float64{4*x*x*x - 4}, nil
	}, lbfgs.Options{Gradient: 1e-8, Stepped: func(z []float64) error { least = z[0]; return nil }})
	fmt.Printf("x = %.4f, %v\n", least, err)
	// Output:
	// x = 1.0000, <nil>
}
