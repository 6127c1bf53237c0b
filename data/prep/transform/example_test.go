package transform_test

import (
	"fmt"

	"example.org/mercer/data/prep/transform"
)

func ExampleFit() {
	prices := []float64{100, 110, 95, 2000}
	m, err := transform.Fit("log", prices, nil)
	if err != nil {
		panic(err)
	}
	z := (m.Forward(100) + m.Forward(2000)) / 2
	fmt.Printf("%s: the middle of 100 and 2000 is %.1f\n", m.Named("price"), m.Inverse(z))
	// Output: log(price): the middle of 100 and 2000 is 447.2
}
