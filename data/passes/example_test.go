package passes_test

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/data/passes"
)

// The mean of rows, the same bits wherever they are.
func ExampleEach() {
	const slabs = 2
	xs, err := data.NewVectors(4, 1, []float64{1, 2, 3, 6})
	if err != nil {
		fmt.Println(err)
		return
	}
	sums := make([]float64, slabs)
	err = passes.Each(context.Background(), xs, slabs, 1, func(_, slab, _ int, rows data.Vectors) {
		for _, v := range rows.Raw() {
			sums[slab] += v
		}
	})
	fmt.Println((sums[0]+sums[1])/4, err)
	// Output:
	// 3 <nil>
}
