package pass_test

import (
	"fmt"

	"example.org/mercer/pass"
)

// Sums of pieces are added in the order of the pieces, whatever the order in which they come.
func ExampleInOrder() {
	all := pass.InOrder{Each: func(i int, _ pass.Result) error {
		fmt.Println("piece", i)
		return nil
	}}
	for _, piece := range []int{1, 0} {
		if err := all.Add(piece, pass.Result{Sums: []float64{float64(piece + 1)}}); err != nil {
			panic(err)
		}
	}
	fmt.Println("sum", all.Total)
	// Output:
	// piece 0
	// piece 1
	// sum [3]
}
