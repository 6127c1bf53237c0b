package tree_test

import (
	"context"
	"fmt"

	"example.org/mercer/data"
	"example.org/mercer/supervised/tree"
)

// Four numbers in two leaves; near the bound both have a share.
func ExampleGrow() {
	x := data.MakeVectors(4, 1)
	copy(x.Raw(), []float64{1, 2, 6, 7})
	first := func(context.Context, []int) ([]float64, error) { return []float64{1}, nil }
	splits, leaves, err := tree.Grow(context.Background(), x, tree.Options{Most: 2, Direction: first})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(leaves, "bound", splits[0].Bound)
	shares := make([]float64, splits.Leaves())
	for _, temperature := range []float64{0, 0.1} {
		splits.Shares(shares, []float64{4.2}, temperature)
		fmt.Printf("%.2f\n", shares)
	}
	// Output:
	// [[0 1] [2 3]] bound 4
	// [0.00 1.00]
	// [0.40 0.60]
}
