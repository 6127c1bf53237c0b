package design_test

import (
	"context"
	"fmt"

	"example.org/mercer/compute"
	"example.org/mercer/data"
	"example.org/mercer/gram/design"
	"example.org/mercer/kernel/vec"
)

// ΦᵀΦ and Φᵀt of (1 + xy)², whose features are 1, √2·x and x².
func ExampleBlocks_Moments() {
	k, err := vec.Parse("poly(degree=2, offset=1)")
	if err != nil {
		panic(err)
	}
	xs, err := data.Pack([][]float64{{1}, {2}, {3}})
	if err != nil {
		panic(err)
	}
	phi, ok := design.Of(k, xs)
	second, first, err := phi.Blocks().Moments(context.Background(), nil, 1, func(dst []float64, i int) error {
		dst[0] = float64(i)
		return nil
	}, compute.Options{})
	if err != nil {
		panic(err)
	}
	trace := 0.0
	for i := range phi.Dim {
		trace += second.At(i, i)
	}
	fmt.Printf("%v, %d features, trace %.0f, last target sum %.0f\n", ok, phi.Dim, trace, first.At(phi.Dim-1, 0))
	// Output: true, 3 features, trace 129, last target sum 22
}
